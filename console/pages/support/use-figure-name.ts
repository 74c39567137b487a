import { useTranslation } from 'react-i18next'
import type { SupportAnalytics } from '../../api/types.ts'
import { hasHours, isLength, type Plotted } from './figures.ts'

/** Returns a function that names figures. The name of a duration says so if it counts only working hours. */
export function useFigureName(read: SupportAnalytics | undefined): (figure: Plotted) => string {
  const { t } = useTranslation()
  return (figure) =>
    isLength(figure) && read && hasHours(read.totals, figure)
      ? t(`support.figures.${figure}_open`)
      : t(`support.figures.${figure}`)
}
