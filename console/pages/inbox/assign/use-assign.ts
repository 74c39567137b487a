import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { BulkAction, Colleague } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { changeListed } from '../rows/use-inbox.ts'

/** A person or a group. */
export type Named = Pick<Colleague, 'id' | 'name'>

/** Whom a conversation is given to; null: nobody, or no group; absent: it stays as it is. */
export interface Assignment {
  assignee?: Named | null
  group?: Named | null
}

/** Returns an assignment as the service takes it. */
export function idsOf({ assignee, group }: Assignment): Omit<BulkAction & { type: 'assign' }, 'type'> {
  return {
    ...(assignee === undefined ? {} : { operator_id: assignee?.id ?? null }),
    ...(group === undefined ? {} : { group_id: group?.id ?? null }),
  }
}

/** Assigns a conversation to a person or a group of the team, or to nobody. */
export function useAssign(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useAction({
    run: (to: Assignment) => api.put(`/conversations/${conversationId}/assignee`, idsOf(to)),
    refresh: [key('conversation', conversationId)],
    done: t('inbox.assigned'),
    onDone: (_, to) => changeListed(conversationId, to),
  })
}
