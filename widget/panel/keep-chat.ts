import type { KnownUser } from '../launcher/settings.ts'
import type { Chat } from './chat.ts'

/** Keeps the chat of the visitor who is there. @param changed called when the chat of another visitor has begun */
export function keepChat(
  first: KnownUser | null,
  open: (user: KnownUser | null) => Chat,
  changed: () => void,
) {
  let user = first
  let chat = begin()
  return { chat: () => chat, identify, logout: () => change(null, true) }

  function identify(next: KnownUser): void {
    if (user?.id !== next.id || user.hash !== next.hash) change(next, false)
  }

  function change(next: KnownUser | null, isForgotten: boolean): void {
    user = next
    chat.stop(isForgotten)
    chat = begin()
    changed()
  }

  function begin(): Chat {
    const next = open(user)
    void next.begin()
    return next
  }
}
