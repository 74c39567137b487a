import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { BulkAction, Conversation } from '../../../api/types.ts'
import { useActions } from '../../../shell/page-actions.ts'
import { useAction } from '../../../ui/use-action.ts'
import { AssignDialog } from '../assign/AssignDialog.tsx'
import { type TagChange, TagDialog } from '../assign/TagDialog.tsx'
import { type Assignee, useAssign } from '../assign/use-assign.ts'
import type { BulkTarget } from '../bulk/use-bulk.tsx'
import { useConversationActions } from '../use-conversation-actions.ts'
import { useListed } from './use-listed.ts'

interface RowActionsProps {
  /** The conversation that keys act on. */
  conversationId: string | null
  /** The selected conversations; if there are any, keys act on these. */
  selection: BulkTarget | null
  /** The number of selected conversations, if it is known. */
  count: number | undefined
  bulk: { mutate: (act: { target: BulkTarget; action: BulkAction }) => void }
  asked: 'assign' | 'tag' | null
  onAsked: () => void
  /** Called before a conversation is ended after which the next one opens, whatever the setting. */
  onEndAndNext: () => void
}

/** The keys and dialogs that act on a row, or on all selected ones. */
export function RowActions(props: RowActionsProps) {
  const { conversationId, selection, count, bulk, asked, onAsked } = props
  const { api, key } = useAgent()
  const { t } = useTranslation()
  const assigning = useAssign(conversationId ?? '')
  const tagging = useAction({
    run: (tags: TagChange) => api.patch(`/conversations/${conversationId}`, { tags }),
    refresh: [key('conversation', conversationId ?? '')],
    done: t('common.saved'),
  })
  const assign = (to: Assignee | null) =>
    selection
      ? bulk.mutate({ target: selection, action: { type: 'assign', operator_id: to?.id ?? null } })
      : assigning.mutate(to)
  const tag = (tags: TagChange) =>
    selection ? bulk.mutate({ target: selection, action: { type: 'tag', tags } }) : tagging.mutate(tags)
  return (
    <>
      {conversationId !== null && selection === null ? (
        <OneRow key={conversationId} conversationId={conversationId} onEndAndNext={props.onEndAndNext} />
      ) : null}
      {asked === 'assign' ? <AssignDialog count={count} onAssign={assign} onClose={onAsked} /> : null}
      {asked === 'tag' ? <TagDialog count={count} onTag={tag} onClose={onAsked} /> : null}
    </>
  )
}

function OneRow({ conversationId, onEndAndNext }: { conversationId: string; onEndAndNext: () => void }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const listed = useListed(conversationId)
  // The open conversation may be in no list that was read, but its own page has read it.
  const opened = useQuery<Conversation>({ queryKey: key('conversation', conversationId), enabled: false })
  const row = listed ?? opened.data
  const { takeOver, handBack, end, reopen } = useConversationActions(conversationId)
  const isOpen = row !== undefined && row.ended_at === null
  useActions(
    isOpen
      ? [
          { id: 'end', label: t('inbox.endIt'), key: 'e', run: () => end.mutate() },
          {
            id: 'end and next',
            label: t('inbox.endAndNext'),
            key: 'E',
            run: () => {
              onEndAndNext()
              end.mutate()
            },
          },
          row.agent_paused
            ? { id: 'hand back', label: t('inbox.handBack'), key: 'b', run: () => handBack.mutate() }
            : { id: 'take over', label: t('inbox.takeOver'), key: 'o', run: () => takeOver.mutate() },
        ]
      : row
        ? [{ id: 'reopen', label: t('inbox.reopenIt'), key: 'e', run: () => reopen.mutate() }]
        : [],
  )
  return null
}
