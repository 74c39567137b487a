import { readFileSync } from 'node:fs'

/** A question with its answer, other ways to ask it, and the bench's own questions. */
export interface Entry {
  question: string
  alternates: string[]
  answer: string
  asked: string[]
}

/** Entries, and questions that none of them answers. */
export interface QuestionSet {
  name: string
  entries: Entry[]
  unanswerable: string[]
}

/** Reads the public sets, whose files name their sources and licences, and the set written for this bench. */
export function readQuestionSets(): QuestionSet[] {
  const outOfScope = readLines('clinc150-unanswerable.txt')
  return [
    { name: 'BANKING77', entries: readKinds('banking77.txt'), unanswerable: outOfScope },
    { name: 'CLINC150', entries: readKinds('clinc150.txt'), unanswerable: outOfScope },
    { name: 'shop', entries: readFaq('faq.txt'), unanswerable: readLines('unanswerable.txt') },
  ]
}

/** Reads questions that belong to no subject of the sets. */
export function readOutOfScope(): string[] {
  return [...readLines('clinc150-unanswerable.txt'), ...readLines('unanswerable.txt')]
}

/** Reads blocks of lines marked Q (question), + (alternate), A (answer) and ? (asked by the bench). */
function readFaq(name: string): Entry[] {
  return readBlocks(name).map((lines) => {
    const marked = (mark: string) =>
      lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2))
    const [question = ''] = marked('Q')
    const [answer = ''] = marked('A')
    return { question, alternates: marked('+'), answer, asked: marked('?') }
  })
}

const ALTERNATES = 4

/** Reads blocks of a kind's name (the answer), a question, its alternates, and the questions that the bench asks. */
function readKinds(name: string): Entry[] {
  return readBlocks(name).map(([answer = '', question = '', ...others]) => ({
    question,
    alternates: others.slice(0, ALTERNATES),
    answer,
    asked: others.slice(ALTERNATES),
  }))
}

function readBlocks(name: string): string[][] {
  return read(name)
    .split(/\n\n+/)
    .map((block) => block.split('\n'))
}

function readLines(name: string): string[] {
  return read(name).split('\n')
}

/** Reads a file without its head of comment lines. */
function read(name: string): string {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text.replace(/^(?:#.*\n)+/, '').trim()
}
