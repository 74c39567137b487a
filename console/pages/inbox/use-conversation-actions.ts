import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { useAction } from '../../ui/use-action.ts'
import { tellEnded } from './after-end.ts'
import { changeListed } from './list/use-inbox.ts'

/** Takes a conversation over, hands it back to the agent, or ends it. */
export function useConversationActions(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const refresh = [key('conversation', conversationId)]
  const path = `/conversations/${conversationId}`
  return {
    takeOver: useAction({ run: () => api.post(`${path}/pause`), refresh, done: t('inbox.tookOver') }),
    handBack: useAction({ run: () => api.post(`${path}/resume`), refresh, done: t('inbox.handedBack') }),
    end: useAction({
      run: () => api.post(`${path}/end`),
      refresh,
      done: t('inbox.wasEnded'),
      onDone: () => {
        // First the way to the next one, while it still stands behind this one.
        tellEnded(conversationId)
        changeListed(conversationId, { ended_at: new Date().toISOString() })
      },
    }),
  }
}
