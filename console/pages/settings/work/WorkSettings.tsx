import { Anchor, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { WorkCounts } from '../../../api/types.ts'
import { useFormattedNumber } from '../../../ui/formatted-number.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'

const LOOK_EVERY_MS = 5000
const states = ['waiting', 'leased', 'failed', 'parked'] as const

/** The pages that tell more about a kind of work. */
const pageOf: Record<WorkCounts['kind'], NonNullable<LinkProps['to']>> = {
  channels: '/agents/$agentId/channels',
  automations: '/agents/$agentId/rules',
  bulk_acts: '/agents/$agentId/inbox',
  imports: '/agents/$agentId/knowledge',
  test_runs: '/agents/$agentId/tests',
  embeddings: '/agents/$agentId/knowledge',
  calibrations: '/agents/$agentId/knowledge',
  summaries: '/agents/$agentId/settings/model',
}

/** Shows what the service does for the agent in the background, and what it has given up. */
export function WorkSettings() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const numberOf = useFormattedNumber()
  const work = useQuery({
    queryKey: key('work'),
    queryFn: async ({ signal }) => (await api.get<{ data: WorkCounts[] }>('/work', {}, signal)).data,
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <Page title={t('settings.areas.work')} lead={t('settings.work.lead')}>
      <Loaded query={work}>
        {(kinds) => (
          <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('settings.work.kind')}</Table.Th>
                  {states.map((state) => (
                    <Table.Th key={state} ta="right">
                      {t(`settings.work.states.${state}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {kinds.map((counts) => (
                  <Table.Tr key={counts.kind}>
                    <Table.Td>
                      <Anchor
                        renderRoot={(props) => (
                          <Link to={pageOf[counts.kind]} params={{ agentId: String(id) }} {...props} />
                        )}
                      >
                        {t(`settings.work.kinds.${counts.kind}`)}
                      </Anchor>
                      <Text c="dimmed" size="secondary">
                        {t(`settings.work.what.${counts.kind}`)}
                      </Text>
                    </Table.Td>
                    {states.map((state) => (
                      <Table.Td key={state} ta="right">
                        <Text
                          span
                          inherit
                          {...(counts[state] === 0 ? { c: 'dimmed' } : state === 'parked' ? { fw: 600 } : {})}
                        >
                          {numberOf(counts[state])}
                        </Text>
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </Page>
  )
}
