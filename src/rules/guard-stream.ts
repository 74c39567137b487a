import type { ModelPiece } from '../model/model.ts'
import type { turnGuards } from './turn-guards.ts'

/**
 * The end of a sentence: its mark, closing quotes and brackets, and white space (CJK marks need none); or a line break.
 */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？]["”’」』）]*|\n+/g

/**
 * The most characters over which a match may stay open. Beyond it, checks are slow: the rest of the response is held.
 */
const LONGEST_OPEN = 16_384

type Guards = Pick<ReturnType<typeof turnGuards>, 'guardPart' | 'holdsWhole' | 'isOpen'>

/**
 * Sends a streamed response sentence by sentence, after guardrails have checked each. Sentences that one match could
 * span are held and checked together. When a sentence is blocked, none of it is sent: the guardrail's reply takes its
 * place and ends the response.
 *
 * Only what was checked is sent, so thoughts of the model and other fields that servers add are left out. Tool calls
 * and citations wait for the end, because text after them may still be blocked.
 */
export function guardStream(guards: Guards) {
  /** The text that was sent, in the model's own words. */
  let passed = ''
  let hasBegun = false
  let held = ''
  /** The length of the beginning of `held` that is known to be open, so that it waits for what follows. */
  let examined = 0
  let holdsRest = guards.holdsWhole
  /** A refusal of the model is checked too. */
  let field: 'content' | 'refusal' = 'content'
  let isBlocked = false
  const atEnd: ModelPiece[] = []

  /** Checks the held text and returns what may be sent of it now. At the end that is all of it. */
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

  /** Finds the ends of sentences in the held text that no match can span. */
  function closedEnds(): number[] {
    const ends: number[] = []
    let from = 0
    for (const end of sentenceEnds(held, examined)) {
      if (holdsRest) break
      examined = end
      if (guards.isOpen(held.slice(from, end))) {
        holdsRest ||= end - from > LONGEST_OPEN
        continue
      }
      ends.push(end)
      from = end
    }
    return ends
  }

  async function judge(part: string): Promise<string> {
    const judged = await guards.guardPart(passed, part)
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
    // A replacement keeps the white space that followed the sentence.
    return judged.text + part.slice(part.trimEnd().length)
  }

  return {
    /** Tells whether a guardrail has ended the response. Nothing more of it is sent. */
    isBlocked: () => isBlocked,
    /** Adds pieces from the model. @returns the pieces that may be sent now */
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

/** Checks a response in one piece as `guardStream` does. @returns the text to answer, and whether it was blocked */
export async function guardWhole(
  guards: Guards,
  text: string,
): Promise<{ text: string; isBlocked: boolean }> {
  // The whole is checked first: if it is blocked, only the reply is answered.
  const whole = await guards.guardPart('', text)
  if ('reply' in whole) return { text: whole.reply, isBlocked: true }
  if (whole.text === text || guards.holdsWhole) return { text: whole.text, isBlocked: false }
  const guard = guardStream(guards)
  const pieces = await guard.feed([
    { delta: { content: text }, finish_reason: null, usage: null },
    { delta: {}, finish_reason: 'stop', usage: null },
  ])
  return { text: pieces.map(({ delta }) => delta.content ?? '').join(''), isBlocked: guard.isBlocked() }
}

/** Finds the ends of sentences after a position. */
function sentenceEnds(text: string, from: number): number[] {
  return [...text.slice(from).matchAll(SENTENCE_END)].map((match) => from + match.index + match[0].length)
}
