import { readFileSync } from 'node:fs'

/** A question with its answer, other ways to ask it, and what the bench asks. */
export interface Entry {
  question: string
  alternates: string[]
  answer: string
  asked: string[]
}

/** Reads `faq.txt`: blocks of lines marked Q (question), + (alternate), A (answer) and ? (asked by the bench). */
export function readFaq(): Entry[] {
  return read('faq.txt')
    .split(/\n\n+/)
    .map((block) => {
      const lines = block.split('\n')
      const marked = (mark: string) =>
        lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2))
      const [question = ''] = marked('Q')
      const [answer = ''] = marked('A')
      return { question, alternates: marked('+'), answer, asked: marked('?') }
    })
}

/** Questions that no entry answers. */
export function readUnanswerable(): string[] {
  return read('unanswerable.txt').split('\n')
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8').trim()
}
