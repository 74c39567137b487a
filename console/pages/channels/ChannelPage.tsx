import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { AskingButton } from '../../ui/AskingButton.tsx'
import { Back } from '../../ui/Back.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { ChannelForm } from './ChannelForm.tsx'
import { AddressCheck, Connected, FirstMessage, MissingSettings, TokenCheck } from './checks.tsx'
import { isConnecting } from './kinds.ts'
import { ParkedItems } from './ParkedItems.tsx'
import { TestMessage } from './TestMessage.tsx'

const LOOK_AGAIN_MS = 3000

/** The page of one channel, set up step by step: the address first, then the secrets, then a check. */
export function ChannelPage() {
  const { api, key } = useAgent()
  const { channelId = '' } = useParams({ strict: false })
  const channel = useQuery({
    queryKey: key('channels', 'one', channelId),
    queryFn: async () => (await api.get(`/channels/${channelId}`)).data,
    refetchInterval: ({ state: { data } }) => (data && isConnecting(data) ? LOOK_AGAIN_MS : false),
  })
  return <Loaded query={channel}>{(read) => <OneChannel key={read.id} channel={read} />}</Loaded>
}

function OneChannel({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const name = channel.name ?? t(`platforms.${channel.kind}`)
  return (
    <Page
      title={name}
      lead={channel.name === null ? undefined : t(`platforms.${channel.kind}`)}
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/channels" label={t('pages.channels')} />
          {mayManage ? (
            <AskingButton
              label={t('channels.disconnect')}
              title={t('channels.removeTitle', { name })}
              text={t('channels.removeText')}
              run={() => api.delete(`/channels/${channel.id}`)}
              refresh={[key('channels')]}
              done={t('channels.removed', { name })}
              onDone={() =>
                void navigate({ to: '/agents/$agentId/channels', params: { agentId: String(id) } })
              }
            />
          ) : null}
        </>
      }
    >
      {channel.connection ? (
        <Connected channel={channel} connection={channel.connection} />
      ) : channel.webhook_url === null ? null : (
        <Section title={t('channels.step1')} lead={t('channels.step1Lead')}>
          <CopyText label={t('channels.address')} value={channel.webhook_url} />
          <AddressCheck address={channel.webhook_url} />
        </Section>
      )}
      <Section title={t('channels.step2')} lead={t('channels.step2Lead')}>
        <ChannelForm channel={channel} />
        <MissingSettings channel={channel} />
      </Section>
      {mayManage ? (
        <>
          <TokenCheck channel={channel} />
          <TestMessage channel={channel} />
        </>
      ) : null}
      <FirstMessage channel={channel} />
      <ParkedItems channelId={channel.id} />
    </Page>
  )
}
