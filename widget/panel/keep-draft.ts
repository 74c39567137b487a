import type { Storage } from '../launcher/storage.ts'
import type { Chat } from './chat.ts'

const PAUSE_MS = 200

/** Keeps the text that the visitor has not sent yet, and tells people of a visitor who types. */
export function keepDraft(
  input: HTMLTextAreaElement,
  storage: Storage,
  chat: () => Chat,
  life: AbortController,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  input.addEventListener('input', typed, life)
  addEventListener('pagehide', keep, life)
  return { keep, drop: () => clearTimeout(timer) }

  function typed(): void {
    chat().typing()
    clearTimeout(timer)
    timer = setTimeout(keep, PAUSE_MS)
  }

  function keep(): void {
    if (input.value !== (storage.read().draft ?? '')) chat().keepDraft(input.value)
  }
}
