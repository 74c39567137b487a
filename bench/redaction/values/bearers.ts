import { ofPart, type Part } from '../held-back.ts'
import type { Random } from '../random.ts'
import { ORIGINS, type Origin } from './origins.ts'
import { PLACES } from './places.ts'
import type { Filled } from './slot.ts'

export type Script = 'latin' | 'native'

/** Returns the origin whose names messages of this language mostly bear. */
export function originOf(language: string): Origin {
  const origin = ORIGINS.find(({ languages }) => languages.includes(language))
  if (!origin) throw new Error(`no names for ${language}`)
  return origin
}

/** Returns a person's name, or with the variants `given`, `family` and `lower` a form of it, from one part's names. */
export function bornName(
  random: Random,
  origin: Origin,
  script: Script,
  part: Part,
  variant: string,
): string | Filled {
  const isNative = script === 'native' && origin.native !== undefined
  const names = isNative ? (origin.native ?? origin.latin) : origin.latin
  const given = random.pick(ofPart(names.given, part))
  const family = random.pick(ofPart(names.family, part))
  if (variant === 'given') return given
  if (variant === 'family') return family
  const ordered = origin.isFamilyFirst ? [family, given] : [given, family]
  const cased = variant === 'lower' ? ordered.map((name) => name.toLowerCase()) : ordered
  if (isNative && origin.isUnspaced) return cased.join('')
  return { text: cased.join(' '), secrets: cased }
}

/** Returns a street address as this language writes it, from one part's streets and cities. */
export function placeAddress(random: Random, language: string, part: Part, variant: string): string {
  const places = PLACES[language]
  if (!places) throw new Error(`no addresses for ${language}`)
  const address = random
    .pick(places.forms)
    .replace('§', random.pick(ofPart(places.streets, part)))
    .replace('¤', random.pick(ofPart(places.cities, part)))
    .replace('%', String(1 + random.below(180)))
    .replaceAll('#', () => random.digits(1))
  return variant === 'lower' ? address.toLowerCase() : address
}
