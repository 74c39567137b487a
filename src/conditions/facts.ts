import { countCharacters } from '../lib/count-characters.ts'
import { detectLanguage } from '../lib/detect-language.ts'
import { localTime } from '../lib/time-zone.ts'
import type { Facts, FactValue, Scalar } from './condition.ts'

/** What facts are made of; what is absent or null is missing. */
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
  /** The conversation's tags; those that are objects are left out. */
  tags?: Readonly<Record<string, unknown>> | null
  userIsNew?: boolean | null
  startedBy?: string | null
  /** When the prompt came, in milliseconds since the epoch. */
  at: number
  /** The agent's, in which hours and days are told. */
  timeZone: string
}

/** The facts of a prompt and its response. The language is detected when it is asked for. */
export function factsOf(source: FactSource): Facts {
  let language: string | null | undefined
  const { hour, weekday } = localTime(source.at, source.timeZone)
  return {
    // Names are also those of tags, which may be any.
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
    hour,
    weekday,
    ...tagFacts(source.tags ?? {}),
  }
}

/** Facts beside others, as the results of evaluators; of two with the same name the added one counts. */
export function withFacts(facts: Facts, added: Facts): Facts {
  // By way of the prototype: a copy would ask for every fact that is a getter.
  return { __proto__: facts, ...added } as unknown as Facts
}

/** The facts that an evaluation adds. Both are missing of an evaluator that failed, or that is not there. */
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
