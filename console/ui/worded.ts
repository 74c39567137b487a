import { useTranslation } from 'react-i18next'

/**
 * Returns a function that words something the service names by a code.
 * @returns what the key has in the reader's language; where there is no such text, the service's own sentence
 */
export function useWorded(): (key: string, sentence: string, values?: Record<string, string>) => string {
  const { t, i18n } = useTranslation()
  return (key, sentence, values = {}) =>
    i18n.exists(key) ? t(key, { ...values, defaultValue: sentence }) : sentence
}
