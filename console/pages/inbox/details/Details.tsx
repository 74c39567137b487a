import { ActionIcon, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../../browser/read-markdown.ts'
import { useGroups } from '../../../api/groups.ts'
import { useAgent } from '../../../api/session.ts'
import type { Completion, Conversation, InboxEntry, UserProfile } from '../../../api/types.ts'
import { CloseIcon } from '../../../ui/icons.tsx'
import { languageName } from '../../../ui/language-name.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useUserName } from '../../../ui/user-name.ts'
import { userAddress, useUserSource } from '../../../ui/user-source.ts'
import { DueText } from '../due/DueText.tsx'
import { PriorityPicker } from '../priority/PriorityPicker.tsx'
import { TraceId } from '../thread/TraceId.tsx'
import { Assignment } from './Assignment.tsx'
import { EarlierConversations } from './EarlierConversations.tsx'
import { Fact } from './Fact.tsx'
import { ProposeEntry } from './ProposeEntry.tsx'
import { TagEditor } from './TagEditor.tsx'

const OutcomePicker = lazyPart(() => import('./OutcomePicker.tsx'), 'OutcomePicker')
const GroupPicker = lazyPart(() => import('../assign/GroupPicker.tsx'), 'GroupPicker')

interface DetailsProps {
  conversation: Conversation
  /** Null until it is read. */
  entry: InboxEntry | null
  latest: Completion | null
  /** True if a person has answered. */
  isAnswered: boolean
  onClose: () => void
}

/** The details of a conversation, beside its thread. */
export function Details({ conversation, entry, latest, isAnswered, onClose }: DetailsProps) {
  const { t, i18n } = useTranslation()
  const groups = useGroups().data ?? []
  const { started_at, ended_at, external_id, id } = conversation
  const { language = null, rating = null, user = null } = entry ?? {}
  return (
    <Stack gap="md" className="foreign">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{t('inbox.details')}</Title>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('common.close')} onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </Group>
      <Fact name={t('inbox.assignee')}>
        <Assignment conversationId={id} assignee={entry?.assignee ?? null} />
      </Fact>
      {entry && (groups.length > 0 || entry.group) ? (
        <Fact name={t('inbox.group')}>
          <GroupPicker conversationId={id} group={entry.group} />
        </Fact>
      ) : null}
      {entry ? (
        <Fact name={t('inbox.priority')}>
          <PriorityPicker conversationId={id} priority={entry.priority} />
        </Fact>
      ) : null}
      {entry?.due ? (
        <Fact name={t('inbox.due')}>
          <DueText due={entry.due} />
        </Fact>
      ) : null}
      <User user={user} page={latest?.page_url ?? null} />
      {user ? <EarlierConversations conversationId={id} /> : null}
      <Fact name={t('inbox.tags')}>
        <TagEditor conversationId={id} tags={conversation.tags ?? {}} />
      </Fact>
      {isAnswered ? <ProposeEntry conversationId={id} /> : null}
      {language ? <Fact name={t('inbox.language')}>{languageName(language, i18n.language)}</Fact> : null}
      {rating === null ? null : <Fact name={t('inbox.rating')}>{t('inbox.ratingOf', { rating })}</Fact>}
      <Fact name={t('inbox.started')}>
        <Time at={started_at} />
      </Fact>
      {ended_at ? (
        <Fact name={t('inbox.ended')}>
          <Time at={ended_at} />
        </Fact>
      ) : null}
      {ended_at && entry ? (
        <Fact name={t('inbox.outcome')}>
          <OutcomePicker conversationId={id} outcome={entry.outcome} />
        </Fact>
      ) : null}
      {external_id ? <Fact name={t('inbox.externalId')}>{external_id}</Fact> : null}
      <Fact name={t('inbox.id')}>{id}</Fact>
      {latest ? <TraceId completionId={latest.id} /> : null}
    </Stack>
  )
}

/** The end user: their name, the facts that are known, and the page that they are on. */
function User({ user, page }: { user: InboxEntry['user'] | null; page: string | null }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const address = user ? userAddress(user) : ''
  const profile = useQuery({
    queryKey: key('user', address),
    queryFn: async () => (await api.get(`/users/${encodeURIComponent(address)}`)).data,
    enabled: user !== null,
  })
  const name = useUserName()(user)
  const { attributes = {}, proof, blocked_at } = profile.data ?? {}
  const sourceOf = useUserSource()
  const pages = pagesOf(profile.data, page)
  return (
    <>
      <Fact name={t('inbox.user')}>
        <Stack gap={4} align="flex-start">
          <bdi>{name}</bdi>
          {blocked_at ? <Mark tone="red">{t('details.blocked')}</Mark> : null}
          {proof === 'signed' ? <Mark tone="green">{t('inbox.verified')}</Mark> : null}
          {proof === 'none' ? <Mark tone="grey">{t('inbox.notVerified')}</Mark> : null}
          {user ? (
            <Text size="secondary" c="dimmed">
              {name === user.id ? null : (
                <>
                  <bdi>{user.id}</bdi>
                  {' · '}
                </>
              )}
              {sourceOf(user)}
            </Text>
          ) : null}
        </Stack>
      </Fact>
      {Object.entries(attributes).map(([name, value]) => (
        <Fact key={name} name={name}>
          {String(value)}
        </Fact>
      ))}
      {pages.map(({ url, at }, index) => (
        <Fact key={`${url} ${at}`} name={t(index === 0 ? 'inbox.page' : 'inbox.pageBefore')}>
          <Address url={url} />
          {at === null ? null : (
            <Text size="xs" c="dimmed" component="div">
              <Time at={at} />
            </Text>
          )}
        </Fact>
      ))}
    </>
  )
}

/** Returns the page that the user is on, and those before it. */
function pagesOf(
  profile: UserProfile | undefined,
  page: string | null,
): { url: string; at: string | null }[] {
  const pages = profile && 'pages' in profile ? (profile.pages as { url: string; at: string }[]) : []
  return pages.length > 0 || page === null ? pages.slice(0, 5) : [{ url: page, at: null }]
}

function Address({ url }: { url: string }) {
  const address = safeUrl(url)
  if (!address) return url
  return (
    <Anchor href={address} target="_blank" rel="noreferrer noopener">
      {url}
    </Anchor>
  )
}
