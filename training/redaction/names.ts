import { createRequire } from 'node:module'
import { allLocales } from '@faker-js/faker'
import type { Random } from '../../bench/redaction/random.ts'
import { readSections, usableNames } from './data.ts'

/** Names of one origin, and how they are put together. */
export interface Origin {
  name: string
  given: string[]
  family: string[]
  /** The family name comes first, and nothing stands between the two. */
  isJoined: boolean
  isFamilyFirst: boolean
  isLatin: boolean
}

const JOINED = new Set(['zh_CN', 'zh_TW', 'ko', 'ja'])
const FAMILY_FIRST = new Set([
  ...JOINED,
  ...'hu hungarian vi vietnam vietnamese japan-romanized korea-romanized china-romanized'.split(' '),
])
/** Locales of faker that have no names of their own, or jokes. */
const LEFT_OUT = new Set(['base', 'en_BORK', 'en_AU_ocker', 'eo', 'dv'])

/** Returns the names of each origin: faker's by locale, and those of `names.txt`. */
export function loadOrigins(): Origin[] {
  const origins = Object.entries(allLocales).flatMap(([name, { person }]) => {
    const given = namesIn(person?.first_name)
    const family = namesIn(person?.last_name)
    return given.length > 10 && family.length > 10 && !LEFT_OUT.has(name) ? [origin(name, given, family)] : []
  })
  const own = readSections('names.txt').map(({ heading, lines: [given = '', family = ''] }) =>
    origin(heading, wordsOf(given), wordsOf(family)),
  )
  return [...origins, ...own]
}

/** Returns Latin names of all origins that are not sorted by them: `humannames`. */
export function loadUnsorted(): string[] {
  const names = createRequire(import.meta.url)('humannames/index.json') as Record<string, unknown>
  return usableNames(Object.keys(names).filter((name) => name.length > 2))
}

function origin(name: string, given: string[], family: string[]): Origin {
  const isLatin = /^[\p{Script=Latin}\p{M}' ().-]+$/u.test(given[0] + (family[0] ?? ''))
  return {
    name,
    given: usableNames(given),
    family: usableNames(family),
    isJoined: JOINED.has(name),
    isFamilyFirst: FAMILY_FIRST.has(name),
    isLatin,
  }
}

function namesIn(lists: unknown): string[] {
  const found = Object.values((lists ?? {}) as Record<string, string[]>).flatMap((list) => list ?? [])
  return [...new Set(found)].filter(
    (name) => typeof name === 'string' && !/[\d{}]/.test(name) && name.length > 0,
  )
}

function wordsOf(line: string): string[] {
  return [...new Set(line.split(' '))].map((name) => name.replaceAll('_', ' '))
}

const ONSETS =
  'b c ch d dr f g gh h j k kh kw l m mb n nd ng ny p ph qu r s sh st t th tr ts v vl w x y z zh'.split(' ')
const VOWELS = 'a e i o u aa ai ei ou ia ua á é ö ü ı'.split(' ')
const CODAS = ['', '', '', 'n', 'r', 's', 'l', 'k', 'm', 'nd', 'sh', 'v', 'x']

/** Returns a name that nobody has, so that the words around it have to tell. */
export function inventName(random: Random): string {
  let name = ''
  for (let left = 2 + random.below(2); left > 0; left--)
    name +=
      random.pick(ONSETS) + random.pick(VOWELS) + (left === 1 || random.chance(0.2) ? random.pick(CODAS) : '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
