import { useTranslation } from 'react-i18next'
import { Refusal } from '../../../api/client.ts'
import { useRefusalText } from '../../../ui/refusal-text.ts'

const KNOWN = ['model_failed', 'masking_failed', 'model_needed', 'budget_reached', 'nothing_to_say'] as const

/** Returns the reason why the model gave no text, in the reader's language. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation()
  const textOf = useRefusalText()
  return (error) => {
    const known = error instanceof Refusal ? KNOWN.find((code) => code === error.code) : undefined
    return known ? t(`copilot.failures.${known}`) : textOf(error)
  }
}
