import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import type { Listeners } from './listeners.ts'
import { type UnplacedEvent, unplaced } from './unplaced.ts'
import type { Elsewhere } from './watch-elsewhere.ts'

/** An answer that is being made. */
interface AnswerUnderWay {
  agentId: number
  conversationId: string
  completionId: string
}

interface Dependencies {
  wakeUps: Pick<WakeUps, 'say' | 'hear'>
  clock: Clock
  listeners: Listeners
  elsewhere: Elsewhere
  publish: (event: UnplacedEvent) => void
}

interface Piece extends AnswerUnderWay {
  /** The number of characters of the answer before this piece. */
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

const wishSchema = z.object({ agentId: z.int(), conversationId: z.string() })

/** A conversation whose unfinished answers somebody wants to read from their beginning. */
type Wish = z.output<typeof wishSchema>

/** An unfinished answer, and the length of the part already sent. */
interface StreamedAnswer extends AnswerUnderWay {
  text: string
  sent: number
}

const TOPIC = 'live pieces'
const WISHES = 'live pieces wanted'
/** The time for which text is gathered to be sent together. */
const GATHER_MS = 100
/** The most characters in a piece: in JSON within JSON each may take seven bytes. */
const LONGEST = 900

/** Sends the text of unfinished answers to those who watch. */
export function pieces({ wakeUps, clock, listeners, elsewhere, publish }: Dependencies) {
  const underWay = new Map<string, StreamedAnswer>()
  let gathering: NodeJS.Timeout | undefined
  let unhear: (() => void)[] = []

  function isWatched({ agentId, conversationId }: Wish): boolean {
    return listeners.listensTo(agentId, conversationId) || elsewhere.countsOf(agentId).all > 0
  }

  function sendHere({ agentId, conversationId, completionId, offset, content }: Piece): void {
    if (!listeners.listensTo(agentId, conversationId)) return
    const event = unplaced('message_delta', conversationId, clock())
    const team = { ...event, completion_id: completionId, offset, content }
    publish({ agentId, conversationId, team, site: null, visitor: null })
  }

  function sendRest(answer: StreamedAnswer): void {
    const { agentId, conversationId, completionId, text } = answer
    while (answer.sent < text.length) {
      const content = beginningOf(text.slice(answer.sent))
      const piece = { agentId, conversationId, completionId, offset: answer.sent, content }
      answer.sent += content.length
      sendHere(piece)
      if (elsewhere.countsOf(agentId).all > 0) wakeUps.say(TOPIC, JSON.stringify(piece))
    }
  }

  function flush(): void {
    gathering = undefined
    for (const answer of underWay.values()) sendRest(answer)
  }

  function sendAgainHere({ agentId, conversationId }: Wish): void {
    for (const answer of underWay.values()) {
      if (answer.agentId !== agentId || answer.conversationId !== conversationId) continue
      answer.sent = 0
      gathering ??= setTimeout(flush, GATHER_MS)
    }
  }

  return {
    /** Adds the next text of an answer. */
    add(answer: AnswerUnderWay, content: string): void {
      const { completionId } = answer
      const said = underWay.get(completionId) ?? { ...answer, text: '', sent: 0 }
      said.text += content
      underWay.set(completionId, said)
      if (isWatched(said)) gathering ??= setTimeout(flush, GATHER_MS)
      else said.sent = said.text.length
    },
    /**
     * Sends the unfinished answers of a conversation again from their beginning, in whichever process they are made.
     */
    sendAgain(wish: Wish): void {
      sendAgainHere(wish)
      wakeUps.say(WISHES, JSON.stringify(wish))
    },
    /** Ends an answer: its message soon brings the whole text. */
    end({ completionId }: AnswerUnderWay): void {
      const answer = underWay.get(completionId)
      underWay.delete(completionId)
      if (answer && isWatched(answer)) sendRest(answer)
    },
    start(): void {
      unhear = [wakeUps.hear(TOPIC, pieceSchema, sendHere), wakeUps.hear(WISHES, wishSchema, sendAgainHere)]
    },
    close(): void {
      for (const end of unhear) end()
      clearTimeout(gathering)
    },
  }
}

/** Returns as much of a text as one piece holds, without half a character. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST) return text
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(LONGEST - 1))
  return text.slice(0, isHalf ? LONGEST - 1 : LONGEST)
}
