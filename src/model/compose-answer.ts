import { indexWords } from '../language/words/words.ts'
import { nameOf } from './close-entries.ts'
import type { Findings, FoundPassage, Reply } from './findings.ts'
import type { Citation } from './model.ts'
import { tellApart } from './tell-apart.ts'

/** A passage up to this length is the answer as it stands. Of a longer one, the part that fits best is taken. */
const ANSWER_LENGTH = 900
const ADDITION_LENGTH = 450
const SNIPPET_LENGTH = 200
/** A second passage is added when it covers this share of the question's weight, in words that the first lacks. */
const ADDITION_NEEDED = 0.2
/** A second passage also needs at least this share of the first one's score. */
const ADDITION_SCORE = 0.5

type Weights = ReadonlyMap<string, number>

/** Makes an answer from the best passage, and from a second one that covers the rest of the question. */
export function composeAnswer({ words, passages }: Findings): Reply {
  const [first, ...others] = passages
  if (!first) return { text: '', citations: [] }
  const weights = new Map(words.map(({ word, weight }) => [word, weight]))
  const text = pickPart(first.text, weights, ANSWER_LENGTH)
  const citations = [cite(first, text)]
  // Coverage also counts the other ways to ask, which are not in the text.
  if (1 - first.coverage < ADDITION_NEEDED) return { text, citations }
  const rest = without(weights, indexWords(`${first.title} ${first.heading} ${first.text}`))
  const enough = sum(weights.values()) * ADDITION_NEEDED
  const second = others.find(
    (passage) =>
      passage.score >= first.score * ADDITION_SCORE && weigh(indexWords(passage.text), rest) >= enough,
  )
  if (!second) return { text, citations }
  const addition = pickPart(second.text, rest, ADDITION_LENGTH)
  return { text: `${text}\n\n${addition}`, citations: [...citations, cite(second, addition)] }
}

/**
 * Names the entries that fit a question about equally well, and answers with the first of them.
 * @param ask introduces the names
 */
export function composeChoice(
  { words }: Findings,
  close: readonly FoundPassage[],
  ask: (names: readonly string[]) => string,
): Reply {
  const weights = new Map(words.map(({ word, weight }) => [word, weight]))
  const parts = close.map((passage) => pickPart(passage.text, weights, ANSWER_LENGTH))
  return {
    text: `${ask(close.map(nameOf))}\n\n**${close[0] ? nameOf(close[0]) : ''}**\n\n${parts[0] ?? ''}`,
    citations: close.map((passage, at) => cite(passage, parts[at] ?? '')),
  }
}

/** The most pages that may help. */
const PAGES = 3

/**
 * Names the pages that may hold an answer, each once by the passage that fits best.
 * @param say introduces the names
 */
export function composeHelp({ passages }: Findings, say: (names: readonly string[]) => string): Reply {
  const byPage = Map.groupBy(passages, ({ source, url }) => url ?? source)
  const named = Array.from(byPage.values(), ([best]) => best ?? [])
    .flat()
    .slice(0, PAGES)
  const citations = named.map((passage) => cite(passage, passage.text))
  const titles = citations.map(({ title }, at) => ({ title, source: named[at]?.source ?? '' }))
  return { text: say(tellApart(titles)), citations }
}

