import { Button, NativeSelect, Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { outcomes } from '../../../src/transcripts/conversations/outcomes.ts'
import { Refusal } from '../../api/client.ts'
import { useAgent } from '../../api/session.ts'
import type { SupportAnalytics } from '../../api/types.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { DownloadIcon, HeadsetIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { isPeriod, PeriodFields, todayIn } from '../analytics/PeriodFields.tsx'
import { type Days, daysBefore, daysOf } from '../analytics/periods.ts'
import { BarList } from './BarList.tsx'
import { type By, breakdowns, numberOf, type Plotted, plotted } from './figures.ts'
import { Headline } from './Headline.tsx'
import { SupportPlot } from './SupportPlot.tsx'
import { SupportTable } from './SupportTable.tsx'
import { type SupportSearch, supportSearch } from './support-search.ts'
import { useDays } from './use-days.ts'
import { useFigureName } from './use-figure-name.ts'
import { useFormats } from './use-formats.ts'
import { useLinks } from './use-links.ts'
import './SupportPage.css'

const reasons = ['asked', 'unanswered', 'paused', 'failed', 'flagged'] as const
const scores = [5, 4, 3, 2, 1] as const

/** The figures of what was solved, by whom and how fast. Each leads to its conversations; choices stand in the address. */
export function SupportPage() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const navigate = useNavigate()
  const search = supportSearch(useSearch({ strict: false }))
  const { zone = new Intl.DateTimeFormat().resolvedOptions().timeZone, by = 'day' } = search
  const { plot = 'conversations' } = search
  const today = todayIn(zone)
  const { from, to } = search
  // Days that are still being typed are kept here, because the address holds only complete periods.
  const [days, setDays] = useState<Days>(from && to ? { from, to } : daysOf('days30', today))
  const before = isPeriod(days) ? daysBefore(days) : null
  const now = useFigures(days, zone, by)
  const then = useFigures(before ?? days, zone, 'day')
  const daysText = useDays()
  const show = (change: SupportSearch) =>
    void navigate({
      to: '/agents/$agentId/support',
      params: { agentId: String(id) },
      search: { ...search, ...change },
      replace: true,
    })
  if (now.error instanceof Refusal && now.error.code === 'insufficient_right')
    return (
      <Page title={t('pages.support')}>
        <Empty icon={HeadsetIcon} title={t('support.notAllowed')} text={t('support.notAllowedText')} />
      </Page>
    )
  return (
    <Page
      title={t('pages.support')}
      lead={[
        t('support.lead'),
        ...(before ? [t('support.comparedWith', { days: daysText(before) })] : []),
      ].join(' ')}
      actions={now.data && !isEmpty(now.data) ? <SaveCsv read={now.data} /> : null}
    >
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
        <PeriodFields
          days={days}
          today={today}
          onChange={(next) => {
            setDays(next)
            if (isPeriod(next)) show(next)
          }}
        />
        <NativeSelect
          label={t('support.brokenDown')}
          value={by}
          onChange={({ currentTarget: { value } }) => show({ by: value as By })}
          data={breakdowns.map((value) => ({ value, label: t(`support.by.${value}`) }))}
        />
        <NativeSelect
          className="support-choice"
          label={t('analytics.plotted')}
          value={plot}
          onChange={({ currentTarget: { value } }) => show({ plot: value as Plotted })}
          data={plotted.map((value) => ({ value, label: t(`support.figures.${value}`) }))}
        />
        <Select
          className="support-choice"
          label={t('support.zone')}
          searchable
          allowDeselect={false}
          value={zone}
          data={[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          limit={30}
          onChange={(value) => {
            if (value) show({ zone: value })
          }}
        />
      </SimpleGrid>
      {now.isError ? <Failure error={now.error} onRetry={() => void now.refetch()} /> : null}
      {now.data && isEmpty(now.data) ? (
        <Empty icon={HeadsetIcon} title={t('support.empty')} text={t('support.emptyText')} />
      ) : now.isError && !now.data ? null : (
        <SupportFigures read={now.data} before={then.data} plot={plot} />
      )}
    </Page>
  )
}

/** Saves a file with a line for each conversation that is counted. The browser saves it as it streams. */
function SaveCsv({ read: { from, to, time_zone } }: { read: SupportAnalytics }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const query = new URLSearchParams({ from, to, time_zone })
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon />}
      component="a"
      href={api.address(`/analytics/support/conversations?${query}`)}
      download
    >
      {t('support.csv')}
    </Button>
  )
}

/** Tells whether nothing was counted in a period. */
function isEmpty({ totals }: SupportAnalytics): boolean {
  return plotted.every((figure) => !numberOf(totals, figure))
}

interface SupportFiguresProps {
  /** The figures that were read; undefined while there are none. */
  read: SupportAnalytics | undefined
  before: SupportAnalytics | undefined
  plot: Plotted
}

function SupportFigures({ read, before, plot }: SupportFiguresProps) {
  const figureName = useFigureName(read)
  return (
    <>
      <Headline now={read?.totals} before={before?.totals} linkTo={useLinks(read)} />
      <Section title={figureName(plot)}>
        <SupportPlot read={read} plot={plot} />
      </Section>
      {read ? (
        <>
          <Parts read={read} />
          <SupportTable key={`${read.by} ${read.from} ${read.to}`} read={read} plot={plot} />
        </>
      ) : null}
    </>
  )
}

/** The parts of the totals: how conversations ended, why people were needed, which ratings were given. */
function Parts({ read }: { read: SupportAnalytics }) {
  const { t } = useTranslation()
  const { count } = useFormats()
  const linkTo = useLinks(read)
  const bars = (names: readonly Parameters<typeof linkTo>[0][]) =>
    names.map((name) => ({
      key: name,
      name: t(`support.figures.${name}`),
      value: read.totals[name],
      to: linkTo(name),
    }))
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="sm">
      <Section title={t('support.outcomes')}>
        <BarList bars={bars(outcomes)} format={count} />
      </Section>
      <Section title={t('support.reasons')}>
        <BarList bars={bars(reasons.map((reason) => `waited_${reason}` as const))} format={count} />
      </Section>
      <Section title={t('support.ratings')}>
        <BarList bars={bars(scores.map((score) => `rated_${score}` as const))} format={count} />
      </Section>
    </SimpleGrid>
  )
}

function useFigures({ from, to }: Days, zone: string, by: By) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('analytics', 'support', from, to, zone, by),
    queryFn: async ({ signal }) =>
      (await api.get('/analytics/support', { from, to, time_zone: zone, by }, signal)).data,
    placeholderData: (previous) => previous,
    enabled: isPeriod({ from, to }),
  })
}
