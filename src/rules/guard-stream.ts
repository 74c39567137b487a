import type { ModelPiece } from '../model/model.ts'
import type { turnGuards } from './turn-guards.ts'

/** Where a sentence ends: its mark with what closes it, and the blank behind; marks without blanks in CJK; line ends. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？]["”’」』）]*|\n+/g

/** When a match stays open over more characters than this, the rest of the response is held: looking on would be slow. */
const LONGEST_OPEN = 16_384

type Guards = Pick<ReturnType<typeof turnGuards>, 'guardPart' | 'holdsWhole' | 'isOpen'>

/**
 * Lets a streamed response out a sentence at a time, each looked at before it leaves. Sentences that a match may join
 * wait for each other and are looked at together. What is blocked is never begun: its reply takes the place of the
 * sentence and of all that follows. Nothing that is not looked at leaves beside it:
 * of a model's thoughts and of what else servers add to their pieces, nothing does. Tool calls and citations wait for
 * the end, since the text behind them may still be blocked.
 */
export function guardStream(ruled: Guards) {
  /** What has left, as the model said it. */
  let passed = ''
  let hasBegun = false
  let held = ''
  /** How much of it is known to wait for what follows. */
  let examined = 0
  let holdsRest = ruled.holdsWhole
  /** Where a model says that it will not answer, that is looked at too. */
  let field: 'content' | 'refusal' = 'content'
  let isBlocked = false
  const atEnd: ModelPiece[] = []

  /** What may leave of the text that is held; all of it at the end. */
  async function release(isEnd: boolean): Promise<string> {
    const whole = holdsRest ? [] : closedEnds()
    const ends = isEnd && whole.at(-1) !== held.length ? [...whole, held.length] : whole
    let out = ''
    let from = 0
    for (const end of ends) {
      if (isBlocked || end === from) break
      out += await judge(held.slice(from, end))
      from = end
    }
    held = isBlocked ? '' : held.slice(from)
    examined = Math.max(0, examined - from)
    return out
  }

  /** Ends of sentences in the held text over which no match can reach. */
  function closedEnds(): number[] {
    const ends: number[] = []
    let from = 0
    for (const end of sentenceEnds(held, examined)) {
      if (holdsRest) break
      examined = end
      if (ruled.isOpen(held.slice(from, end))) {
        holdsRest ||= end - from > LONGEST_OPEN
        continue
      }
      ends.push(end)
      from = end
    }
    return ends
  }

  async function judge(part: string): Promise<string> {
    const judged = await ruled.guardPart(passed, part)
    const isFirst = !hasBegun
    hasBegun = true
    if ('reply' in judged) {
      isBlocked = true
      return isFirst ? judged.reply : `\n\n${judged.reply}`
    }
    if (judged.text === part) {
      passed += part
      return part
    }
    // A sentence that is replaced keeps the blank that stood behind it.
    return judged.text + part.slice(part.trimEnd().length)
  }

  return {
    /** Whether the response was ended; nothing more of it leaves. */
    isBlocked: () => isBlocked,
    /** @returns the pieces that may leave now */
    async feed(pieces: ModelPiece[]): Promise<ModelPiece[]> {
      const out: ModelPiece[] = []
      for (const piece of pieces) {
        if (isBlocked) break
        const { content, refusal, role, tool_calls } = piece.delta
        if (refusal) field = 'refusal'
        held += `${content ?? ''}${refusal ?? ''}`
        const text = await release(Boolean(piece.finish_reason))
        if (isBlocked) field = 'content'
        if (text !== '') out.push({ delta: { [field]: text }, finish_reason: null, usage: null })
        if (isBlocked) {
          out.push({ delta: {}, finish_reason: 'content_filter', usage: piece.usage })
          break
        }
        const begun = role ? { role } : {}
        const called = tool_calls ? { tool_calls } : {}
        if (piece.finish_reason) {
          out.push(...atEnd.splice(0), { ...piece, delta: { ...begun, ...called } })
          continue
        }
        const { citations: _, ...uncited } = piece
        if (role) out.push({ ...uncited, delta: begun })
        if (tool_calls || piece.citations || piece.usage) atEnd.push({ ...piece, delta: called })
      }
      return out
    },
  }
}

/** The same for a response in one piece. @returns what may be answered, and whether it was blocked */
export async function guardWhole(ruled: Guards, text: string): Promise<{ text: string; isBlocked: boolean }> {
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

/** Ends of sentences behind a place. */
function sentenceEnds(text: string, from: number): number[] {
  return [...text.slice(from).matchAll(SENTENCE_END)].map((match) => from + match.index + match[0].length)
}
