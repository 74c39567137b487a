import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent, useWho } from '../../api/session.ts'
import type { Conversation, InboxItem, Single } from '../../api/types.ts'
import { useAction } from '../../ui/use-action.ts'
import { ended, tookOver } from './act-signs.ts'
import { changeListed, findListed } from './rows/use-inbox.ts'

/** Takes a conversation over, hands it back to the agent, ends it, or opens it again. */
export function useConversationActions(conversationId: string) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { operator } = useWho()
  const queries = useQueryClient()
  const queryKey = key('conversation', conversationId)
  const act = (name: 'pause' | 'resume' | 'end' | 'reopen') => () =>
    api.post(`/conversations/${conversationId}/${name}`)
  /** Shows the conversation as an act has changed it, before it is read again. */
  const show = ({ data }: Single<Conversation>, more: Partial<InboxItem> = {}) => {
    queries.setQueryData(queryKey, data)
    changeListed(conversationId, { ...data, ...more })
  }
  return {
    takeOver: useAction({
      run: act('pause'),
      refresh: [queryKey],
      done: t('inbox.tookOver'),
      onDone: (answer) => {
        // The conversation may have been a colleague's already.
        const isTheirs = findListed(conversationId)?.agent_paused
        show(answer, isTheirs ? {} : { assignee: { id: operator.id, name: operator.name } })
        tookOver.emit(conversationId)
      },
    }),
    handBack: useAction({
      run: act('resume'),
      refresh: [queryKey],
      done: t('inbox.handedBack'),
      onDone: (answer) => show(answer),
    }),
    end: useAction({
      run: act('end'),
      refresh: [queryKey],
      done: t('inbox.wasEnded'),
      onDone: (answer) => {
        // The next conversation is found first, while this one is still in the list.
        ended.emit(conversationId)
        show(answer)
      },
    }),
    reopen: useAction({
      run: act('reopen'),
      refresh: [queryKey],
      done: t('inbox.wasReopened'),
      onDone: (answer) => show(answer),
    }),
  }
}
