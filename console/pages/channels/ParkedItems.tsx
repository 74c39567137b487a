import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { ListRows } from '../../ui/ListRows.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useWorded } from '../../ui/worded.ts'

/** The items that were given up, each with a way to process it again. */
export function ParkedItems({ channelId }: { channelId: number }) {
  const { t } = useTranslation()
  const worded = useWorded()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  const queryKey = key('channels', 'parked', channelId)
  const parked = useList(queryKey, api, `/channels/${channelId}/parked`)
  const replaying = useAction({
    run: (id: number) => api.post(`/channels/${channelId}/parked/${id}/replay`),
    refresh: [queryKey],
    done: t('channels.replayed'),
  })
  return (
    <Section title={t('channels.parked')} lead={t('channels.parkedLead')}>
      <ListRows
        label={t('channels.parked')}
        query={parked}
        empty={<Text c="dimmed">{t('channels.noParked')}</Text>}
      >
        {({ id, kind, error, attempts, parked_at, created_at }) => (
          <Row
            key={id}
            title={worded(`channels.parkedKinds.${kind}`, kind)}
            about={
              <>
                <Time at={parked_at ?? created_at} /> · {t('channels.attempts', { count: attempts })}
                {error ? (
                  <>
                    {' '}
                    ·{' '}
                    <bdi>
                      {worded(`channels.parkedErrors.${error}`, t('channels.parkedError', { error }))}
                    </bdi>
                  </>
                ) : null}
              </>
            }
            actions={
              mayManage ? (
                <Button
                  variant="default"
                  loading={replaying.isPending && replaying.variables === id}
                  onClick={() => replaying.mutate(id)}
                >
                  {t('channels.replay')}
                </Button>
              ) : null
            }
          />
        )}
      </ListRows>
    </Section>
  )
}
