import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannels } from '../../api/channels.ts'
import { useAgent, useRight } from '../../api/session.ts'
import type { UserProfile } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { Back } from '../../ui/Back.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { exactTime, Time } from '../../ui/Time.tsx'
import { useUserName } from '../../ui/user-name.ts'
import { userAddress, useUserSource } from '../../ui/user-source.ts'
import { BlockUser } from './BlockUser.tsx'
import { Identities } from './Identities.tsx'
import { MailAddresses } from './MailAddresses.tsx'
import { MergeUser } from './MergeUser.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { Receipts } from './Receipts.tsx'
import { RedactUser } from './RedactUser.tsx'

/** The page of one end user: their profile, their conversations, and the actions on all of them. */
export function UserPage() {
  const { api, key } = useAgent()
  const { userId = '' } = useParams({ strict: false })
  const profile = useQuery({
    queryKey: key('users', 'one', userId),
    queryFn: async () => (await api.get(`/users/${encodeURIComponent(userId)}`)).data,
  })
  return (
    <Loaded query={profile}>
      {(user) => <OneUser key={userAddress(user)} user={user} named={userId} />}
    </Loaded>
  )
}

/** @param named the id in the address, which may be one that was merged into the person */
function OneUser({ user, named }: { user: UserProfile; named: string }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const sourceOf = useUserSource()
  const mayRespond = useRight('respond')
  const mayManage = useRight('manage')
  const merged = user.identities.find(
    (one) => one.merged_into !== null && [one.id, userAddress(one)].includes(named),
  )
  const [lost, setLost] = useState<string | null>(null)
  return (
    <Page
      title={userName(user)}
      lead={
        <span className="foreign">
          <bdi>{user.id}</bdi> · {sourceOf(user)} · {t(`users.proofs.${user.proof}`)} · {t('users.since')}{' '}
          <Time at={user.first_seen_at} />
          {user.blocked_at ? (
            <>
              {' · '}
              <Mark tone="red">{t('users.blocked')}</Mark>
            </>
          ) : null}
        </span>
      }
      actions={
        <>
          <Back to="/agents/$agentId/users" label={t('pages.users')} />
          {mayRespond ? <MergeUser user={user} /> : null}
          {mayRespond ? <BlockUser user={user} name={userName(user)} /> : null}
        </>
      }
      narrow
    >
      {merged ? (
        <Alert color="gray" className="foreign">
          {t('users.mergedHere', { id: merged.id, into: userName(user) })}
        </Alert>
      ) : null}
      <Section title={t('users.profile')} lead={t('users.profileLead')}>
        <ProfileForm user={user} />
      </Section>
      <Identities user={user} />
      <MailAddresses mail={user.mail} />
      <Conversations user={user} />
      {mayManage ? <UserData user={user} onErased={setLost} /> : null}
      {mayManage ? <Receipts user={user} words={lost} /> : null}
    </Page>
  )
}

/** The newest conversations of a user, and a link to all of them. */
function Conversations({ user }: { user: UserProfile }) {
  const { t, i18n } = useTranslation()
  const sourceOf = useUserSource()
  const { id } = useAgent()
  const { counts, conversations } = user
  const channels = useChannels().data ?? []
  /** Says where a conversation is held: the channel of a chat, or the site's own id of it. */
  const placeOf = ({ external_id }: (typeof conversations)[number]) => {
    const channel = channels.find(({ kind, id }) => external_id?.startsWith(`${kind}:${id}:`))
    return channel ? sourceOf({ source: `channel-${channel.id}` }) : external_id
  }
  return (
    <Section
      title={t('users.conversations')}
      lead={[
        t('users.conversationCount', { count: counts.conversations }),
        t('users.questionCount', { count: counts.completions }),
      ].join(', ')}
    >
      <Rows label={t('users.conversations')}>
        {conversations.map((one) => (
          <Row
            key={one.id}
            title={one.started_at ? exactTime(one.started_at, i18n.language) : (one.id ?? '')}
            link={{
              to: '/agents/$agentId/inbox/$conversationId',
              params: { agentId: String(id), conversationId: one.id ?? '' },
            }}
            about={joined([placeOf(one), one.id])}
            marks={one.ended_at ? <Mark tone="grey">{t('inbox.hasEnded')}</Mark> : null}
          />
        ))}
      </Rows>
      {counts.conversations > conversations.length ? (
        <Button
          variant="default"
          w="fit-content"
          renderRoot={(props) => (
            <Link
              to="/agents/$agentId/inbox"
              params={{ agentId: String(id) }}
              search={{ view: 'all', user: userAddress(user) }}
              {...props}
            />
          )}
        >
          {t('users.allConversations')}
        </Button>
      ) : null}
    </Section>
  )
}

/** The export and the erasure of a user's data. @param props.onErased receives words that should be nowhere any more */
function UserData({ user, onErased }: { user: UserProfile; onErased: (words: string) => void }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  return (
    <Section title={t('users.data')} lead={t('users.dataLead')}>
      <Group gap="xs">
        <Button
          variant="default"
          component="a"
          leftSection={<DownloadIcon />}
          href={api.address(`/users/${encodeURIComponent(userAddress(user))}/export`)}
          download={`${user.id.replace(/[^\w.-]+/g, '_')}.jsonl`}
        >
          {t('users.export')}
        </Button>
        <RedactUser user={user} onErased={onErased} />
      </Group>
      <Text c="dimmed" size="secondary">
        {t('users.exportHint')}
      </Text>
    </Section>
  )
}
