import type { Finding } from '../engine/finding.ts'
import { type Care, THRESHOLDS } from './care.ts'
import { loadModel } from './model.ts'
import { Tagger } from './tagger.ts'

/** The types that the tagger knows. */
const TYPES = ['PERSON', 'LOCATION']

/** The one tagger of this thread: it keeps what it knows of words. */
let shared: Tagger | undefined

/** The findings of the tagger in a text, and those of others within its bounds, each in the order of the text. */
interface Tagging {
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
  care: Care,
): FindTagged | undefined {
  const known = TYPES.filter((type) => types.includes(type))
  if (known.length === 0) return
  const names = new Set(placeholders)
  const isPlaceholder = (name: string) => names.has(name) || names.has(name.replace(/_\d{1,4}$/, ''))
  return (text, found) => {
    shared ??= new Tagger(loadModel())
    const dropped = new Set<string>()
    const isDoubtful = ({ type, strength }: Finding) => TYPES.includes(type) && strength === 'context'
    const tagged = shared
      .tag(text, THRESHOLDS[care], isPlaceholder, found.filter(isDoubtful))
      .filter(({ type }) => known.includes(type))
      .sort((a, b) => a.start - b.start)
      .map((one): Finding => ({ ...one, strength: 'learned' }))
    const bounded = found.flatMap((one) => {
      const bound = isDoubtful(one) ? shared?.bound(one) : one
      if (!bound) dropped.add(text.slice(one.start, one.end).toLowerCase())
      return bound ?? []
    })
    if (dropped.size === 0) return { tagged, bounded }
    // A name or address that was dropped is not found again elsewhere either.
    const isDropped = ({ strength, start, end }: Finding) =>
      strength === 'again' && dropped.has(text.slice(start, end).toLowerCase())
    return { tagged, bounded: bounded.filter((one) => !isDropped(one)) }
  }
}
