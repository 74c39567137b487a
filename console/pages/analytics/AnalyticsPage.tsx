import { Button, Group, NativeSelect, Paper, SimpleGrid, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { Failure } from '../../ui/Failure.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { asCsv } from './as-csv.ts'
import { Change } from './Change.tsx'
import { type Figure, figures } from './figures.ts'
import { ModelUsage } from './ModelUsage.tsx'
import { isPeriod, PeriodFields, todayIn } from './PeriodFields.tsx'
import { Plot } from './Plot.tsx'
import { type Days, daysBefore, daysOf } from './periods.ts'

/** The figures that most people look for; the CSV file has all of them. */
const shown = [
  'prompts',
  'responses',
  'unanswered',
  'likes',
  'flags',
  'median_ms',
] as const satisfies Figure[]

/**
 * The figures of each day in the viewer's own time zone, as a plot, as a table and as a file: all three show the same
 * days. The page appears before its figures, which are filled in.
 */
export function AnalyticsPage() {
  const { t, i18n } = useTranslation()
  const { name } = useAgent()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const today = todayIn(timeZone)
  const [days, setDays] = useState<Days>(() => daysOf('days30', today))
  const [figure, setFigure] = useState<Figure>('prompts')
  const before = isPeriod(days) ? daysBefore(days) : null
  const now = useFigures(days, timeZone)
  const then = useFigures(before ?? days, timeZone)
  const read = now.data?.days ?? []
  const columns = (shown as readonly Figure[]).includes(figure) ? shown : [...shown, figure]
  const dates = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const format = (value: number | null | undefined, of: Figure) =>
    value == null
      ? '–'
      : new Intl.NumberFormat(i18n.language, of === 'cta_rate' ? { style: 'percent' } : {}).format(value)
  return (
    <Page title={t('pages.analytics')} lead={t('analytics.lead', { zone: timeZone })}>
      <Group gap="sm" align="flex-end">
        <PeriodFields days={days} today={today} onChange={setDays} />
        <NativeSelect
          label={t('analytics.plotted')}
          value={figure}
          onChange={(event) => setFigure(event.currentTarget.value as Figure)}
          data={figures.map((value) => ({ value, label: t(`analytics.figures.${value}`) }))}
        />
        {read.length > 0 && now.data ? (
          <Button
            variant="default"
            leftSection={<DownloadIcon />}
            renderRoot={(props) => (
              <a href={asCsv(read)} download={`${name} ${now.data.from} ${now.data.to}.csv`} {...props}>
                {props.children}
              </a>
            )}
          >
            {t('analytics.csv')}
          </Button>
        ) : null}
      </Group>
      {now.isError ? <Failure error={now.error} onRetry={() => void now.refetch()} /> : null}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" aria-busy={now.isFetching}>
        {shown.map((one) => (
          <Paper key={one} withBorder p="md" bg="var(--parley-raised)">
            <Text c="dimmed" size="secondary">
              {t(`analytics.figures.${one}`)}
            </Text>
            <Text size="xl" fw={600} className="numbers">
              {format(now.data?.totals[one], one)}
            </Text>
            <Change
              now={now.data?.totals[one] ?? null}
              before={then.data?.totals[one] ?? null}
              counted={one === 'median_ms' ? (then.data?.totals.responses ?? null) : undefined}
              format={(value) => format(value, one)}
            />
          </Paper>
        ))}
      </SimpleGrid>
      <Section
        title={t(`analytics.figures.${figure}`)}
        lead={before ? t('analytics.comparedWith', { ...before }) : null}
      >
        <Plot
          bars={read.map((day) => ({
            name: day.date,
            short: dates.format(new Date(day.date)),
            value: day[figure],
          }))}
          unit={figure === 'cta_rate' ? 0.01 : 1}
          isReading={now.isPending}
          format={(value) => format(value, figure)}
        />
      </Section>
      <ModelUsage from={days.from} to={days.to} />
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('analytics.day')}</Table.Th>
              {columns.map((one) => (
                <Table.Th key={one} ta="right">
                  {t(`analytics.figures.${one}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {read.map((day) => (
              <Table.Tr key={day.date}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{day.date}</Table.Td>
                {columns.map((one) => (
                  <Table.Td key={one} ta="right">
                    {format(day[one], one)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Page>
  )
}

function useFigures({ from, to }: Days, timeZone: string) {
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('analytics', from, to, timeZone),
    queryFn: async ({ signal }) =>
      (await api.get('/analytics', { from, to, time_zone: timeZone }, signal)).data,
    placeholderData: (previous) => previous,
    enabled: isPeriod({ from, to }),
  })
}
