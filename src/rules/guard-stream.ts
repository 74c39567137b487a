import type { ModelPiece } from '../model/model.ts'
import type { RuledTurn } from './ruled-turn.ts'

/** Where a sentence ends: its mark with what closes it, and the blank behind; marks without blanks in CJK; line ends. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？]["”’」』）]*|\n+/g

/**
 * Lets a streamed response out a sentence at a time, each looked at before it leaves. What is blocked is never begun:
 * its reply takes the place of the sentence and of all that follows.
 */
export function guardStream(ruled: Pick<RuledTurn, 'guardPart' | 'holdsWhole'>) {
  let released = ''
  let held = ''
  let isBlocked = false

  /** What may leave of the text that is held; all of it at the end. */
  async function release(isEnd: boolean): Promise<string> {
    const whole = ruled.holdsWhole ? [] : sentenceEnds(held)
    const ends = isEnd && whole.at(-1) !== held.length ? [...whole, held.length] : whole
    let out = ''
    let from = 0
    for (const end of ends) {
      if (isBlocked || end === from) break
      out += await judge(held.slice(from, end))
      from = end
    }
    held = isBlocked ? '' : held.slice(from)
    return out
  }

  async function judge(part: string): Promise<string> {
    const judged = await ruled.guardPart(released, part)
    let text: string
    if ('reply' in judged) {
      isBlocked = true
      text = released === '' ? judged.reply : `\n\n${judged.reply}`
    } else {
      // A sentence that is replaced keeps the blank that stood behind it.
      text = judged.text === part ? part : judged.text + (/\s+$/.exec(part)?.[0] ?? '')
    }
    released += text
    return text
  }

  return {
    /** Whether the response was ended; nothing more of it leaves. */
    isBlocked: () => isBlocked,
    /** @returns the pieces that may leave now */
    async feed(pieces: ModelPiece[]): Promise<ModelPiece[]> {
      const out: ModelPiece[] = []
      for (const piece of pieces) {
        if (isBlocked) break
        const { content, ...delta } = piece.delta
        if (typeof content === 'string') held += content
        const text = await release(Boolean(piece.finish_reason))
        if (text !== '') out.push({ delta: { content: text }, finish_reason: null, usage: null })
        if (isBlocked) {
          out.push({ delta: {}, finish_reason: 'content_filter', usage: piece.usage })
          break
        }
        const isEmpty = Object.keys(delta).length === 0 && !piece.finish_reason && !piece.usage
        if (!isEmpty || typeof content !== 'string') out.push({ ...piece, delta })
      }
      return out
    },
  }
}

/** The same for a response in one piece. @returns what may be answered, and whether it was blocked */
export async function guardWhole(
  ruled: Pick<RuledTurn, 'guardPart' | 'holdsWhole'>,
  text: string,
): Promise<{ text: string; isBlocked: boolean }> {
  // The reply alone is answered: nothing has left yet.
  const whole = await ruled.guardPart('', text)
  if ('reply' in whole) return { text: whole.reply, isBlocked: true }
  if (whole.text === text || ruled.holdsWhole) return { text: whole.text, isBlocked: false }
  const guard = guardStream(ruled)
  const pieces = await guard.feed([
    { delta: { content: text }, finish_reason: null, usage: null },
    { delta: {}, finish_reason: 'stop', usage: null },
  ])
  return { text: pieces.map(({ delta }) => delta.content ?? '').join(''), isBlocked: guard.isBlocked() }
}

function sentenceEnds(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length)
}
