import { useTranslation } from 'react-i18next'
import type { SupportAnalytics } from '../../api/types.ts'
import { Plot } from '../analytics/Plot.tsx'
import { BarList } from './BarList.tsx'
import { countOf, isLength, numberOf, type Plotted } from './figures.ts'
import { unitOf, useFormats } from './use-formats.ts'
import { useLinks } from './use-links.ts'
import { useValueName } from './use-value-name.ts'

/** The most values that are compared beside each other; the table has all. */
const MOST = 12

interface SupportPlotProps {
  /** The figures that were read; undefined while there are none. */
  read: SupportAnalytics | undefined
  plot: Plotted
}

/** A figure over days or the hours of a day, or compared between people, groups, channels, tags or languages. */
export function SupportPlot({ read, plot }: SupportPlotProps) {
  const { i18n } = useTranslation()
  const valueName = useValueName()
  const format = useFormats().of(plot)
  const linkTo = useLinks(read)
  const { rows, by } = read ?? { rows: [], by: 'day' as const }
  if (read && by !== 'day' && by !== 'hour') {
    const counted = countOf(plot)
    const bars = rows
      .map((row) => ({
        key: row.value,
        name: valueName(by, row.value, row.name),
        value: numberOf(row, plot) ?? 0,
        to: counted && linkTo(counted, row.value),
      }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value)
    return <BarList bars={bars.slice(0, MOST)} format={format} />
  }
  const date = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const bars = rows.map((row) => {
    const name = valueName(by, row.value, row.name)
    const short = by === 'day' ? date.format(new Date(row.value)) : name
    return { name, short, value: numberOf(row, plot) }
  })
  const most = Math.max(...bars.map(({ value }) => value ?? 0), 0)
  return <Plot bars={bars} unit={isLength(plot) ? unitOf(most) : 1} isReading={!read} format={format} />
}
