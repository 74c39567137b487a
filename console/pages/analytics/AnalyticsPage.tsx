import { Button, Group, NativeSelect, Paper, SimpleGrid, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Analytics, Single } from '../../api/types.ts'
import { Failure } from '../../ui/Failure.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { asCsv } from './as-csv.ts'
import { DayPlot } from './DayPlot.tsx'
import { type Figure, figures } from './figures.ts'
import { ModelUsage } from './ModelUsage.tsx'

const shown = ['prompts', 'responses', 'unanswered', 'likes', 'flags', 'median_ms'] as const

/**
 * What happened by day of the viewer's own time zone, as a plot, as a table and as a file: all three show the same days.
 * The page stands before its figures, which come into it.
 */
export function AnalyticsPage() {
  const { t, i18n } = useTranslation()
  const { name, api, key } = useAgent()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const [from, setFrom] = useState(() => dayBefore(29))
  const [to, setTo] = useState(() => dayBefore(0))
  const [figure, setFigure] = useState<Figure>('prompts')
  const analytics = useQuery({
    queryKey: key('analytics', from, to, timeZone),
    queryFn: async ({ signal }) =>
      (await api.get<Single<Analytics>>('/analytics', { from, to, time_zone: timeZone }, signal)).data,
    placeholderData: (previous) => previous,
    enabled: from !== '' && to !== '',
  })
  const days = analytics.data?.days ?? []
  const format = (value: number | null | undefined, of: Figure) =>
    value == null
      ? '–'
      : new Intl.NumberFormat(i18n.language, of === 'cta_rate' ? { style: 'percent' } : {}).format(value)
  return (
    <Page title={t('pages.analytics')} lead={t('analytics.lead', { zone: timeZone })}>
      <Group gap="sm" align="flex-end">
        <TextInput
          type="date"
          label={t('audit.from')}
          value={from}
          max={to}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('audit.to')}
          value={to}
          min={from}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('analytics.plotted')}
          value={figure}
          onChange={(event) => setFigure(event.currentTarget.value as Figure)}
          data={figures.map((value) => ({ value, label: t(`analytics.figures.${value}`) }))}
        />
        {days.length > 0 && analytics.data ? (
          <Button
            variant="default"
            leftSection={<DownloadIcon />}
            renderRoot={(props) => (
              <a
                href={asCsv(days)}
                download={`${name} ${analytics.data.from} ${analytics.data.to}.csv`}
                {...props}
              >
                {props.children}
              </a>
            )}
          >
            {t('analytics.csv')}
          </Button>
        ) : null}
      </Group>
      {analytics.isError ? (
        <Failure error={analytics.error} onRetry={() => void analytics.refetch()} />
      ) : null}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" aria-busy={analytics.isFetching}>
        {shown.map((one) => (
          <Paper key={one} withBorder p="md" bg="var(--parley-raised)">
            <Text size="xl" fw={600} className="numbers">
              {format(analytics.data?.totals[one], one)}
            </Text>
            <Text c="dimmed" size="secondary">
              {t(`analytics.figures.${one}`)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Section title={t(`analytics.figures.${figure}`)}>
        <DayPlot
          days={days}
          figure={figure}
          isReading={analytics.isPending}
          format={(value) => format(value, figure)}
        />
      </Section>
      <ModelUsage from={from} to={to} />
      <Table.ScrollContainer minWidth={900} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('analytics.day')}</Table.Th>
              {figures.map((one) => (
                <Table.Th key={one} ta="right">
                  {t(`analytics.figures.${one}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.toReversed().map((day) => (
              <Table.Tr key={day.date}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{day.date}</Table.Td>
                {figures.map((one) => (
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

/** A day of the viewer's own time zone, some days ago. */
function dayBefore(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() - days)
  // The Swedish way to write a date is the one that the service takes.
  return new Intl.DateTimeFormat('sv-SE').format(date)
}
