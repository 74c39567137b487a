import { useTranslation } from 'react-i18next'
import type { PauseForecast } from '../api/types.ts'
import { useFormattedNumber } from '../ui/formatted-number.ts'

/** Returns a function that words how many conversations are not told, by reason. */
export function useUntold(): (forecast: PauseForecast) => string {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  return ({ would_skip_by_reason }) =>
    would_skip_by_reason
      .map(({ reason, count }) => t(`shell.untold.${reason}`, { number: numberOf(count) }))
      .join(', ')
}
