import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Conversation, InboxEntry } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { ChatIcon, NoteIcon } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useActions } from '../../../ui/page-actions.ts'
import { hasTemplates } from '../../channels/has-templates.ts'
import { tookOver } from '../act-signs.ts'
import { useFiles } from '../files/use-files.ts'
import { useConversationActions } from '../use-conversation-actions.ts'
import { useIsClosed } from './ReplyWindow.tsx'
import type { Mode } from './use-draft.ts'
import { Writing } from './Writing.tsx'

const TemplateReply = lazyPart(
  withTexts(() => import('../write-first/TemplateReply.tsx')),
  'TemplateReply',
)

interface ComposerProps {
  conversation: Conversation
  /** The id of the newest message of the thread. */
  lastMessageId: number | null
  /** The time until which the platform delivers answers; null for no limit. */
  replyUntil: string | null
  channel: InboxEntry['channel']
}

/** The place where a person writes to the end user or a note to colleagues. The two look different and never mix. */
export function Composer({ conversation, lastMessageId, replyUntil, channel }: ComposerProps) {
  const { t } = useTranslation()
  const [mode, setMode] = useState<Mode>('reply')
  const [isTemplate, setTemplate] = useState(false)
  const [isAnswerWanted, wantAnswer] = useState(false)
  const composer = useRef<HTMLElement>(null)
  const { agent_paused, ended_at } = conversation
  const isLocked = mode === 'reply' && !agent_paused && ended_at === null
  const begin = (next: Mode) => {
    setMode(next)
    // React renders the other mode's field before the next frame.
    requestAnimationFrame(() =>
      composer.current?.querySelector<HTMLElement>('textarea, select, .locked button')?.focus(),
    )
  }
  const { id } = conversation
  // Chosen files stay chosen while the person writes a note.
  const files = useFiles(`/conversations/${id}`)
  useEffect(() => tookOver.listen((taken) => wantAnswer((isWanted) => isWanted || taken === id)), [id])
  // A person who takes a conversation over wants to write in it: the field appears once the takeover is known here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each takeover
  useEffect(() => {
    if (!isAnswerWanted || !agent_paused) return
    wantAnswer(false)
    begin('reply')
  }, [isAnswerWanted, agent_paused])
  const isClosed = useIsClosed(mode === 'reply' ? replyUntil : null)
  const templatesOf = isClosed && channel && hasTemplates(channel.kind) ? channel.id : null
  useActions([
    { id: 'reply', label: t('inbox.writing.reply'), key: 'r', run: () => begin('reply') },
    { id: 'note', label: t('inbox.writing.note'), key: 'n', run: () => begin('note') },
  ])
  return (
    <section className="composer" data-mode={mode} aria-label={t('inbox.composer')} ref={composer}>
      <Stack gap="xs">
        <SegmentedControl
          aria-label={t('inbox.composer')}
          w="fit-content"
          value={mode}
          onChange={(value) => setMode(value as Mode)}
          data={(['reply', 'note'] as const).map((value) => ({ value, label: <ModeName mode={value} /> }))}
        />
        {isLocked ? (
          <Locked conversationId={conversation.id} />
        ) : templatesOf !== null && isTemplate ? (
          <Suspense>
            <TemplateReply conversationId={id} channelId={templatesOf} onText={() => setTemplate(false)} />
          </Suspense>
        ) : (
          <Writing
            key={mode}
            mode={mode}
            conversation={conversation}
            lastMessageId={lastMessageId}
            replyUntil={replyUntil}
            isClosed={isClosed}
            hasTemplates={templatesOf !== null}
            files={mode === 'reply' ? files : null}
          />
        )}
        {templatesOf === null || isLocked || isTemplate ? null : (
          <Button variant="default" w="fit-content" onClick={() => setTemplate(true)}>
            {t('inbox.useTemplate')}
          </Button>
        )}
      </Stack>
    </section>
  )
}

function ModeName({ mode }: { mode: Mode }) {
  const { t } = useTranslation()
  const Drawn = mode === 'note' ? NoteIcon : ChatIcon
  return (
    <span className="mode-name">
      <Drawn size={16} />
      <span>{t(`inbox.modes.${mode}`)}</span>
    </span>
  )
}

/** The composer while the agent answers. A person takes the conversation over first, so no user is answered twice. */
function Locked({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation()
  const { name } = useAgent()
  const { takeOver } = useConversationActions(conversationId)
  return (
    <Group gap="sm" className="locked">
      <Text>{t('inbox.agentOwns', { name })}</Text>
      <Button variant="default" loading={takeOver.isPending} onClick={() => takeOver.mutate()}>
        {t('inbox.takeOverToAnswer')}
      </Button>
    </Group>
  )
}
