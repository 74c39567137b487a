import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Day, Figure } from './figures.ts'
import './DayPlot.css'

const HEIGHT = 160

interface DayPlotProps {
  days: readonly Day[]
  figure: Figure
  /** Nothing is known yet. */
  isReading: boolean
  format: (value: number | null) => string
}

/** A bar a day. The table beneath says the same in numbers, so screen readers pass over the drawing. */
export function DayPlot({ days, figure, isReading, format }: DayPlotProps) {
  const { t } = useTranslation()
  const most = Math.max(...days.map((day) => day[figure] ?? 0), 0)
  if (most === 0)
    return (
      <Text c="dimmed" className="day-plot-empty">
        {isReading ? t('common.loading') : t('analytics.nothing')}
      </Text>
    )
  return (
    <figure className="day-plot" aria-label={t('analytics.plotLabel')}>
      <svg viewBox={`0 0 ${days.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          const height = ((day[figure] ?? 0) / most) * HEIGHT
          return (
            <rect key={day.date} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height} rx={1}>
              <title>{`${day.date}: ${format(day[figure])}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        <span>{days[0]?.date}</span>
        <span>{t('analytics.most', { value: format(most) })}</span>
        <span>{days.at(-1)?.date}</span>
      </figcaption>
    </figure>
  )
}
