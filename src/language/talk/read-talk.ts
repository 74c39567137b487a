import { GREETINGS, type TalkLanguage } from './greetings.ts'
import { type FoundPhrase, type Part, phrasesAt, wordsOf } from './known-phrases.ts'

/** The kinds of small talk and wishes. In a message of several kinds, the first in this list decides. */
export const KINDS = [
  'wish',
  'nature',
  'well_being',
  'introduction',
  'thanks',
  'goodbye',
  'greeting',
  'acknowledgement',
  'refusal',
] as const

export type TalkKind = (typeof KINDS)[number]

/** The meaning of a message in one language. */
interface Read {
  language: TalkLanguage
  kind: TalkKind
  /** True of a wish in more words than the name of a person. */
  isFull: boolean
}

const LANGUAGES = Object.keys(GREETINGS) as TalkLanguage[]
/** The most words, or characters of a script without spaces, that may give the reason of a wish. */
const LONGEST_REASON = 12
/** The parts that are also read in English, whatever the language of the message. */
const SHARED: ReadonlySet<Part> = new Set<Part>([
  'greeting',
  'thanks',
  'acknowledgement',
  'goodbye',
  'courtesy',
])

/** The parts that say something else with a negation beside them: "no funciona", "ठीक नहीं", "没有帮助". */
const NEGATABLE: ReadonlySet<Part> = new Set<Part>([
  'acknowledgement',
  'introduction',
  'nature',
  'well_being',
])

