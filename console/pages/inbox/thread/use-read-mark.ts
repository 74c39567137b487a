import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAgent, useRight } from '../../../api/session.ts'

/** Tells the service which message the signed-in person has seen, once for each message. */
export function useReadMark(conversationId: string, messageId: number | null): void {
  const { id, api, key } = useAgent()
  const queries = useQueryClient()
  const mayRespond = useRight('respond')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each message, of whatever agent
  useEffect(() => {
    if (messageId === null || !mayRespond) return
    const mark = () => {
      if (document.visibilityState === 'hidden') return
      void api
        .put(`/conversations/${conversationId}/read`, { message_id: messageId })
        .then(() => queries.invalidateQueries({ queryKey: key('inbox') }))
        // A failure is not shown: the mark is set with the next message.
        .catch(() => {})
      document.removeEventListener('visibilitychange', mark)
    }
    if (document.visibilityState === 'hidden') document.addEventListener('visibilitychange', mark)
    else mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [id, conversationId, messageId])
}
