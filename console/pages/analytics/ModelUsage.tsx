import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { ModelUsage as UsageRow } from '../../api/types.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Section.tsx'

type Sum = Pick<
  UsageRow,
  'model' | 'kind' | 'calls' | 'prompt_tokens' | 'completion_tokens' | 'cost' | 'estimated'
>

/** The usage of the agent's model calls in a period, by model and purpose; nothing if there were none. */
export function ModelUsage({ from, to }: { from: string; to: string }) {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const usage = useQuery({
    queryKey: key('usage', from, to),
    queryFn: async ({ signal }) => (await api.get('/usage', { from, to }, signal)).data,
    placeholderData: (previous) => previous,
    enabled: from !== '' && to !== '' && from <= to,
  })
  if (usage.isError) return <Failure error={usage.error} onRetry={() => void usage.refetch()} />
  const rows = summed(usage.data ?? [])
  if (rows.length === 0) return null
  const number = new Intl.NumberFormat(i18n.language)
  const money = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
  const priced = rows.filter(({ cost }) => cost !== null)
  return (
    <Section title={t('analytics.usage.title')} lead={t('analytics.usage.lead')}>
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('analytics.usage.model')}</Table.Th>
              <Table.Th>{t('analytics.usage.for')}</Table.Th>
              <Table.Th ta="right">{t('analytics.usage.calls')}</Table.Th>
              <Table.Th ta="right">{t('analytics.usage.promptTokens')}</Table.Th>
              <Table.Th ta="right">{t('analytics.usage.completionTokens')}</Table.Th>
              <Table.Th ta="right">{t('analytics.usage.cost')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={`${row.model} ${row.kind}`}>
                <Table.Td className="foreign">{row.model}</Table.Td>
                <Table.Td>{t(`analytics.usage.kinds.${row.kind}`)}</Table.Td>
                <Table.Td ta="right">{number.format(row.calls)}</Table.Td>
                <Table.Td ta="right">{about(row, number.format(row.prompt_tokens))}</Table.Td>
                <Table.Td ta="right">{about(row, number.format(row.completion_tokens))}</Table.Td>
                <Table.Td ta="right">
                  {row.cost === null ? (
                    <Text span c="dimmed" size="secondary">
                      {t('analytics.usage.noPrice')}
                    </Text>
                  ) : (
                    about(row, money.format(row.cost))
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          {priced.length > 1 ? (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th colSpan={5}>{t('analytics.usage.total')}</Table.Th>
                <Table.Th ta="right">
                  {money.format(priced.reduce((sum, { cost }) => sum + (cost ?? 0), 0))}
                </Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          ) : null}
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}

/** Marks a figure that is based on an estimate. */
function about({ estimated }: Sum, figure: string): string {
  return estimated ? `≈ ${figure}` : figure
}

/** Adds up the rows of all days: one sum for each model and kind, the costliest first. */
function summed(rows: readonly UsageRow[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const key = `${row.model} ${row.kind}`
    const sum = sums.get(key)
    if (!sum) sums.set(key, { ...row })
    else {
      sum.calls += row.calls
      sum.prompt_tokens += row.prompt_tokens
      sum.completion_tokens += row.completion_tokens
      sum.cost = sum.cost === null || row.cost === null ? null : sum.cost + row.cost
      sum.estimated ||= row.estimated
    }
  }
  return [...sums.values()].sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.calls - a.calls)
}