/** A sign that parts what it stands between: also a space, in a script that has none between words. */
const PARTING = /[[\p{P}\p{Emoji_Presentation}]--['’\-]]|\n|\s-|(?<=[\p{Script=Han}\p{Script=Thai}])\s/v

/** Reads a message of small talk or a wish: what it is in each language in which every word of it has its part. */
export function readTalk(text: string): Read[] {
  const words: string[] = []
  const beginnings = new Set<number>()
  for (const piece of text.split(PARTING)) {
    beginnings.add(words.length)
    words.push(...wordsOf(piece))
  }
  const found = new Map<number, Map<TalkLanguage, FoundPhrase[]>>()
  function phrasesFrom(place: number, language: TalkLanguage): FoundPhrase[] {
    const byLanguage = found.get(place) ?? Map.groupBy(phrasesAt(words, place), ([, language]) => language)
    found.set(place, byLanguage)
    const own = byLanguage.get(language) ?? []
    if (language === 'en') return own
    return [...own, ...(byLanguage.get('en') ?? []).filter(([, , part]) => SHARED.has(part))]
  }
  // Most messages are questions, which begin with no phrase of most languages.
  const candidates = LANGUAGES.filter((language) => words.length === 0 || phrasesFrom(0, language).length > 0)
  return candidates.flatMap((language) => readIn(language, words, beginnings, phrasesFrom) ?? [])
}

/** The state of reading a message up to a word. */
interface Reading {
  /** The place in `KINDS` of the kind that decides. */
  kind: number
  wants: boolean
  speaks: boolean
  gets: boolean
  asksHow: boolean
  refuses: boolean
  /** The person who is wanted: of several, the least telling. */
  person: 'alone' | 'person' | 'anyone' | null
  /** True once there was a phrase of the language, and not only of English. */
  isOwn: boolean
  /** The part before, if it negates what stands beside it, or can be negated. */
  before: 'negation' | 'negatable' | null
}

function readIn(
  language: TalkLanguage,
  words: readonly string[],
  beginnings: ReadonlySet<number>,
  phrasesFrom: (place: number, language: TalkLanguage) => FoundPhrase[],
): Read | null {
  let best: Read | null = null
  const seen = new Set<string>()

  function read(place: number, reading: Reading): void {
    const { kind, wants, speaks, gets, asksHow, refuses, person, isOwn, before } = reading
    const state = `${place} ${kind} ${wants} ${speaks} ${gets} ${asksHow} ${refuses} ${person} ${isOwn} ${before}`
    if (seen.has(state)) return
    seen.add(state)
    if (place === words.length) {
      const whole = isOwn ? kindOf(reading) : undefined
      const isFull = speaks || gets
      const order = whole ? KINDS.indexOf(whole) - (best ? KINDS.indexOf(best.kind) : KINDS.length) : 0
      if (whole && (order < 0 || (order === 0 && isFull))) best = { language, kind: whole, isFull }
      return
    }
    for (const [end, of, part] of phrasesFrom(place, language)) {
      const beside: Reading['before'] = part === 'negation' ? part : NEGATABLE.has(part) ? 'negatable' : null
      const isNegated = before !== null && beside !== null && before !== beside && !beginnings.has(place)
      const next = isNegated ? null : withPart(reading, part)
      if (!next) continue
      const after = { ...next, isOwn: isOwn || of === language, before: beside }
      if (part !== 'about') read(end, after)
      else for (const to of endsOfReason(end, after)) read(to, after)
    }
  }

  /**
   * Returns the places where a reason that begins at `from` may end: before a verb at the end of the message, or at its
   * end.
   */
  function endsOfReason(from: number, { speaks, gets }: Reading): number[] {
    const most = Math.min(words.length, from + LONGEST_REASON)
    if (speaks || gets) return words.length > from && words.length <= most ? [words.length] : [from]
    return Array.from({ length: most - from }, (_, at) => from + 2 + at).filter((to) => to < words.length)
  }

  read(0, {
    kind: KINDS.length,
    wants: false,
    speaks: false,
    gets: false,
    asksHow: false,
    refuses: false,
    person: null,
    isOwn: false,
    before: null,
  })
  return best
}

/** Adds a part to a reading; returns null if it does not fit there. */
function withPart(reading: Reading, part: Part): Reading | null {
  switch (part) {
    case 'courtesy':
    case 'a':
      return reading
    case 'want':
      return { ...reading, wants: true }
    case 'acceptance':
    case 'offers':
    case 'answers':
    case 'who':
    case 'explains':
      return null
    case 'about':
      return reading.person && (reading.speaks || reading.gets || reading.wants) ? reading : null
    case 'after':
      return reading.person ? reading : null
    case 'how':
      return { ...reading, asksHow: true }
    case 'speak':
      return { ...reading, speaks: true }
    case 'get':
      return { ...reading, gets: true }
    case 'alone':
    case 'person':
    case 'anyone':
      return { ...reading, person: lessTelling(reading.person, part) }
    case 'refusal':
    case 'negation':
      return { ...reading, refuses: true }
    default:
      return { ...reading, kind: Math.min(reading.kind, KINDS.indexOf(part)) }
  }
}

const PERSONS = ['alone', 'person', 'anyone'] as const

function lessTelling(one: Reading['person'], other: (typeof PERSONS)[number]): Reading['person'] {
  return one && PERSONS.indexOf(one) > PERSONS.indexOf(other) ? one : other
}

/** Returns the kind of a message that was read to its end; undefined if it is none of them. */
function kindOf(reading: Reading): TalkKind | undefined {
  const { kind, wants, speaks, gets, asksHow, refuses, person } = reading
  if (!person) return wants || speaks || gets || asksHow ? undefined : kindOfTalk(KINDS[kind], refuses)
  // "No agent" wants none.
  if (refuses) return undefined
  // "Are you a real | person" asks for none.
  if (KINDS[kind] === 'nature' && !speaks && !gets) return undefined
  const isWish =
    (person === 'alone' && !asksHow) ||
    (person !== 'anyone' && (speaks || gets)) ||
    (person === 'anyone' && speaks && !asksHow)
  return isWish ? 'wish' : undefined
}

/** Returns the kind of small talk: "no, thanks" does not thank. */
function kindOfTalk(kind: TalkKind | undefined, refuses: boolean): TalkKind | undefined {
  if (!refuses) return kind
  return kind === 'thanks' ? 'acknowledgement' : (kind ?? 'refusal')
}
