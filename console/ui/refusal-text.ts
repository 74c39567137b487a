import { useTranslation } from 'react-i18next'
import { Refusal } from '../api/client.ts'

/** The limit in the service's words on an upload that is too large, such as `25 MiB`. */
const LIMIT = /at most (\d+ (?:MiB|bytes))\.$/

/**
 * Returns the reason of a refusal in the reader's language. Where there is no such text, it returns the service's own
 * sentence, which is in English.
 */
export function useRefusalText(): (error: unknown) => string {
  const { t, i18n } = useTranslation()
  return (error) => {
    if (!(error instanceof Refusal)) return t('failure.unknown')
    const limit = error.code === 'body_too_large' ? LIMIT.exec(error.message)?.[1] : undefined
    if (limit !== undefined) return t('failure.tooLarge', { limit })
    const key = `failure.codes.${error.code}`
    if (error.param !== null || !i18n.exists(key)) return withoutParam(error)
    return t(key as 'failure.codes.unreachable', { seconds: error.retryAfter ?? 60 })
  }
}

/** Returns the message without the field's name, which is redundant beside the field itself. */
export function withoutParam({ message, param }: Refusal): string {
  const text = param !== null && message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  return text.charAt(0).toUpperCase() + text.slice(1)
}
