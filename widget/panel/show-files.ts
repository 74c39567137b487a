import type { Message, Protocol } from './protocol.ts'

/** The time after which the browser has saved a file. */
const SAVED_MS = 60_000

/** Adds a button to a message's bubble for each of its files, which saves the file. Loaded when a message has files. */
export function show(
  bubble: HTMLElement,
  { conversation_id, attachments }: Message,
  call: Protocol['call'],
  attempt: (act: () => Promise<void>) => unknown,
): void {
  for (const { id, name, kind, state } of attachments ?? []) {
    if (state !== 'stored') continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button quiet'
    const shown = document.createElement('bdi')
    shown.textContent = name ?? kind
    button.append(shown)
    button.onclick = () =>
      attempt(async () => {
        const response = await call(`/conversations/${conversation_id}/attachments/${id}`)
        const link = document.createElement('a')
        link.href = URL.createObjectURL(await response.blob())
        link.download = name ?? kind
        link.click()
        setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS)
      })
    bubble.append(button)
  }
}
