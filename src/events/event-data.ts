import type { EventKey } from './keys.ts'

/** A rule, a call to action or an evaluator, as events name it. */
interface Named {
  id: number
  name: string
}

/** The evaluation that decided for a rule, if one did. */
interface DecidedBy {
  evaluator?: Named
  evaluation?: { score: number | null; passed: boolean | null }
}

/** A call to action as it was shown. */
interface Cta extends Named {
  content: string
}

interface Click {
  target: string
  cta?: Cta
}

/**
 * The data of each event besides its place and time. It holds no text written by people, except in the fields that
 * `event_data` of `src/redaction/text-kinds.ts` redacts.
 */
interface EventData {
  response_end: {
    /** The time from the prompt to the end of the response. */
    ms: number
    /** False when the agent knew no answer. */
    answered: boolean
  }
  response_like: { liked: boolean | null; was: boolean | null }
  response_flag: { flagged: boolean; was: boolean }
  response_feedback: { score: number | null }
  referral_click: Click
  cta_click: Click
  attribution_click: Click
  footer_click: Click
  cta_trigger: DecidedBy & { cta: Cta }
  guardrail_trigger: DecidedBy & { guardrail: Named & { on: 'prompt' | 'response'; action: string } }
  automation_trigger: DecidedBy & { automation: Named; status: string }
  automations_end: { automations: (Named & { status: string })[] }
  new_user: { user_id: string }
  new_device: { device_id: string }
  new_session: { session_id: string }
  error: ErrorData
}

/** The code and the reason of a failure. */
interface ErrorData {
  code: string
  reason?: string
  /** The HTTP status. */
  status?: number
  /** The delivery state of a message that a channel refused. */
  delivery?: string
  platform_code?: string
  channel_id?: number
  /** The kind of the piece of work that was parked: `POST /work/{kind}/retry` takes it. */
  work?: string
  automation?: Named
  evaluator?: Named
  evaluator_id?: number
}

type DataOf<Key extends EventKey> = Key extends 'response_end'
  ? // A response that was broken off is not counted.
    { data?: EventData[Key] }
  : Key extends keyof EventData
    ? { data: EventData[Key] }
    : { data?: never }

/** An event with the data that belongs to its key. */
export type EventWithData = { [Key in EventKey]: { key: Key } & DataOf<Key> }[EventKey]