function cite({ title, heading, url, anchor }: FoundPassage, text: string): Citation {
  const last = heading.split(' › ').at(-1) ?? ''
  return {
    title: last === '' || last === title ? title : `${title} › ${last}`,
    url: url === null || anchor === '' || url.includes('#') ? url : `${url}#${anchor}`,
    snippet: shorten(
      text
        .replace(/^```.*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  }
}

function shorten(text: string): string {
  if (text.length <= SNIPPET_LENGTH) return text
  const head = text.slice(0, SNIPPET_LENGTH)
  const space = head.lastIndexOf(' ')
  return `${(space > SNIPPET_LENGTH / 2 ? head.slice(0, space) : head).toWellFormed().replace(/\uFFFD$/, '')}…`
}

/** A sentence, a list item or a code block: shown whole or not at all. */
interface Unit {
  text: string
  /** The white space between this unit and the one before. */
  gap: string
  words: Set<string>
  /** The number of its block. The blocks of a list count as one, with the code between its items. */
  block: number
  isInList: boolean
}

/**
 * Picks the stretch of neighbouring units that contains most of the question's words, with the rest of its paragraph or
 * list as far as there is room.
 */
function pickPart(text: string, weights: Weights, longest: number): string {
  if (text.length <= longest) return text
  const units = readUnits(text)
  let { from, to } = bestStretch(units, weights, longest)
  if (to < units.length && leadsOn(units[to - 1])) to++
  const start = units.findIndex(({ block }) => block === units[from]?.block)
  if (units[from]?.isInList && lengthOf(units.slice(start, to)) <= longest) from = start
  if (leadsOn(units[from - 1])) from--
  while (to < units.length && goesOn(units, to) && lengthOf(units.slice(from, to + 1)) <= longest) to++
  const part = units.slice(from, to).map(({ gap, text }, at) => (at === 0 ? text : gap + text))
  const isCutAt = (at: number) => units[at]?.isInList && units[at - 1]?.block === units[at]?.block
  return [isCutAt(from) ? `${CUT}\n` : '', ...part, isCutAt(to) ? `\n${CUT}` : ''].join('')
}

/** Shows that items of a list are left out. */
const CUT = '…'

/** Returns the stretch that fits best; of those that fit equally well, the shortest. */
function bestStretch(
  units: readonly Unit[],
  weights: Weights,
  longest: number,
): { from: number; to: number } {
  let best = { from: 0, to: 1, value: -1 }
  for (let from = 0; from < units.length; from++) {
    const seen = new Set<string>()
    let length = 0
    let all = 0
    for (let to = from + 1; to <= units.length; to++) {
      const unit = units[to - 1] as Unit
      length += unit.gap.length + unit.text.length
      if (length > longest && to > from + 1) break
      for (const word of unit.words) seen.add(word)
      all += weigh(unit.words, weights)
      const value = weigh(seen, weights) + all / 5 + beginning(units, from)
      const isShorter = to - from < best.to - best.from
      if (value > best.value || (value === best.value && isShorter)) best = { from, to, value }
    }
  }
  return best
}

/** Tells whether what stands before a unit belongs together with it. */
function goesOn(units: readonly Unit[], at: number): boolean {
  return units[at - 1]?.block === units[at]?.block || leadsOn(units[at - 1])
}

/** Tells whether a unit needs the one after it, as a question needs its answer. */
function leadsOn(unit: Unit | undefined): boolean {
  return /[?？:：]$/.test(unit?.text ?? '')
}

function lengthOf(units: readonly Unit[]): number {
  return sum(units.map(({ gap, text }) => gap.length + text.length))
}

/** Favours the beginning of the passage, or at least of a paragraph, which reads better. */
function beginning(units: readonly Unit[], from: number): number {
  if (from === 0) return 1
  return units[from]?.gap === BLOCK_GAP ? 0.3 : 0
}

const BLOCK_GAP = '\n\n'
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function readUnits(text: string): Unit[] {
  const blocks = text.split(/(^```\n[\s\S]*?\n```$)|\n\n+/m).filter((block) => block?.trim())
  let number = 0
  let isInList = false
  return blocks.flatMap((block) => {
    const isCode = block.startsWith('```')
    const isMore = isInList && (isCode || isList(block))
    isInList = isMore || (!isCode && isList(block))
    if (!isMore) number++
    const about = { block: number, isInList }
    const parts = isCode ? [block] : inUnits(block)
    const gap = isInList ? '\n' : ' '
    return parts.map((part, at) => ({
      text: part,
      gap: at === 0 ? BLOCK_GAP : gap,
      words: new Set(indexWords(part)),
      ...about,
    }))
  })
}

function inUnits(block: string): string[] {
  if (isList(block)) return block.split(/\n(?=\s*(?:-|\d+[.)]) )/)
  const units = Array.from(sentences.segment(block.replace(/\s*\n\s*/g, ' ')), ({ segment }) =>
    segment.trim(),
  )
  return units.filter((unit) => unit !== '')
}

function isList(block: string): boolean {
  return /^\s*(?:-|\d+[.)]) /m.test(block)
}

function weigh(words: Iterable<string>, weights: Weights): number {
  return sum(Array.from(new Set(words), (word) => weights.get(word) ?? 0))
}

function without(weights: Weights, words: Iterable<string>): Weights {
  const rest = new Map(weights)
  for (const word of words) rest.delete(word)
  return rest
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
