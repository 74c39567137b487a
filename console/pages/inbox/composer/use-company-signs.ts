import { useEffect, useRef } from 'react'
import { type OpenAgent, useAgent, useRight } from '../../../api/session.ts'

/** The time between two signs. The service shows a sign of typing for eight seconds and one of presence for 45. */
const TYPING_EVERY_MS = 5_000
const PRESENCE_EVERY_MS = 30_000
/** The time without any input after which a person no longer counts as looking. */
const IDLE_MS = 120_000

/** Tells colleagues that the signed-in person looks at a conversation, for as long as they do. */
export function usePresence(conversationId: string): void {
  const { api } = useAgent()
  const mayRespond = useRight('respond')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation stays the same
  useEffect(() => {
    if (!mayRespond) return
    const path = `/conversations/${conversationId}/presence` as const
    let touchedMs = Date.now()
    let isShown = false
    const tell = () => {
      const isHere = document.visibilityState === 'visible' && Date.now() - touchedMs < IDLE_MS
      if (isHere || isShown) quietly(api.post(path, { present: isHere }))
      isShown = isHere
    }
    const touch = () => {
      touchedMs = Date.now()
      if (!isShown) tell()
    }
    tell()
    const timer = setInterval(tell, PRESENCE_EVERY_MS)
    document.addEventListener('visibilitychange', tell)
    for (const type of ['pointermove', 'keydown'] as const) addEventListener(type, touch, { passive: true })
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tell)
      for (const type of ['pointermove', 'keydown'] as const) removeEventListener(type, touch)
      if (isShown) quietly(api.post(path, { present: false }))
    }
  }, [conversationId, mayRespond])
}

/** Tells the user and colleagues that the signed-in person is writing an answer. */
export function useTyping(conversationId: string): (isWriting: boolean) => void {
  const { api } = useAgent()
  const toldMs = useRef(0)
  return (isWriting) => {
    const isDue = isWriting ? Date.now() - toldMs.current > TYPING_EVERY_MS : toldMs.current !== 0
    if (!isDue) return
    toldMs.current = isWriting ? Date.now() : 0
    quietly(api.post(`/conversations/${conversationId}/typing`, { typing: isWriting }))
  }
}

/** Ignores failures, because a lost sign does no harm. */
function quietly(said: ReturnType<OpenAgent['api']['post']>): void {
  void said.catch(() => {})
}
