import type { ChatParts } from './chat-parts.ts'
import { type LiveEvent, Refusal } from './protocol.ts'

/**
 * Listens to one conversation at a time, and resumes where it was when the connection is back.
 * @param catchUp loads messages that may have been missed; true: changes of earlier ones may have been missed, too
 */
export function followConversation(
  { store, protocol, pauses, life, renew }: ChatParts,
  heard: (event: LiveEvent) => void,
  catchUp: (isReset: boolean) => Promise<void>,
) {
  let followed: string | null = null
  let listening = new AbortController()
  life.addEventListener('abort', stop)

  return { follow, stop }

  function follow(conversationId: string): void {
    if (conversationId === followed || life.aborted) return
    stop()
    followed = conversationId
    listening = new AbortController()
    void listen(conversationId, listening.signal)
  }

  function stop(): void {
    followed = null
    listening.abort()
  }

  async function listen(conversationId: string, signal: AbortSignal): Promise<void> {
    let place: string | null = null
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        for await (const { place: at, event } of protocol.live(conversationId, place, signal)) {
          if (tries > 0 || store.state.isOffline) back()
          tries = 0
          if (event) heard(event)
          const isReset: boolean = event?.type === 'reset'
          place = isReset ? null : (at ?? place)
          if (isReset || (event === null && place === null)) await catchUp(isReset)
        }
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof Refusal)) store.set({ isOffline: tries > 0 || !navigator.onLine })
        else if (error.code === 'conversation_not_found') return
        else if (error.status === 403) {
          if (!(await renew())) return
        } else await pauses.rest(error.retryMs ?? 0)
      }
      await pauses.backOff(tries)
    }
  }

  function back(): void {
    store.set({ isOffline: false })
    pauses.wake()
  }
}
