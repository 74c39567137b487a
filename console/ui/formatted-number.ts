import { useTranslation } from 'react-i18next'

/** Returns a function that formats whole numbers in the reader's language. */
export function useFormattedNumber(): (number: number) => string {
  const { i18n } = useTranslation()
  return (number) => new Intl.NumberFormat(i18n.language).format(number)
}
