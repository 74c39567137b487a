import { useTranslation } from 'react-i18next'
import { isLength, type Plotted } from './figures.ts'

const steps = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1000 },
] as const

/** Returns the largest unit of time that a length has, in milliseconds. */
export function unitOf(ms: number): number {
  return steps.find((step) => step.ms <= ms)?.ms ?? 1000
}

/** Returns functions that write figures in the reader's language; what is not known is a dash. */
export function useFormats() {
  const { i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  const mean = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' })
  const write = (value: number, unit: (typeof steps)[number]['unit']) =>
    new Intl.NumberFormat(i18n.language, { style: 'unit', unit, unitDisplay: 'narrow' }).format(value)

  /** Writes a length of time by its two largest units, such as `3h 20m`. */
  function length(ms: number | null): string {
    if (ms === null) return '–'
    const at = steps.findIndex((step) => step.ms <= ms)
    const [large, small] = at < 0 ? steps.slice(-1) : steps.slice(at, at + 2)
    if (!large) return '–'
    const whole = Math.floor(ms / large.ms)
    const rest = small && small.unit !== 'second' ? Math.floor((ms - whole * large.ms) / small.ms) : 0
    return small && rest > 0
      ? `${write(whole, large.unit)} ${write(rest, small.unit)}`
      : write(whole, large.unit)
  }

  const orDash = (format: Intl.NumberFormat) => (value: number | null) =>
    value === null ? '–' : format.format(value)
  const [count, average] = [orDash(number), orDash(mean)]
  const of = (figure: Plotted) => (isLength(figure) ? length : figure === 'rating_mean' ? average : count)
  return { count, mean: average, share: orDash(percent), length, of }
}
