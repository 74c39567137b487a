import { useTranslation } from 'react-i18next'
import type { Priority } from '../../../../src/transcripts/conversations/priority.ts'
import { useAgent } from '../../../api/session.ts'
import { useAction } from '../../../ui/use-action.ts'
import { changeListed } from '../rows/use-inbox.ts'

/** Sets the priority of a conversation. */
export function usePriority(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useAction({
    run: (priority: Priority) => api.put(`/conversations/${conversationId}/priority`, { priority }),
    refresh: [key('conversation', conversationId)],
    done: t('common.saved'),
    onDone: (_, priority) => changeListed(conversationId, { priority }),
  })
}
