import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import { firstWord } from '../transcripts/messages/present-to-visitors.ts'
import type { Subscription } from './listener.ts'
import { type UnplacedEvent, unplaced } from './unplaced.ts'

interface Dependencies {
  wakeUps: Pick<WakeUps, 'say' | 'hear'>
  clock: Clock
  publish: (event: UnplacedEvent) => void
}

/** Somebody who is writing in a conversation or looking at it. */
const companion = z.object({
  kind: z.enum(['operator', 'token', 'user']),
  /** The id; null for a conversation's end user. */
  id: z.int().nullable(),
  /** The name that the team sees; null for a token without a name. */
  name: z.string().nullable(),
  /** The name that end users see. */
  shownName: z.string().nullable(),
})
const signSchema = z.object({
  agentId: z.int(),
  conversationId: z.string(),
  type: z.enum(['typing', 'presence']),
  by: companion,
})
const shownSchema = z.object({ sign: signSchema, isOn: z.boolean() })

/** A sign that somebody is writing in a conversation or looking at it. */
type Sign = z.infer<typeof signSchema>

const TOPIC = 'live company'
/** The time after which a sign ends unless it is repeated: a client that is gone sends nothing. */
export const LASTS_MS = { typing: 8000, presence: 45_000 } as const
const SWEEP_MS = 1000

/** Tracks who is writing and who is looking, in all processes. Stores nothing. */
export function company({ wakeUps, clock, publish }: Dependencies) {
  const signs = new Map<string, Sign & { until: number }>()
  let unhear = () => {}
  let sweeping: NodeJS.Timeout | undefined

  function apply(sign: Sign, isOn: boolean): void {
    const key = `${sign.type} ${sign.conversationId} ${sign.by.kind} ${sign.by.id}`
    const isKnown = signs.has(key)
    if (isOn) signs.set(key, { ...sign, until: clock() + LASTS_MS[sign.type] })
    else signs.delete(key)
    if (isKnown !== isOn) publish(event(sign, isOn))
  }

  function sweep(): void {
    for (const sign of signs.values()) if (sign.until <= clock()) apply(sign, false)
  }

  function event(sign: Sign, isOn: boolean): UnplacedEvent {
    const { agentId, conversationId, type, by } = sign
    const event = unplaced(type, conversationId, clock())
    const { kind, id, name, shownName } = by
    const who = id === null ? { kind, name } : { kind, id, name }
    if (type === 'presence')
      return {
        agentId,
        conversationId,
        team: { ...event, present: isOn, by: who },
        site: null,
        visitor: null,
      }
    const shown = (name: string | null) => (kind === 'user' ? null : { ...event, typing: isOn, by: { name } })
    return {
      agentId,
      conversationId,
      team: { ...event, typing: isOn, by: who },
      site: shown(shownName),
      visitor: shown(kind === 'token' ? firstWord(shownName) : shownName),
    }
  }

  return {
    /** Shows or withdraws a sign, here and in the other processes. */
    show(sign: Sign, isOn: boolean): void {
      apply(sign, isOn)
      wakeUps.say(TOPIC, JSON.stringify({ sign, isOn }))
    },
    /** Returns the present signs, for a stream that begins. */
    present({ agentId, conversationId }: Subscription): UnplacedEvent[] {
      return [...signs.values()]
        .filter((sign) => sign.agentId === agentId)
        .filter((sign) => conversationId === null || sign.conversationId === conversationId)
        .map((sign) => event(sign, true))
    },
    /** Tells whether a person looks at a conversation. */
    isLooking(conversationId: string, operatorId: number): boolean {
      const sign = signs.get(`presence ${conversationId} operator ${operatorId}`)
      return sign !== undefined && sign.until > clock()
    },
    start(): void {
      unhear = wakeUps.hear(TOPIC, shownSchema, ({ sign, isOn }) => apply(sign, isOn))
      sweeping = setInterval(sweep, SWEEP_MS)
      sweeping.unref()
    },
    close(): void {
      unhear()
      clearInterval(sweeping)
    },
  }
}
