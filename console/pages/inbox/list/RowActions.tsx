import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Priority } from '../../../../src/transcripts/conversations/priority.ts'
import { useAgent } from '../../../api/session.ts'
import type { BulkAction } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { AssignDialog } from '../assign/AssignDialog.tsx'
import { type TagChange, TagDialog } from '../assign/TagDialog.tsx'
import { type Assignment, idsOf, useAssign } from '../assign/use-assign.ts'
import type { BulkTarget } from '../bulk/use-bulk.ts'
import { PriorityDialog } from '../priority/PriorityDialog.tsx'
import { usePriority } from '../priority/use-priority.ts'
import { findListed } from '../rows/use-inbox.ts'
import { SnoozeDialog } from '../snooze/lazy-dialog.ts'
import { useSnooze } from '../snooze/use-snooze.ts'

const MacroDialog = lazyPart(
  withTexts(() => import('../../macros/MacroDialog.tsx')),
  'MacroDialog',
  'in a notice',
)

/** The dialogs that a row or a selection can ask for. */
export type Asked = 'assign' | 'tag' | 'priority' | 'snooze' | 'macro'

interface RowActionsProps {
  /** The conversation to act on. */
  conversationId: string | null
  /** The selected conversations; if there are any, these are acted on. */
  selection: BulkTarget | null
  /** The number of selected conversations, if it is known. */
  count: number | undefined
  bulk: { mutate: (act: { target: BulkTarget; action: BulkAction }) => void }
  asked: Asked | null
  onAsked: () => void
}

/** The dialogs that act on a row, or on all selected ones. */
export function RowActions({ conversationId, selection, count, bulk, asked, onAsked }: RowActionsProps) {
  const { api, key } = useAgent()
  const { t } = useTranslation()
  const assigning = useAssign(conversationId ?? '')
  const tagging = useAction({
    run: (tags: TagChange) => api.patch(`/conversations/${conversationId}`, { tags }),
    refresh: [key('conversation', conversationId ?? '')],
    done: t('common.saved'),
  })
  const prioritizing = usePriority(conversationId ?? '')
  const snoozing = useSnooze(conversationId ?? '')
  const act = (action: BulkAction, onRow: () => void) =>
    selection ? bulk.mutate({ target: selection, action }) : onRow()
  const assign = (to: Assignment) => act({ type: 'assign', ...idsOf(to) }, () => assigning.mutate(to))
  const tag = (tags: TagChange) => act({ type: 'tag', tags }, () => tagging.mutate(tags))
  const prioritize = (priority: Priority) =>
    act({ type: 'priority', priority }, () => prioritizing.mutate(priority))
  const snooze = (until: string | null) => act({ type: 'snooze', until }, () => snoozing.mutate(until))
  return (
    <>
      {asked === 'assign' ? <AssignDialog count={count} onAssign={assign} onClose={onAsked} /> : null}
      {asked === 'tag' ? <TagDialog count={count} onTag={tag} onClose={onAsked} /> : null}
      {asked === 'priority' ? <PriorityDialog onChoose={prioritize} onClose={onAsked} /> : null}
      {asked === 'macro' ? (
        <Suspense>
          <MacroDialog
            conversationId={selection ? null : conversationId}
            count={count}
            onMany={(macro_id) =>
              selection && bulk.mutate({ target: selection, action: { type: 'macro', macro_id } })
            }
            onClose={onAsked}
          />
        </Suspense>
      ) : null}
      {asked === 'snooze' ? (
        <Suspense>
          <SnoozeDialog
            count={count}
            isSnoozed={selection === null && findListed(conversationId ?? '')?.snoozed_until != null}
            onSnooze={snooze}
            onClose={onAsked}
          />
        </Suspense>
      ) : null}
    </>
  )
}
