import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Day, Figure } from './figures.ts'
import './DayPlot.css'

const HEIGHT = 160
/** The most dates below the plot; more would be unreadable. */
const MOST_DATES = 5

interface DayPlotProps {
  days: readonly Day[]
  figure: Figure
  /** True while the figures are being read. */
  isReading: boolean
  format: (value: number | null) => string
}

/** A bar for each day, between two axes. The table beneath has the same numbers, so screen readers skip the drawing. */
export function DayPlot({ days, figure, isReading, format }: DayPlotProps) {
  const { t, i18n } = useTranslation()
  const most = Math.max(...days.map((day) => day[figure] ?? 0), 0)
  if (most === 0)
    return (
      <Text c="dimmed" className="day-plot-empty">
        {isReading ? t('common.loading') : t('analytics.nothing')}
      </Text>
    )
  const top = figure === 'cta_rate' ? roundUp(most * 100) / 100 : roundUp(most)
  const dates = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const step = Math.max(1, Math.ceil((days.length - 1) / (MOST_DATES - 1)))
  return (
    <figure className="day-plot" aria-label={t('analytics.plotLabel')}>
      <div className="day-plot-values" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, HEIGHT / 2].map((y) => (
          <line key={y} x1={0} x2={days.length * 10} y1={y} y2={y} />
        ))}
        {days.map((day, index) => {
          const height = ((day[figure] ?? 0) / top) * HEIGHT
          return (
            <rect key={day.date} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height} rx={1}>
              <title>{`${day.date}: ${format(day[figure])}`}</title>
            </rect>
          )
        })}
      </svg>
      <div className="day-plot-dates" aria-hidden="true">
        {days.map(({ date }, index) =>
          index % step === 0 ? (
            <span key={date} style={{ insetInlineStart: `${((index + 0.5) / days.length) * 100}%` }}>
              {dates.format(new Date(date))}
            </span>
          ) : null,
        )}
      </div>
    </figure>
  )
}

/** Returns the next number that halves well: 2, 4, 6 or 10 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 4, 6, 10].find((factor) => factor * power >= value) ?? 10
  // The middle of the axis must be a whole number.
  return Math.max(2, factor * power)
}
