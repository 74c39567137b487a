import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/client.ts'
import { useAgent, useRight } from '../../api/session.ts'
import type { Conversation } from '../../api/types.ts'
import { withDeskTexts } from '../../texts/index.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useActions } from '../../ui/page-actions.ts'
import { Composer } from './composer/Composer.tsx'
import { usePresence } from './composer/use-company-signs.ts'
import { useDetailsShown } from './details/use-details-shown.ts'
import { Thread } from './thread/Thread.tsx'
import { ThreadHeader } from './thread/ThreadHeader.tsx'
import { hasPersonAnswered, lastMessageId } from './thread/timeline.ts'
import { useTimeline } from './thread/use-timeline.ts'

const HandoffSummary = lazyPart(
  withDeskTexts(() => import('./thread/HandoffSummary.tsx')),
  'HandoffSummary',
)
const NotShown = lazyPart(
  withDeskTexts(() => import('./NotShown.tsx')),
  'NotShown',
)
const Details = lazyPart(
  withDeskTexts(() => import('./details/Details.tsx')),
  'Details',
)

/** The page of one conversation: its thread, the composer, and its details. */
export function ConversationPage() {
  const { api, key } = useAgent()
  const { conversationId = '' } = useParams({ strict: false })
  const conversation = useQuery({
    queryKey: key('conversation', conversationId),
    queryFn: async () => (await api.get(`/conversations/${conversationId}`)).data,
  })
  const { error } = conversation
  if (error instanceof Refusal && error.code === 'conversation_not_found')
    return (
      <Suspense>
        <NotShown />
      </Suspense>
    )
  return (
    <Loaded query={conversation}>
      {(read) => <OpenConversation key={conversationId} conversation={read} />}
    </Loaded>
  )
}

function OpenConversation({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { id } = conversation
  const mayRespond = useRight('respond')
  const details = useDetailsShown()
  const timeline = useTimeline(id)
  const [openedMs] = useState(Date.now)
  const [readUntil, setReadUntil] = useState<number | null | undefined>(undefined)
  const entry = useQuery({
    queryKey: key('conversation', id, 'entry'),
    queryFn: async () => (await api.get(`/inbox/${id}`)).data,
    refetchOnMount: 'always',
  })
  // The mark of what had been read stays as it was when the conversation was opened.
  const isFresh = entry.data !== undefined && entry.dataUpdatedAt >= openedMs
  if (readUntil === undefined && isFresh) setReadUntil(entry.data.read_until)
  // The newest prompt has the page that the user is on.
  const completions = useQuery({
    queryKey: key('conversation', id, 'latest'),
    queryFn: async () => {
      const query = { conversation_id: id, per_page: 1 }
      return (await api.get('/chat/completions', query)).data
    },
  })
  usePresence(id)
  useActions([{ id: 'details', label: t('inbox.details'), key: 'z', run: details.toggle }])
  return (
    <div className="conversation" data-details={details.isShown || undefined}>
      <div className="conversation-thread">
        <ThreadHeader
          conversation={conversation}
          entry={entry.data ?? null}
          areDetailsShown={details.isShown}
          onDetails={details.toggle}
          onJump={timeline.jump}
        />
        {conversation.agent_paused || entry.data?.waiting_since ? (
          <Suspense>
            <HandoffSummary conversationId={id} />
          </Suspense>
        ) : null}
        <Thread
          conversationId={id}
          timeline={timeline}
          entry={isFresh ? entry.data : null}
          readUntil={readUntil ?? null}
        />
        {mayRespond ? (
          <Composer
            conversation={conversation}
            lastMessageId={lastMessageId(timeline.stretch?.lines ?? [])}
            replyUntil={entry.data?.reply_until ?? null}
            channel={entry.data?.channel ?? null}
          />
        ) : null}
      </div>
      {details.isShown ? (
        <Box component="aside" className="conversation-details" aria-label={t('inbox.details')} tabIndex={0}>
          <Suspense>
            <Details
              conversation={conversation}
              entry={entry.data ?? null}
              latest={completions.data?.[0] ?? null}
              isAnswered={hasPersonAnswered(timeline.stretch?.lines ?? [])}
              onClose={details.toggle}
            />
          </Suspense>
        </Box>
      ) : null}
    </div>
  )
}
