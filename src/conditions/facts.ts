import { detectLanguage } from '../language/detect-language.ts'
import { countCharacters } from '../lib/count-characters.ts'
import { type Hours, isOpen } from '../lib/hours/hours.ts'
import { type LocalTime, localTime } from '../lib/time-zone.ts'
import type { Facts, FactValue, Scalar } from './condition.ts'

/** The source of the facts. Values that are absent or null are missing. */
export interface FactSource {
  prompt: string
  response?: string | null
  answered?: boolean | null
  retrievalScore?: number | null
  finishReason?: string | null
  messageCount?: number | null
  pageUrl?: string | null
  channelId?: number | null
  platform?: string | null
  /** The conversation's tags. Tags that are objects are left out. */
  tags?: Readonly<Record<string, unknown>> | null
  userIsNew?: boolean | null
  startedBy?: string | null
  /** The time when the prompt arrived, in milliseconds since the epoch. */
  at: number
  /** The agent's time zone, which hours and weekdays are in. */
  timeZone: string
  /** The hours of the agent's people; null: they are there at any time. */
  hours: Hours | null
}

/** The facts of a prompt and its response. Language and local time are found only when a comparison needs them. */
export function factsOf(source: FactSource): Facts {
  let language: string | null | undefined
  let time: LocalTime | undefined
  const local = () => (time ??= localTime(source.at, source.timeZone))
  return {
    // Tags become fields too, and their names may be anything.
    __proto__: null,
    'prompt.text': source.prompt,
    'prompt.length': countCharacters(source.prompt),
    'response.text': source.response,
    answered: source.answered,
    'retrieval.score': source.retrievalScore,
    finish_reason: source.finishReason,
    message_count: source.messageCount,
    get language() {
      if (language === undefined) language = detectLanguage(source.prompt)
      return language
    },
    'page.url': source.pageUrl,
    'page.path': source.pageUrl ? pathOf(source.pageUrl) : null,
    channel: source.channelId,
    platform: source.platform,
    'user.is_new': source.userIsNew,
    started_by: source.startedBy,
    get hour() {
      return local().hour
    },
    get weekday() {
      return local().weekday
    },
    get within_hours() {
      return source.hours === null || isOpen(source.hours, source.at)
    },
    ...tagFacts(source.tags ?? {}),
  }
}

/** Adds facts, such as the results of evaluators. An added fact replaces one of the same name. */
export function withFacts(facts: Facts, added: Facts): Facts {
  // Uses the prototype: a copy would call every getter.
  const known: object = { __proto__: facts, ...added }
  return known as Facts
}

/** The facts that an evaluation adds. Both are missing when the evaluator failed or does not exist. */
export function evaluationFacts(
  id: number,
  result: { score: number | null; passed: boolean | null } | null,
): Facts {
  return {
    [`evaluator.${id}.score`]: result?.score ?? null,
    [`evaluator.${id}.passed`]: result?.passed ?? null,
  }
}

function pathOf(url: string): string | null {
  return URL.parse(url)?.pathname ?? (url.startsWith('/') ? (/^[^?#]*/.exec(url)?.[0] ?? null) : null)
}

function tagFacts(tags: Readonly<Record<string, unknown>>): Record<string, FactValue> {
  const facts: Record<string, FactValue> = {}
  for (const [name, value] of Object.entries(tags)) {
    if (isScalar(value)) facts[`tags.${name}`] = value
    else if (Array.isArray(value)) facts[`tags.${name}`] = value.filter(isScalar)
  }
  return facts
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
