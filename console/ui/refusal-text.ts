import { useTranslation } from 'react-i18next'
import { Refusal } from '../api/client.ts'

/**
 * Says in the reader's language why something was refused. Where there is no such text, the service's own sentence
 * stands, which is in English.
 */
export function useRefusalText(): (error: unknown) => string {
  const { t, i18n } = useTranslation()
  return (error) => {
    if (!(error instanceof Refusal)) return t('failure.unknown')
    const key = `failure.codes.${error.code}`
    if (error.param !== null || !i18n.exists(key)) return withoutParam(error)
    return t(key as 'failure.codes.unreachable', { seconds: error.retryAfter ?? 60 })
  }
}

/** The service names the field before what is wrong with it; beside the field itself its name is one too many. */
export function withoutParam({ message, param }: Refusal): string {
  const text = param !== null && message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  return text.charAt(0).toUpperCase() + text.slice(1)
}
