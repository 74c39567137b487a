import { useTranslation } from 'react-i18next'

/** Writes whole numbers as the reader's language does. */
export function useFormattedNumber(): (number: number) => string {
  const { i18n } = useTranslation()
  return (number) => new Intl.NumberFormat(i18n.language).format(number)
}
