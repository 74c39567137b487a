import { allLocales } from '@faker-js/faker'
import { isHeldBack } from '../../bench/redaction/held-back.ts'
import type { Random } from '../../bench/redaction/random.ts'
import { readSections, usablePlaces } from './data.ts'

/** The ways in which a country writes its addresses. */
export interface Country {
  languages: string[]
  streets: string[]
  towns: string[]
  patterns: string[]
}

/** Lists of faker that have streets worth mixing in, by the first language of a country. */
const STREETS: Record<string, string> = {
  en: 'en_GB',
  de: 'de',
  cs: 'cs_CZ',
  da: 'da',
  sr: 'mk',
  pl: 'pl',
  tr: 'tr',
  el: 'el',
  sk: 'sk',
  th: 'th',
  it: 'it',
  fr: 'fr',
}

export function loadCountries(): Country[] {
  const countries = readSections('places.txt').map(
    ({ heading, lines: [streets = '', towns = '', patterns = ''] }) => {
      const languages = heading.split(' ').slice(1)
      const location = (allLocales as Record<string, { location?: Record<string, unknown> }>)[
        STREETS[languages[0] as string] ?? ''
      ]?.location
      const more = (name: string) => (Array.isArray(location?.[name]) ? (location[name] as string[]) : [])
      return {
        languages,
        streets: [...usablePlaces(streets.split('|')), ...usablePlaces(more('street_name')).slice(0, 300)],
        towns: [...usablePlaces(towns.split('|')), ...usablePlaces(more('city_name')).slice(0, 300)],
        patterns: patterns.split('|').map((pattern) => pattern.replaceAll('\\n', '\n')),
      }
    },
  )
  return countries.filter(({ streets, towns }) => streets.length > 0 && towns.length > 0)
}

/** @param word draws a word that a street or a town may be called by */
export function makeAddress(
  random: Random,
  { streets, towns, patterns }: Country,
  word: () => string,
): string {
  const named = (list: readonly string[]): string => {
    for (;;) {
      const name = random.pick(list).replace(/\{w\}/gi, word)
      if (!isHeldBack(name)) return name
    }
  }
  return random
    .pick(patterns)
    .replace(/\{([nscw])\}/g, (_, slot: string) =>
      slot === 's' ? named(streets) : slot === 'c' ? named(towns) : slot === 'w' ? word() : '{n}',
    )
    .replace(/\{n\}/g, () => houseNumber(random))
    .replace(/#/g, () => String(random.below(10)))
    .replace(/\?/g, () => random.text(1, 'ABCDEFGHJKLMNPRSTWXY'))
}

function houseNumber(random: Random): string {
  const number = String(1 + random.below(random.pick([20, 99, 300, 3000])))
  return random.chance(0.06) ? number + random.pick(['a', 'b', 'A', 'B', '/2', '-14']) : number
}
