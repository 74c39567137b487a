import { useTranslation } from 'react-i18next'
import type { Days } from '../analytics/periods.ts'

/** Returns a function that formats a range of days in the reader's language. */
export function useDays(): (days: Days) => string {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' })
  return ({ from, to }) => format.formatRange(new Date(from), new Date(to))
}
