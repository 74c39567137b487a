import { readFileSync } from 'node:fs'

/** A question with its answer, other ways to ask it, and what the bench asks. */
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

/** The public sets, whose files say where they come from and under which licence, and the one written for this bench. */
export function readQuestionSets(): QuestionSet[] {
  const outOfScope = readLines('clinc150-unanswerable.txt')
  return [
    { name: 'BANKING77', entries: readKinds('banking77.txt'), unanswerable: outOfScope },
    { name: 'CLINC150', entries: readKinds('clinc150.txt'), unanswerable: outOfScope },
    { name: 'shop', entries: readFaq('faq.txt'), unanswerable: readLines('unanswerable.txt') },
  ]
}

/** Questions about nothing in particular. */
export function readOutOfScope(): string[] {
  return [...readLines('clinc150-unanswerable.txt'), ...readLines('unanswerable.txt')]
}

/** Blocks of lines marked Q (question), + (alternate), A (answer) and ? (asked by the bench). */
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

/** Blocks of a kind's name, which stands for the answer, a question, its alternates, and what the bench asks. */
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

/** A file's text without the lines at its head that say what it is. */
function read(name: string): string {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text.replace(/^(?:#.*\n)+/, '').trim()
}
