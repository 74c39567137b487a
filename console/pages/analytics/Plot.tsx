import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import './Plot.css'

const HEIGHT = 160
/** The most names below the plot; more would be unreadable. */
const MOST_NAMES = 5

interface PlotBar {
  /** The full name of what the bar stands for; `short` is its name below the axis. */
  name: string
  short: string
  value: number | null
}

interface PlotProps {
  bars: readonly PlotBar[]
  /** The unit in which the axis has a round number, such as the milliseconds of an hour. */
  unit?: number
  /** True while the figures are being read. */
  isReading: boolean
  format: (value: number | null) => string
}

/** Bars in their order, between two axes. The table beneath has the same numbers, so screen readers skip the drawing. */
export function Plot({ bars, unit = 1, isReading, format }: PlotProps) {
  const { t } = useTranslation()
  const most = Math.max(...bars.map(({ value }) => value ?? 0), 0)
  if (most === 0)
    return (
      <Text c="dimmed" className="plot-empty">
        {isReading ? t('common.loading') : t('analytics.nothing')}
      </Text>
    )
  const top = roundUp(most / unit) * unit
  const step = Math.max(1, Math.ceil((bars.length - 1) / (MOST_NAMES - 1)))
  return (
    <figure className="plot" aria-label={t('analytics.plotLabel')}>
      <div className="plot-values" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, HEIGHT / 2].map((y) => (
          <line key={y} x1={0} x2={bars.length * 10} y1={y} y2={y} />
        ))}
        {bars.map(({ name, value }, index) => {
          const height = ((value ?? 0) / top) * HEIGHT
          return (
            <rect key={name} x={index * 10 + 1} y={HEIGHT - height} width={8} height={height} rx={1}>
              <title>{`${name}: ${format(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <div className="plot-names" aria-hidden="true">
        {bars.map(({ name, short }, index) =>
          index % step === 0 ? (
            <span key={name} style={{ insetInlineStart: `${((index + 0.5) / bars.length) * 100}%` }}>
              {short}
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
