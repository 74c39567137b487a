import { SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestRunWithResults } from '../../api/types.ts'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { Mark } from '../../ui/Mark.tsx'

type Calls = Omit<NonNullable<TestRunWithResults['used']>, 'customer'>

/** The figures of a run as a whole: what passed, what was found, what it cost and how long it took. */
export function RunFigures({ run }: { run: TestRunWithResults }) {
  const { t, i18n } = useTranslation()
  const number = useFormattedNumber()
  const percent = (share: number) =>
    new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 }).format(share)
  const precise = (value: number) =>
    new Intl.NumberFormat(i18n.language, { maximumSignificantDigits: 4 }).format(value)
  const duration = (ms: number) =>
    ms < 1000 ? t('tests.milliseconds', { ms: number(ms) }) : t('tests.seconds', { s: precise(ms / 1000) })
  const costOf = (cost: number | null) => (cost === null ? t('tests.noPrice') : precise(cost))
  const callsOf = ({ calls, prompt_tokens, completion_tokens, cost, estimated }: Calls) => ({
    value: number(calls),
    more: t('tests.figures.tokens', {
      tokens: `${estimated ? '≈ ' : ''}${number(prompt_tokens + completion_tokens)}`,
      cost: costOf(cost),
    }),
  })
  const { pass_rate, recall, used, times, documents, documents_changed, flaky } = run
  if (!pass_rate && !used) return null
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" my={0}>
      {pass_rate ? (
        <Figure
          label={t('tests.figures.passed')}
          value={percent(pass_rate.mean)}
          more={
            pass_rate.min === pass_rate.max
              ? null
              : t('tests.figures.spread', { min: percent(pass_rate.min), max: percent(pass_rate.max) })
          }
        />
      ) : null}
      {flaky.length > 0 ? (
        <Figure
          label={t('tests.figures.flaky')}
          value={number(flaky.length)}
          more={t('tests.figures.flakyMore')}
        />
      ) : null}
      {recall ? (
        <Figure
          label={t('tests.figures.found')}
          value={percent(recall.found)}
          more={t('tests.figures.firstThree', { share: percent(recall.first_three) })}
        />
      ) : null}
      {used ? <Figure label={t('tests.figures.calls')} {...callsOf(used)} /> : null}
      {used?.customer ? <Figure label={t('tests.figures.customer')} {...callsOf(used.customer)} /> : null}
      {times ? (
        <Figure
          label={t('tests.figures.time')}
          value={duration(times.median_ms)}
          more={
            times.wall_ms === null
              ? t('tests.figures.ninth', { p90: duration(times.p90_ms) })
              : t('tests.figures.times', { p90: duration(times.p90_ms), wall: duration(times.wall_ms) })
          }
        />
      ) : null}
      {documents ? (
        <Figure
          label={t('tests.figures.documents')}
          value={number(documents.count)}
          more={documents_changed ? <Mark tone="amber">{t('tests.documentsChanged')}</Mark> : null}
        />
      ) : null}
    </SimpleGrid>
  )
}

function Figure({ label, value, more }: { label: string; value: string; more?: ReactNode }) {
  return (
    <Stack gap={0} component="div">
      <Text component="dt" size="secondary" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fw={600} fz="lg">
        {value}
      </Text>
      {more ? (
        <Text component="dd" m={0} size="secondary" c="dimmed">
          {more}
        </Text>
      ) : null}
    </Stack>
  )
}
