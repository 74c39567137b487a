import { type Hours, opensAt } from '../lib/hours/hours.ts'
import { timeInWords } from '../lib/time-zone.ts'
import type { AgentSettings } from './settings.ts'

/** The placeholder in away messages for the time at which people are back. */
const BACK_AT = '{back_at}'

/** Says which placeholder of an away message does not exist; null: all do. */
export function unknownPlace(text: string): string | null {
  const unknown = text
    .replaceAll(/\{\{.*?\}\}/gs, '')
    .match(/\{\w+\}/g)
    ?.find((place) => place !== BACK_AT)
  return unknown === undefined
    ? null
    : `holds ${unknown.slice(0, 64)}, which is no placeholder: the only one is ${BACK_AT}`
}

/** An away message, and the time at which people are back, in milliseconds since the epoch; null: never. */
interface AwayNotice {
  content: string
  opens: number | null
}

/**
 * Returns the away message for now; null: somebody is there, or the agent has no such message.
 * @param settings with the texts in the user's language
 */
export function awayNotice(
  { hours, away_message }: { hours: Hours | null } & Pick<AgentSettings, 'away_message'>,
  language: string | null,
  nowMs: number,
): AwayNotice | null {
  if (!hours || !away_message) return null
  const opens = opensAt(hours, nowMs)
  if (opens === nowMs) return null
  const backAt = opens === null ? '' : timeInWords(opens, hours.time_zone, language ?? 'en')
  return { content: away_message.replaceAll(BACK_AT, () => backAt), opens }
}
