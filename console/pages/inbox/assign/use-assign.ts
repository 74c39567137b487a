import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Colleague } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { changeListed } from '../rows/use-inbox.ts'

export type Assignee = Pick<Colleague, 'id' | 'name'>

/** Assigns a conversation to a person of the team, or to nobody. */
export function useAssign(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useAction({
    run: (to: Assignee | null) =>
      api.put(`/conversations/${conversationId}/assignee`, { operator_id: to?.id ?? null }),
    refresh: [key('conversation', conversationId)],
    done: t('inbox.assigned'),
    onDone: (_, assignee) => changeListed(conversationId, { assignee }),
  })
}
