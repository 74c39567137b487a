import { isOpen, opensAt } from '../lib/hours/hours.ts'
import { timeInWords } from '../lib/time-zone.ts'
import type { AgentSettings } from './settings.ts'

/** The place in an away message at which the time stands when people are back. */
const BACK_AT = '{back_at}'

/**
 * Returns what is said while nobody is there; null: somebody is, or nothing is said.
 * @param settings with the texts of the language in which it is said
 */
export function awayText(
  { hours, away_message }: Pick<AgentSettings, 'hours' | 'away_message'>,
  language: string | null,
  nowMs: number,
): string | null {
  if (!hours || !away_message || isOpen(hours, nowMs)) return null
  const opens = opensAt(hours, nowMs)
  const backAt = opens === null ? '' : timeInWords(opens, hours.time_zone, language ?? 'en')
  return away_message.replaceAll(BACK_AT, () => backAt)
}
