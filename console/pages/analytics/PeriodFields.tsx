import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Days, daysOf, type Period, periods } from './periods.ts'

interface PeriodFieldsProps {
  days: Days
  /** Today as YYYY-MM-DD. */
  today: string
  /** Called with what is typed, even while a day is incomplete or the days are not in order. */
  onChange: (days: Days) => void
}

/** The choice of days: a period that ends today or with the last month, or any first and last day. */
export function PeriodFields({ days, today, onChange }: PeriodFieldsProps) {
  const { t } = useTranslation()
  const isTurned = days.from !== '' && days.to !== '' && days.from > days.to
  const period = periods.find((one) => isSame(daysOf(one, today), days)) ?? 'own'
  return (
    <>
      <NativeSelect
        label={t('analytics.period')}
        value={period}
        onChange={({ currentTarget: { value } }) => {
          if (value !== 'own') onChange(daysOf(value as Period, today))
        }}
        data={[...periods, 'own' as const].map((value) => ({
          value,
          label: t(`analytics.periods.${value}`),
          disabled: value === 'own' && period !== 'own',
        }))}
      />
      <TextInput
        type="date"
        label={t('audit.from')}
        value={days.from}
        max={days.to}
        error={isTurned ? t('analytics.turned') : undefined}
        onChange={({ currentTarget: { value: from } }) => onChange({ from, to: days.to })}
      />
      <TextInput
        type="date"
        label={t('audit.to')}
        value={days.to}
        min={days.from}
        onChange={({ currentTarget: { value: to } }) => onChange({ from: days.from, to })}
      />
    </>
  )
}

/** Tells whether both days are given and in order. */
export function isPeriod({ from, to }: Days): boolean {
  return from !== '' && to !== '' && from <= to
}

function isSame(one: Days, other: Days): boolean {
  return one.from === other.from && one.to === other.to
}

/** Returns today's date in a time zone, as YYYY-MM-DD. */
export function todayIn(timeZone: string): string {
  // Swedish writes dates in the format that the service takes.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())
}
