import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { browserName } from './browser-name.ts'

/** The sessions of the signed-in person. */
export function OwnSessions() {
  const { t } = useTranslation()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await teamApi.get('/sessions')).data,
  })
  const ending = useAction({
    run: (id: number) => teamApi.delete(`/sessions/${id}`),
    refresh: [['sessions']],
    done: t('account.sessionEnded'),
  })
  return (
    <Section title={t('account.sessions')} lead={t('account.sessionsLead')}>
      <Loaded query={sessions}>
        {(all) => (
          <Rows label={t('account.sessions')}>
            {all.map(({ id, used_at, address, user_agent, current }) => (
              <Row
                key={id}
                title={browserName(user_agent) ?? t('account.unknownBrowser')}
                marks={current ? <Mark tone="green">{t('account.thisSession')}</Mark> : null}
                about={
                  <>
                    {address} · {t('account.lastUsed')} <Time at={used_at} />
                  </>
                }
                actions={
                  current ? null : (
                    <Button
                      variant="default"
                      onClick={() => ending.mutate(id)}
                      loading={ending.isPending && ending.variables === id}
                    >
                      {t('account.endSession')}
                    </Button>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  )
}
