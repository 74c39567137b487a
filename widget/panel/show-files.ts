import type { Attachment } from '../attachment.ts'
import { canvasOf } from './draw-picture.ts'
import { loadFileTexts } from './file-texts.ts'
import type { Message, Protocol } from './protocol.ts'

/** The time after which the browser has saved a file. */
const SAVED_MS = 60_000
/** Matches the text of a message that only says which kinds of files it has. */
const ONLY_FILES = /^(\[(image|voice|video|file|sticker)\] ?)+$/i

/**
 * Adds a row of buttons to a message's bubble, one for each of its files, which saves the file, and a line for each that
 * was deleted. Loaded when a message has files.
 */
export function show(
  bubble: HTMLElement,
  { conversation_id, attachments }: Pick<Message, 'conversation_id' | 'attachments'>,
  call: Protocol['call'],
  attempt: (act: () => Promise<void>) => unknown,
): void {
  const files = attachments?.filter(({ state }) => state === 'stored') ?? []
  const deleted = attachments?.filter(({ state }) => state === 'deleted') ?? []
  if (files.length + deleted.length === 0) return
  const text = bubble.querySelector('p')
  if (text && ONLY_FILES.test(text.textContent)) text.hidden = true
  if (deleted.length > 0) tellOf(deleted.length, bubble).catch(() => {})
  if (files.length === 0) return
  const row = document.createElement('div')
  row.className = 'buttons'
  row.style.cssText = 'align-items:center;margin-block:4px'
  bubble.append(row)
  for (const file of files) {
    const { name, kind } = file
    const path = `/conversations/${conversation_id}/attachments/${file.id}`
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button quiet'
    const shown = document.createElement('bdi')
    shown.textContent = name ?? kind
    button.append(shown)
    row.append(button)
    // A message that is under way has no conversation yet.
    if (conversation_id === '') continue
    button.onclick = () => attempt(async () => save(file, await blobAt(path)))
    if (kind === 'image')
      blobAt(`${path}?preview=true`).then(
        (blob) => drawIn(button, shown, blob),
        () => {},
      )
  }

  async function blobAt(path: string): Promise<Blob> {
    return (await call(path)).blob()
  }
}

/** Says of each deleted file in a bubble what became of it. */
async function tellOf(count: number, bubble: HTMLElement): Promise<void> {
  const { deleted } = await loadFileTexts(bubble.closest<HTMLElement>('[lang]')?.lang ?? 'en')
  const lines = Array.from({ length: count }, () => {
    const line = document.createElement('p')
    line.dir = 'auto'
    line.style.fontStyle = 'italic'
    line.textContent = deleted
    return line
  })
  bubble.append(...lines)
}

function save({ name, kind }: Attachment, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name ?? kind
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS)
}

/** Draws a picture in its button, whose name stays for screen readers. */
async function drawIn(button: HTMLElement, name: HTMLElement, blob: Blob): Promise<void> {
  const canvas = await canvasOf(blob)
  canvas.style.cssText =
    'display:block;width:auto;height:auto;max-width:100%;max-height:240px;object-fit:cover;border-radius:8px'
  button.style.padding = '0'
  button.style.borderColor = 'transparent'
  button.title = name.textContent
  name.className = 'hidden'
  button.append(canvas)
}
