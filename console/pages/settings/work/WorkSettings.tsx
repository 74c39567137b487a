import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { WorkCounts } from '../../../api/types.ts'
import { useFormattedNumber } from '../../../ui/formatted-number.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { useAction } from '../../../ui/use-action.ts'

const LOOK_EVERY_MS = 5000
const states = ['waiting', 'leased', 'failed', 'parked'] as const

/** The pages with more about each kind of work. */
const pageOf: Record<WorkCounts['kind'], NonNullable<LinkProps['to']>> = {
  channels: '/agents/$agentId/channels',
  fetches: '/agents/$agentId/channels',
  automations: '/agents/$agentId/rules',
  desk_automations: '/agents/$agentId/rules',
  snoozes: '/agents/$agentId/inbox',
  away_messages: '/agents/$agentId/settings/hours',
  notices: '/agents/$agentId/inbox',
  notice_mails: '/agents/$agentId/inbox',
  notice_pushes: '/agents/$agentId/inbox',
  silences: '/agents/$agentId/settings/agent',
  targets: '/agents/$agentId/settings/targets',
  target_recounts: '/agents/$agentId/settings/targets',
  support_figures: '/agents/$agentId/inbox',
  bulk_acts: '/agents/$agentId/inbox',
  imports: '/agents/$agentId/knowledge',
  test_runs: '/agents/$agentId/tests',
  embeddings: '/agents/$agentId/knowledge',
  calibrations: '/agents/$agentId/knowledge',
  summaries: '/agents/$agentId/settings/model',
  proposals: '/agents/$agentId/knowledge',
}

/** Shows what the service does for the agent in the background, and what it has given up. */
export function WorkSettings() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const work = useQuery({
    queryKey: key('work'),
    queryFn: async ({ signal }) => (await api.get('/work', {}, signal)).data,
    refetchInterval: LOOK_EVERY_MS,
  })
  const retrying = useAction({
    run: (kind: WorkCounts['kind']) => api.post(`/work/${kind}/retry`),
    refresh: [key('work')],
    done: ({ data: { retried } }) => t('settings.work.retried', { count: retried }),
  })
  return (
    <Page title={t('settings.areas.work')} lead={t('settings.work.lead')}>
      <Loaded query={work}>
        {(kinds) => (
          <Rows label={t('settings.areas.work')}>
            {kinds.map((counts) => (
              <Row
                key={counts.kind}
                title={t(`settings.work.kinds.${counts.kind}`)}
                link={{ to: pageOf[counts.kind], params: { agentId: String(id) } }}
                about={t(`settings.work.what.${counts.kind}`)}
                actions={
                  <>
                    <Counts counts={counts} />
                    {counts.retriable > 0 ? (
                      <Button
                        variant="default"
                        aria-label={t('settings.work.retryKind', {
                          kind: t(`settings.work.kinds.${counts.kind}`),
                        })}
                        loading={retrying.isPending && retrying.variables === counts.kind}
                        onClick={() => retrying.mutate(counts.kind)}
                      >
                        {t('settings.work.retry')}
                      </Button>
                    ) : null}
                  </>
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Page>
  )
}

/** The number of items in each state; states without any are left out. */
function Counts({ counts }: { counts: WorkCounts }) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const some = states.filter((state) => counts[state] > 0)
  if (some.length === 0)
    return (
      <Text c="dimmed" size="secondary">
        {t('settings.work.nothing')}
      </Text>
    )
  return some.map((state) => (
    <Mark key={state} tone={state === 'parked' ? 'red' : 'grey'}>
      {t(`settings.work.states.${state}`)} {numberOf(counts[state])}
    </Mark>
  ))
}
