import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { missingSettings } from './kinds.ts'

const LOOK_AGAIN_MS = 5000

/** Warns of an address that platforms cannot call, because it is not public or not https. */
export function AddressCheck({ address }: { address: string }) {
  const { t } = useTranslation()
  const { protocol, hostname } = new URL(address)
  const isPrivate = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])/.test(hostname)
  if (protocol === 'https:' && !isPrivate) return null
  return (
    <Group gap="xs" align="flex-start">
      <Mark tone="red">{t('channels.notPublic')}</Mark>
      <Text size="secondary" flex="1 1 240px">
        {t('channels.notPublicText')}
      </Text>
    </Group>
  )
}

/** Shows how messages arrive from a platform that the service connects to by itself. */
export function Connected({
  channel: { active, kind },
  connection: { by, failure },
}: {
  channel: Channel
  connection: NonNullable<Channel['connection']>
}) {
  const { t } = useTranslation()
  return (
    <Section
      title={t('channels.step1Own')}
      lead={t(kind === 'email' ? 'channels.step1MailLead' : 'channels.step1OwnLead')}
    >
      <div role="status">
        {active && failure ? (
          <Mark tone="red">
            {t('channels.connection.failing', {
              reason: t(
                failure === 'internal' ? 'channels.connection.internal' : `channels.parkedErrors.${failure}`,
              ),
            })}
          </Mark>
        ) : (
          <Mark tone={active && by ? 'green' : 'grey'}>
            {t(`channels.connection.${(active && (kind === 'email' ? by && 'reading' : by)) || 'none'}`)}
          </Mark>
        )}
      </div>
    </Section>
  )
}

/** Names the settings that are still missing. */
export function MissingSettings({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const missing = missingSettings(channel)
  if (missing.length === 0) return <Mark tone="green">{t('channels.complete')}</Mark>
  return (
    <Text c="dimmed" size="secondary">
      {t('channels.missing', { names: missing.map((field) => t(`channels.settings.${field}`)).join(', ') })}
    </Text>
  )
}

/** Asks the platform whether the channel's token works. */
export function TokenCheck({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const testing = useAction({
    run: () => api.post(`/channels/${channel.id}/test`),
    // The check stores what it learns from the platform.
    refresh: [key('channels', 'one', String(channel.id))],
  })
  const check = testing.data?.data
  return (
    <Section title={t('channels.step3')} lead={t('channels.step3Lead')}>
      <div>
        <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
          {t('channels.test')}
        </Button>
      </div>
      {check ? (
        <Text role="status" component="div">
          <Mark tone={check.ok ? 'green' : 'red'}>
            {check.ok ? t('channels.works') : t(`channels.failures.${check.failure ?? 'refused'}`)}
          </Mark>{' '}
          {check.account}
        </Text>
      ) : null}
    </Section>
  )
}

/** Shows whether a message has arrived through the channel, which proves that its webhook is set up. */
export function FirstMessage({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const latest = useQuery({
    queryKey: key('channels', 'latest', channel.id),
    queryFn: async () => {
      const query = { view: 'all', channel_id: channel.id, per_page: 1 }
      return (await api.get('/inbox', query)).data[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data ? false : LOOK_AGAIN_MS),
  })
  return (
    <Section title={t('channels.step5')} lead={t('channels.step5Lead')}>
      {latest.data ? (
        <Group gap="xs" role="status">
          <Mark tone="green">{t('channels.received')}</Mark>
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/agents/$agentId/inbox/$conversationId"
                params={{ agentId: String(id), conversationId: latest.data?.id ?? '' }}
                {...props}
              />
            )}
          >
            {t('channels.openConversation')}
          </Anchor>
          <Text c="dimmed" size="secondary" component="span">
            <Time at={latest.data.last_message?.created_at ?? latest.data.started_at ?? ''} />
          </Text>
        </Group>
      ) : (
        <Text c="dimmed" role="status">
          {t('channels.notReceived')}
        </Text>
      )}
    </Section>
  )
}
