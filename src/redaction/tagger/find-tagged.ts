import type { Finding } from '../engine/finding.ts'
import { type Care, THRESHOLDS } from './care.ts'
import { loadModel } from './model.ts'
import { Tagger } from './tagger.ts'

/** The types that the tagger knows. */
const TYPES = ['PERSON', 'LOCATION']

/** The one tagger of this thread: it keeps what it knows of words. */
let shared: Tagger | undefined

/** What the tagger makes of a text, both in its order: what it finds, and what others found, within its bounds. */
export interface Tagging {
  tagged: Finding[]
  bounded: Finding[]
}

/** Reads a text in which `found` was found, disjoint and in its order. */
export type FindTagged = (text: string, found: readonly Finding[]) => Tagging

/**
 * Makes the tagger for some types; undefined if it knows none of them. `placeholders`: the names in brackets that stand
 * for what was found before.
 */
export function findTagged(
  types: readonly string[],
  placeholders: readonly string[],
  care: Care = 'usual',
): FindTagged | undefined {
  const known = TYPES.filter((type) => types.includes(type))
  if (known.length === 0) return
  const names = new Set(placeholders)
  const isPlaceholder = (name: string) => names.has(name) || names.has(name.replace(/_\d{1,4}$/, ''))
  return (text, found) => {
    shared ??= new Tagger(loadModel())
    const isDoubtful = ({ type, strength }: Finding) => TYPES.includes(type) && strength === 'context'
    const tagged = shared
      .tag(text, THRESHOLDS[care], isPlaceholder, found.filter(isDoubtful))
      .filter(({ type }) => known.includes(type))
      .sort((a, b) => a.start - b.start)
      .map((one): Finding => ({ ...one, strength: 'learned' }))
    return {
      tagged,
      bounded: found.flatMap((one) => (isDoubtful(one) ? ((shared as Tagger).bound(one) ?? []) : one)),
    }
  }
}
