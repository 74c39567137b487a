import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ChangeProps {
  now: number | null
  before: number | null
  /** The number of things that the earlier figure measures; undefined: as many as it says. */
  counted?: number | null | undefined
  /** True for shares and means, of which only the earlier figure is told. */
  isPlain?: boolean
  format: (value: number | null) => string
}

/** The fewest things of which a change in percent says more than chance. */
const FEWEST = 10

/** The change of a figure since the period before: in percent, or only the earlier figure where that says more, as of few things. */
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
