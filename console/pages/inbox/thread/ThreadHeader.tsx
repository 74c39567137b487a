import { ActionIcon, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Conversation, InboxEntry } from '../../../api/types.ts'
import { ArrowLeftIcon, InfoIcon } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { exactTime } from '../../../ui/Time.tsx'
import { useUserName } from '../../../ui/user-name.ts'
import { useConversationActions } from '../use-conversation-actions.ts'
import { Company } from './Company.tsx'
import type { Spot } from './use-timeline.ts'

const SnoozeConversation = lazyPart(
  () => import('../snooze/SnoozeConversation.tsx'),
  'SnoozeConversation',
  'in a notice',
)
const GoTo = lazyPart(() => import('./GoTo.tsx'), 'GoTo', 'in a notice')

interface ThreadHeaderProps {
  conversation: Conversation
  /** Null until it is read. */
  entry: InboxEntry | null
  areDetailsShown: boolean
  onDetails: () => void
  onJump: (spot: Spot) => void
}

/** The header of a thread: the end user, who answers, and the actions that change the conversation. */
export function ThreadHeader(props: ThreadHeaderProps) {
  const { conversation, entry, areDetailsShown, onDetails, onJump } = props
  const { t } = useTranslation()
  const userName = useUserName()
  const { id } = useAgent()
  const mayRespond = useRight('respond')
  return (
    <Group
      px={{ base: 'md', sm: 'lg' }}
      py={{ base: 4, sm: 'xs' }}
      gap="xs"
      justify="space-between"
      style={{ rowGap: 4, borderBottom: '1px solid var(--mantine-color-default-border)' }}
    >
      <Group gap="xs" miw={0} flex="1 1 160px" wrap="nowrap">
        <ActionIcon
          hiddenFrom="md"
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('inbox.back')}
          renderRoot={(props) => (
            <Link to="/agents/$agentId/inbox" params={{ agentId: String(id) }} search={true} {...props} />
          )}
        >
          <ArrowLeftIcon />
        </ActionIcon>
        <Title
          order={1}
          fz="lg"
          lh="lg"
          textWrap="nowrap"
          style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          <bdi>{userName(entry?.user)}</bdi>
        </Title>
        {entry?.channel ? (
          <Text c="dimmed" size="secondary" style={{ whiteSpace: 'nowrap' }} visibleFrom="sm">
            {t(`platforms.${entry.channel.kind}`)}
          </Text>
        ) : null}
        <Marks conversation={conversation} entry={entry} />
      </Group>
      <Company conversationId={conversation.id} />
      <Group gap="xs">
        {mayRespond ? <Acts conversation={conversation} isSnoozed={entry?.snoozed_until != null} /> : null}
        <Suspense>
          <GoTo onJump={onJump} />
        </Suspense>
        <Tooltip label={`${t('inbox.details')} (Z)`}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('inbox.details')}
            aria-expanded={areDetailsShown}
            onClick={onDetails}
          >
            <InfoIcon />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

/** Marks how urgent a conversation is, and who has it. */
function Marks({ conversation, entry }: Pick<ThreadHeaderProps, 'conversation' | 'entry'>) {
  const { t, i18n } = useTranslation()
  const { agent_paused, ended_at } = conversation
  return (
    <>
      {entry?.priority === 'urgent' || entry?.priority === 'high' ? (
        <Mark tone={entry.priority === 'urgent' ? 'red' : 'amber'}>
          {t(`inbox.priorities.${entry.priority}`)}
        </Mark>
      ) : null}
      {entry?.snoozed_until ? (
        <Mark tone="grey">
          {t('inbox.snoozedUntil', { time: exactTime(entry.snoozed_until, i18n.language) })}
        </Mark>
      ) : null}
      {ended_at ? <Mark tone="grey">{t('inbox.hasEnded')}</Mark> : null}
      {agent_paused && !ended_at ? (
        <Mark tone="amber">
          {entry?.assignee ? t('inbox.isTakenOverBy', { name: entry.assignee.name }) : t('inbox.isTakenOver')}
        </Mark>
      ) : null}
    </>
  )
}

/** The buttons that change who answers, and whether the conversation is open. */
function Acts({ conversation, isSnoozed }: { conversation: Conversation; isSnoozed: boolean }) {
  const { t } = useTranslation()
  const { takeOver, handBack, end, reopen } = useConversationActions(conversation.id)
  const [isAsked, setAsked] = useState(false)
  if (conversation.ended_at)
    return (
      <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate()}>
        {t('inbox.reopen')}
      </Button>
    )
  return (
    <>
      {conversation.agent_paused ? (
        <Button variant="default" loading={handBack.isPending} onClick={() => handBack.mutate()}>
          {t('inbox.handBack')}
        </Button>
      ) : (
        <Button loading={takeOver.isPending} onClick={() => takeOver.mutate()}>
          {t('inbox.takeOver')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('inbox.snooze')}
      </Button>
      <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        {t('inbox.end')}
      </Button>
      {isAsked ? (
        <Suspense>
          <SnoozeConversation
            conversationId={conversation.id}
            isSnoozed={isSnoozed}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
