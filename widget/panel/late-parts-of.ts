import type { Chat } from './chat.ts'
import type { LateParts } from './LateParts.tsx'
import type { Texts } from './texts.ts'

/** Texts, with the parts in their language; null while these load. */
interface TextsOfParts extends Texts {
  late?: LateParts | null
}

/** The parts that were loaded last, which stay until those in another language are there. */
let latest: LateParts | undefined

/** Returns the parts that come late in a conversation, if at all; nothing until they have loaded, which draws the chat. */
export function latePartsOf(chat: Chat, texts: TextsOfParts): LateParts | undefined {
  if (texts.late === undefined) {
    texts.late = null
    void load(chat, texts)
  }
  return texts.late ?? latest
}

async function load(chat: Chat, texts: TextsOfParts): Promise<void> {
  try {
    const { loadLateParts } = await import('./LateParts.tsx')
    latest = texts.late = await loadLateParts(texts)
    chat.set({})
  } catch {
    // The next drawing tries again.
    delete texts.late
  }
}
