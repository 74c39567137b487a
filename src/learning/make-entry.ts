import { z } from 'zod'
import { askedIn } from '../language/queries-of.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { bordered } from '../model/bordered.ts'
import type { ModelMessage } from '../model/model.ts'
import { saidLine } from '../model/said-line.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { SaidMessage } from '../transcripts/doors/answers-of-people.ts'
import { ENTRY_TASK } from './wording.ts'

/** A question and its answer. */
export interface MadeEntry {
  question: string
  answer: string
}

/** The most characters of a question, which becomes a title, and of an answer. */
export const LONGEST_QUESTION = 500
export const LONGEST_ANSWER = 4000
/** The most characters of a conversation that a model reads. */
export const LONGEST_READ = 16_000

/** Makes an entry of what was said as it stands: the question, and all that people answered. */
export function entryAsSaid(question: string, said: readonly SaidMessage[]): MadeEntry {
  const answers = said.filter(isAnswer).map(({ text }) => text)
  const asked = question.length <= LONGEST_QUESTION ? question : askedIn(question)
  return withinBounds({ question: asked, answer: answers.join('\n\n') })
}

/**
 * Builds the request for an entry. Where the conversation is too long, the others' messages are cut before those of
 * the team, which hold the answer.
 * @param said begins with the question
 */
export function entryRequest(said: readonly SaidMessage[]): ModelMessage[] {
  const lengthOf = (message: SaidMessage) => worded(message).length + BETWEEN.length
  const room = said.filter(isAnswer).reduce((left, message) => left - lengthOf(message), LONGEST_READ)
  const others = said.filter((message) => !isAnswer(message)).map(lengthOf)
  const longest = Math.max(0, lengthThatFits(others, room) - BETWEEN.length)
  const lines = said.map((message) =>
    isAnswer(message) ? worded(message) : worded(message).slice(0, longest),
  )
  const all = lines.filter((line) => line !== '').join(BETWEEN)
  return [
    { role: 'system', content: ENTRY_TASK },
    { role: 'user', content: bordered('conversation', all.slice(0, LONGEST_READ).toWellFormed()) },
  ]
}

const BETWEEN = '\n\n'

function isAnswer({ role }: SaidMessage): boolean {
  return role === 'operator'
}

function worded({ role, text }: SaidMessage): string {
  return saidLine(SPEAKERS[role], text)
}

/** Returns the length at which texts of some lengths are cut so that they fit into a room; the short ones stay whole. */
function lengthThatFits(lengths: readonly number[], room: number): number {
  const [shortest, ...longer] = lengths.toSorted((one, other) => one - other)
  if (shortest === undefined) return Number.POSITIVE_INFINITY
  const share = Math.max(0, Math.floor(room / lengths.length))
  return shortest > share ? share : lengthThatFits(longer, room - shortest)
}

const SPEAKERS = { user: 'Customer', assistant: 'Assistant', operator: 'Person of the team' } as const

const part = z.string().trim().min(1)
const written = z.object({ question: part, answer: part })

/** Reads the entry that a model wrote; null when it wrote none. */
export function readEntry(content: ModelMessage['content']): MadeEntry | null {
  const text = textOfContent(content)
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  const entry = written.safeParse(readPeerJsonOrNull(json))
  return entry.success ? withinBounds(entry.data) : null
}

/** Cuts an entry to the lengths that it may have. */
export function withinBounds({ question, answer }: MadeEntry): MadeEntry {
  return {
    question: question.slice(0, LONGEST_QUESTION).toWellFormed(),
    answer: answer.slice(0, LONGEST_ANSWER).toWellFormed(),
  }
}

/** The fewest letters of a part of a name that is replaced by itself. */
const SHORTEST_PART = 3

/**
 * Replaces names that are known, in a text that is redacted: those of the people who wrote and the customer's, as a
 * whole and each part. A part of the name of somebody who wrote may be a word, such as that of a team, so it counts only
 * as it is written in the name.
 */
export function withoutNames(text: string, people: readonly string[], customer: string | null): string {
  const names: Name[] = [
    ...[...people, customer ?? ''].map((name) => ({ name: name.trim(), anyCase: true })),
    ...partsOf(customer ?? '').map((name) => ({ name, anyCase: true })),
    ...people.flatMap(partsOf).map((name) => ({ name, anyCase: false })),
  ]
  const longestFirst = names
    .filter(({ name }) => name !== '')
    .sort((one, other) => other.name.length - one.name.length)
  return longestFirst.reduce(replaceName, text)
}

interface Name {
  name: string
  /** True if it counts in whatever case it is written. */
  anyCase: boolean
}

function partsOf(name: string): string[] {
  return name.split(/[\s,]+/).filter(({ length }) => length >= SHORTEST_PART)
}

/** Replaces a name wherever it stands as words of its own. Names come from outside, so no pattern is made of one. */
function replaceName(text: string, { name, anyCase }: Name): string {
  return text
    .split(PLACEHOLDER)
    .map((part, at) => (at % 2 === 0 ? replaceIn(part, name, anyCase) : part))
    .join('')
}

/** Matches the placeholders that redaction inserts. */
const PLACEHOLDER = /(\[[A-Z][A-Z0-9_]*\])/

function replaceIn(text: string, name: string, anyCase: boolean): string {
  const lower = text.toLowerCase()
  // Some letters change their length with their case, so positions in the text would no longer match.
  const [searched, sought] =
    anyCase && lower.length === text.length ? [lower, name.toLowerCase()] : [text, name]
  let replaced = ''
  let from = 0
  for (let at = searched.indexOf(sought); at >= 0; at = searched.indexOf(sought, at + sought.length)) {
    const end = at + sought.length
    const isWord = !LETTER.test(text[at - 1] ?? '') && !LETTER.test(text[end] ?? '')
    if (!isWord || IN_ADDRESS.test(text.slice(end, end + LONGEST_LOCAL_PART))) continue
    replaced += `${text.slice(from, at)}[PERSON]`
    from = end
  }
  return replaced + text.slice(from)
}

const LETTER = /[\p{L}\p{N}]/u
/** Matches the rest of an e-mail address's local part, up to the `@`. */
const IN_ADDRESS = /^[\w.+-]*@/
const LONGEST_LOCAL_PART = 64
