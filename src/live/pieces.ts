import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import type { Listeners } from './listeners.ts'
import { type Happening, unplaced } from './unplaced.ts'
import type { Elsewhere } from './watch-elsewhere.ts'

/** An answer that is being made. */
export interface AnswerUnderWay {
  agentId: number
  conversationId: string
  completionId: string
}

interface Dependencies {
  wakeUps: Pick<WakeUps, 'say' | 'hear'>
  clock: Clock
  listeners: Listeners
  elsewhere: Elsewhere
  tell: (happening: Happening) => void
}

interface Piece extends AnswerUnderWay {
  /** How many characters of the answer came before it. */
  offset: number
  content: string
}

const pieceSchema: z.ZodType<Piece> = z.object({
  agentId: z.int(),
  conversationId: z.string(),
  completionId: z.string(),
  offset: z.int(),
  content: z.string(),
})

const TOPIC = 'live pieces'
/** What is said in this time is told together. */
const GATHER_MS = 100
/** A piece has at most so many characters: in JSON within JSON each may take seven bytes. */
const LONGEST = 900

/** Tells those who watch what answers say while they are made. */
export function pieces({ wakeUps, clock, listeners, elsewhere, tell }: Dependencies) {
  const underWay = new Map<string, Piece>()
  let gathering: NodeJS.Timeout | undefined
  let unhear = () => {}

  function tellHere({ agentId, conversationId, completionId, offset, content }: Piece): void {
    if (!listeners.listensTo(agentId, conversationId)) return
    const event = unplaced('message_delta', conversationId, clock())
    const team = { ...event, completion_id: completionId, offset, content }
    tell({ agentId, conversationId, team, site: null, visitor: null })
  }

  function tellEverywhere(piece: Piece): void {
    for (let from = 0; from < piece.content.length; ) {
      const content = beginningOf(piece.content.slice(from))
      const part = { ...piece, offset: piece.offset + from, content }
      tellHere(part)
      if (elsewhere.countsOf(piece.agentId).all > 0) wakeUps.say(TOPIC, JSON.stringify(part))
      from += content.length
    }
  }

  function flush(): void {
    gathering = undefined
    for (const [id, piece] of underWay) {
      if (piece.content === '') continue
      underWay.set(id, { ...piece, offset: piece.offset + piece.content.length, content: '' })
      tellEverywhere(piece)
    }
  }

  return {
    /** Adds what an answer says next. */
    add(answer: AnswerUnderWay, content: string): void {
      const { agentId, conversationId, completionId } = answer
      const piece = underWay.get(completionId) ?? { ...answer, offset: 0, content: '' }
      const isWatched = listeners.listensTo(agentId, conversationId) || elsewhere.countsOf(agentId).all > 0
      underWay.set(
        completionId,
        isWatched
          ? { ...piece, content: piece.content + content }
          : { ...piece, offset: piece.offset + content.length },
      )
      if (isWatched) gathering ??= setTimeout(flush, GATHER_MS)
    },
    /** The answer is made: soon its message tells all of it. */
    end({ completionId }: AnswerUnderWay): void {
      const piece = underWay.get(completionId)
      underWay.delete(completionId)
      if (piece) tellEverywhere(piece)
    },
    start(): void {
      unhear = wakeUps.hear(TOPIC, pieceSchema, tellHere)
    },
    close(): void {
      unhear()
      clearTimeout(gathering)
    },
  }
}

/** As much of a text as one piece holds, and no half character. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST) return text
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(LONGEST - 1))
  return text.slice(0, isHalf ? LONGEST - 1 : LONGEST)
}
