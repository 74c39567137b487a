import { isToned, tonedWords } from '../../language/words/toned-words.ts'
import { indexWords, questionWords } from '../../language/words/words.ts'
import type { CutPassage } from '../formats/cut-document.ts'
import {
  type DocumentFormat,
  isNamedBy,
  type ReadDocument,
  readDocument,
  type TextFormat,
} from '../formats/read-document.ts'
import { Unreadable } from '../formats/unreadable.ts'
import type { PassageRecord } from '../passage-store.ts'

export interface UnpreparedDocument {
  content: string
  format: DocumentFormat
  /** The title; null: the document's own title is used. */
  title: string | null
  /** The title if the document gives itself none. */
  otherwiseTitled: string | null
  /** Other ways to ask for it, as FAQ entries have. They are searched like the title, and never shown. */
  questions: readonly string[]
}

/** A document that is ready to be stored. */
export interface PreparedDocument {
  title: string | null
  /** Its address according to its front matter. */
  url: string | null
  /** The text as it was read, and the format in which to read it. */
  text: string
  format: TextFormat
  /** The reason for which it cannot be read; null: it was read. */
  refused: string | null
  /** Notes on what was left out of it, in words for people. */
  notes: string[]
  /** The number of its passages. */
  passages: number
  /** The number of index entries that the questions take. */
  questionEntries: number
  /** The passages in their order, in batches that one transaction can store. */
  batches: Iterable<PassageRecord[]>
}

/** The maximum length of a title in characters. Longer ones are cut. */
const LONGEST_TITLE = 500

/** Reads a document and cuts it into passages. These are cut into words only when their batch is taken. */
export function prepareDocument(document: UnpreparedDocument): PreparedDocument {
  const { refused, ...read } = readOrRefuse(document)
  const title =
    (document.title ?? read.title ?? document.otherwiseTitled)?.slice(0, LONGEST_TITLE).toWellFormed() || null
  const tones = [title ?? '', ...read.passages.map(({ text }) => text)].some(isToned) ? tonesOf : () => []
  const questions = document.questions.map((question) => termsOf(question, tones))
  const words = questions.reduce((sum, { size }) => sum + size, 0)
  const ownQuestions = read.passages.reduce((sum, { questions = [] }) => sum + questions.length, 0)
  return {
    title,
    url: read.url,
    text: read.text,
    format: read.format,
    refused,
    notes: read.notes,
    passages: read.passages.length,
    questionEntries: words * read.passages.length + ownQuestions,
    batches: batchesOf(read.passages, (passage) => toRecord(title ?? '', questions, passage, tones)),
  }
}

/** Returns a refusal instead of throwing it: an error loses its class on the way out of a thread. */
function readOrRefuse({ content, format }: UnpreparedDocument): ReadDocument & { refused: string | null } {
  try {
    return { ...readDocument(content, format), refused: null }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return {
      title: null,
      url: null,
      text: '',
      format: 'text',
      passages: [],
      notes: [],
      refused: error.message,
    }
  }
}

const PASSAGES_AT_ONCE = 50
const ENTRIES_AT_ONCE = 1000

function* batchesOf(
  passages: readonly CutPassage[],
  toRecord: (passage: CutPassage) => PassageRecord,
): Generator<PassageRecord[]> {
  let batch: PassageRecord[] = []
  let entries = 0
  for (const passage of passages) {
    const record = toRecord(passage)
    batch.push(record)
    entries += record.counts.size
    if (batch.length < PASSAGES_AT_ONCE && entries < ENTRIES_AT_ONCE) continue
    yield batch
    batch = []
    entries = 0
  }
  if (batch.length > 0) yield batch
}

/** The count of a word in the heading, and in each other way to ask: readers ask in the words of headings. */
const HEADING_WEIGHT = 2
/** The maximum count of a word of the text. Further repetition says nothing more. */
const MOST_REPEATS = 4

/** Returns the terms that tell apart words of a text that are alike without their tone marks. */
type Tones = (text: string) => string[]

const tonesOf: Tones = (text) => {
  const { marked, pairs } = tonedWords(text)
  return [...marked.map(({ written }) => written), ...pairs]
}

/** Returns the words by which a heading or a way to ask is found. */
function termsOf(question: string, tones: Tones): Set<string> {
  return new Set([...questionWords(question), ...tones(question)])
}

function toRecord(
  title: string,
  alternates: readonly ReadonlySet<string>[],
  { path, anchor, text, questions: own = [] }: CutPassage,
  tones: Tones,
): PassageRecord {
  const asked = [path.at(-1) ?? title, ...own].map((question) => termsOf(question, tones))
  const questions = [...asked, ...alternates]
  const around = new Set([title, ...path.slice(0, -1)].flatMap((heading) => [...termsOf(heading, tones)]))
  const words = indexWords(text)
  const counts = countEach([...words, ...tones(text)])
  for (const [word, count] of counts) counts.set(word, Math.min(count, MOST_REPEATS))
  for (const question of questions) addTo(counts, question, HEADING_WEIGHT)
  addTo(counts, around, 1)
  return {
    // The title stands above all headings, so the heading that repeats it would stand there twice.
    heading: (path.length > 1 && isNamedBy(title, path[0] ?? '') ? path.slice(1) : path).join(' › '),
    anchor,
    text,
    length: words.length + questions.reduce((sum, { size }) => sum + size, 0),
    counts,
  }
}

function countEach(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  addTo(counts, words, 1)
  return counts
}

function addTo(counts: Map<string, number>, words: Iterable<string>, weight: number): void {
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
}
