import { isHeldBack, type Part } from './held-back.ts'
import { type Random, seededRandom } from './random.ts'
import { fillTemplate, type Planted, readTemplates, SLOT, type Template } from './templates.ts'
import { access } from './values/access.ts'
import { bornName, originOf, placeAddress, type Script } from './values/bearers.ts'
import { belongings } from './values/belongings.ts'
import { GENERATORS } from './values/generators.ts'
import { moreNationalIds } from './values/more-national-ids.ts'
import { ORIGINS, type Origin } from './values/origins.ts'
import type { Filled, Generator } from './values/slot.ts'
import { bareDate, spokenDate } from './values/spoken-dates.ts'

/** A message in the style of support, of the part that its template and its names belong to. */
export interface SupportCase {
  set: string
  part: Part
  language: string
  text: string
  planted: Planted[]
  /** In the fairness set: the origin of the name, and its script. */
  origin?: string
  script?: Script
}

/** The number of names of one origin in each template of the fairness set. */
const FAIR_VERSIONS = 16
/** Languages in Latin letters whose neighbours of the same origin write another script. */
const LATIN = new Set(['hr', 'sl', 'sw'])

const VALUES: Record<string, Generator> = { ...GENERATORS, ...moreNationalIds, ...belongings, ...access }

export interface SupportSets {
  personal: SupportCase[]
  harmless: SupportCase[]
  fair: SupportCase[]
}

export function supportSets(seed: number): SupportSets {
  return { personal: personalMessages(seed), harmless: harmlessMessages(seed), fair: fairMessages(seed) }
}

/** Messages with personal data: talk, labelled numbers, and forms, tables, logs, code and mail headers. */
export function personalMessages(seed: number): SupportCase[] {
  return ['support', 'structured', 'labelled'].flatMap((set) => messages(set, 2, seed))
}

/** Messages without personal data in which much looks like it. */
function harmlessMessages(seed: number): SupportCase[] {
  return messages('harmless', 3, seed).map((one) => ({ ...one, planted: [] }))
}

/** The same templates with names of every origin, in Latin letters and in the origin's own script. */
function fairMessages(seed: number): SupportCase[] {
  const scripts = ORIGINS.flatMap((origin) => [
    { origin, script: 'latin' as const },
    ...(origin.native ? [{ origin, script: 'native' as const }] : []),
  ])
  return readTemplates('fair').flatMap(({ language, template }) =>
    scripts.flatMap(({ origin, script }) => {
      const random = seededRandom(`fair ${origin.name} ${script} ${template} ${seed}`)
      const part = partOf(template)
      return Array.from({ length: FAIR_VERSIONS }, () => ({
        set: 'fair',
        part,
        language,
        origin: origin.name,
        script,
        ...fillTemplate(template, (_, variant) => bornName(random, origin, script, part, variant)),
      }))
    }),
  )
}

function messages(set: string, versions: number, seed: number): SupportCase[] {
  return readTemplates(set).flatMap((one) => {
    const random = seededRandom(`${set} ${one.template} ${seed}`)
    const count = SLOT.test(one.template) ? versions : 1
    return Array.from({ length: count }, () => ({ set, ...fill(one, random) }))
  })
}

function fill({ language, template }: Template, random: Random): Omit<SupportCase, 'set'> {
  const part = partOf(template)
  const { text, planted } = fillTemplate(template, (type, variant) =>
    generated(random, language, part, type, variant),
  )
  return { part, language, text, planted }
}

function generated(
  random: Random,
  language: string,
  part: Part,
  type: string,
  variant: string,
): string | Filled | undefined {
  if (type === 'address') return placeAddress(random, language, part, variant)
  if (type === 'name') {
    const script = variant === 'latin' || LATIN.has(language) ? 'latin' : 'native'
    return bornName(random, bearerOf(random, language), script, part, variant)
  }
  if (type === 'birth' && variant === 'words') return spokenDate(random, language)
  if (type === 'birth' && variant === 'bare') return bareDate(random)
  return VALUES[type]?.(random, language, variant)
}

/** Returns the origin of a person in a message: a fifth come from elsewhere where names are in Latin letters. */
function bearerOf(random: Random, language: string): Origin {
  const own = originOf(language)
  if (own.native || !random.chance(0.2)) return own
  const { native: _, ...elsewhere } = random.pick(ORIGINS)
  return elsewhere
}

const partOf = (template: string): Part => (isHeldBack(template) ? 'held-back' : 'tuned')
