import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ChangeProps {
  now: number | null
  before: number | null
  /** The number of things behind the earlier figure; undefined: the figure itself is a number of things. */
  counted?: number | null | undefined
  /** True for shares and means, for which only the earlier figure is shown. */
  isPlain?: boolean
  format: (value: number | null) => string
}

/** The fewest things for which a change in percent means more than chance. */
const FEWEST = 10

/** The change of a figure since the period before in percent, or the earlier figure where a percentage would mislead. */
export function Change({ now, before, counted = before, isPlain = false, format }: ChangeProps) {
  const { t, i18n } = useTranslation()
  const value = format(before)
  const percent = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  })
  return (
    <Text c="dimmed" size="xs" className="numbers">
      {before === null
        ? '\u00a0'
        : now === null || before === 0 || (counted ?? 0) < FEWEST || isPlain
          ? t('analytics.sameBefore', { value })
          : t('analytics.before', { value, change: percent.format((now - before) / before) })}
    </Text>
  )
}
