import type { Engine } from './engines.ts'
import { isHeldBack, ofPart, PARTS, type Part } from './held-back.ts'
import { type Random, seededRandom } from './random.ts'
import { foundValues } from './score.ts'
import { print } from './table.ts'
import { fillTemplate, readTemplates, type Template } from './templates.ts'
import { loadMoreNames } from './values/more-names.ts'
import { ORIGINS, type Origin } from './values/origins.ts'
import type { Filled } from './values/slot.ts'

/** The people of one origin and script. Each stands in every template, so that only their names differ. */
const PEOPLE = 24
/** The number of times that people are dealt out anew, to tell what chance alone does. */
const DEALS = 400

interface Person {
  given: string
  family: string
}

/** Prints how much of the names of each origin an engine finds, and how far origins are apart by chance alone. */
export async function compareOrigins(engine: Engine): Promise<void> {
  for (const part of PARTS) {
    const shares = new Map<string, number[]>()
    const templates = readTemplates('fair-more').filter(
      ({ template }) => isHeldBack(template) === (part === 'held-back'),
    )
    for (const [key, people] of peopleOf(part)) {
      const found: number[] = []
      for (const person of people) found.push(await shareFound(engine, templates, key, person))
      shares.set(key, found)
    }
    printPart(part, shares)
  }
}

/** Returns the people of each origin and script, from the names of one part. */
export function peopleOf(part: Part): Map<string, Person[]> {
  return new Map(
    [...loadMoreNames()].map(([key, names]) => {
      const [given, family] = [ofPart(names.given, part), ofPart(names.family, part)]
      const people = Array.from({ length: PEOPLE }, (_, at) => ({
        given: given[at % given.length] as string,
        // Where names are few, the second time they stand with others.
        family: family[(at + Math.floor(at / family.length)) % family.length] as string,
      }))
      return [key, people]
    }),
  )
}

async function shareFound(
  engine: Engine,
  templates: readonly Template[],
  key: string,
  person: Person,
): Promise<number> {
  const origin = ORIGINS.find(({ name }) => key.startsWith(`${name} `)) as Origin
  let found = 0
  for (const { language, template } of templates) {
    const filled = fillTemplate(template, (_, variant) => named(origin, key, person, variant))
    const one = { set: 'fair-more', language, ...filled }
    if (foundValues(one, await engine.redact(one.text)).size === filled.planted.length) found++
  }
  return found / templates.length
}

function named(origin: Origin, key: string, { given, family }: Person, variant: string): string | Filled {
  if (variant === 'given') return given
  const ordered = origin.isFamilyFirst ? [family, given] : [given, family]
  const cased = variant === 'lower' ? ordered.map((name) => name.toLowerCase()) : ordered
  if (origin.isUnspaced && key.endsWith('native')) return cased.join('')
  return { text: cased.join(' '), secrets: cased }
}

function printPart(part: Part, shares: Map<string, number[]>): void {
  const all = [...shares.values()].flat()
  const sorted = [...shares].map(([key, found]) => [key, mean(found)] as const).sort((a, b) => a[1] - b[1])
  const random = seededRandom('deals')
  const chance = Array.from({ length: DEALS }, () => spreadOf(dealt(random, all))).sort((a, b) => a - b)
  print(`\n${part}: ${points(mean(all))}% of ${all.length} people of ${shares.size} origins and scripts`)
  print(sorted.map(([key, share]) => `${key} ${points(share)}%`).join(', '))
  print(
    `From the worst to the best ${points(spreadOf([...shares.values()]))} points; if origin did not matter, ` +
      `${points(chance[DEALS >> 1] as number)}, and in one of twenty cases ${points(chance[Math.floor(DEALS * 0.95)] as number)}`,
  )
}

/** Deals people out anew, as many to each group as before. */
function dealt(random: Random, people: readonly number[]): number[][] {
  const left = [...people]
  for (let at = left.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[left[at], left[other]] = [left[other] as number, left[at] as number]
  }
  return Array.from({ length: left.length / PEOPLE }, (_, at) => left.slice(at * PEOPLE, (at + 1) * PEOPLE))
}

function spreadOf(groups: readonly number[][]): number {
  const means = groups.map(mean)
  return Math.max(...means) - Math.min(...means)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const points = (share: number) => (share * 100).toFixed(0)
