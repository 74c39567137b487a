import type { Kysely } from 'kysely'
import { detectLanguage } from '../../language/detect-language.ts'
import { newest } from '../../lib/newest.ts'
import type { Tables } from '../../storage/tables.ts'
import { samplePassages } from './read-passages.ts'

/** Returns the languages of an agent's documents as ISO 639-1 codes, the most frequent first; none if none is known. */
export type DocumentLanguages = (agentId: number) => Promise<readonly string[]>

/** The passages that are looked at: the oldest and the newest. */
const AT_EACH_END = 15
/** The share of the passages from which a language is one of the documents. Texts of few words are taken for others. */
const LEAST_SHARE = 0.2
/** The time for which the languages are kept. */
const KEPT_MS = 600_000

/** @param now returns milliseconds from any fixed moment */
export function documentLanguages(
  db: Kysely<Tables>,
  now: () => number = () => performance.now(),
): DocumentLanguages {
  const kept = newest<number, { until: number; languages: readonly string[] }>()

  return async (agentId) => {
    const present = kept.get(agentId)
    if (present && now() < present.until) return present.languages
    const languages = languagesOf(await samplePassages(db, agentId, AT_EACH_END))
    kept.set(agentId, { until: now() + KEPT_MS, languages })
    return languages
  }
}

function languagesOf(texts: readonly string[]): string[] {
  const decided = texts.map(detectLanguage).filter((language) => language !== null)
  return [...Map.groupBy(decided, (language) => language)]
    .filter(([, same]) => same.length >= LEAST_SHARE * decided.length)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([language]) => language)
}
