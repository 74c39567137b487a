import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { smallTalk, wishesForPerson } from '../src/language/small-talk.ts'

/** Measures how well small talk and wishes for a person are told from questions, on messages of our own and real ones. */

interface Labelled {
  kind: string
  message: string
  /** True of the third that nothing is tuned on. */
  isHeldBack: boolean
}

/** Reads the messages, each with its kind. */
export function labelledMessages(): Labelled[] {
  const lines = readFileSync(new URL('talk/messages.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [kind = '', message = ''] = line.split('\t')
      const hash = createHash('sha256').update(message).digest()[0] ?? 0
      return { kind, message, isHeldBack: hash % 3 === 0 }
    })
}

/** Returns what a message is taken for. */
export function takenFor(message: string): string {
  return wishesForPerson(message) ? 'wish' : (smallTalk(message)?.kind ?? 'question')
}

/** Precision and recall of a kind; of several together, the kind must be right as well. */
export function measure(messages: readonly Labelled[], kinds: (kind: string) => boolean) {
  const taken = messages.filter(({ message }) => kinds(takenFor(message)))
  const meant = messages.filter(({ kind }) => kinds(kind))
  const right = meant.filter(({ kind, message }) => takenFor(message) === kind).length
  return { taken: taken.length, meant: meant.length, right }
}

/** Reads the questions of the other benches, one a line, which may stand behind a tab or before one. */
function realQuestions(): string[] {
  const files = globSync(['knowledge/**/*.txt', 'support/**/*.txt'], { cwd: import.meta.dirname })
  return files.flatMap((file) =>
    readFileSync(new URL(file, import.meta.url), 'utf8')
      .split('\n')
      .flatMap((line) => line.split('\t'))
      .map((part) => part.replace(/^[#?=> -]+/, '').trim())
      .filter((part) => part !== ''),
  )
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const all = labelledMessages()
  const share = (part: number, of: number) => `${part} of ${of} (${((100 * part) / of).toFixed(1)}%)`
  for (const [name, messages] of [
    ['looked at', all.filter(({ isHeldBack }) => !isHeldBack)],
    ['held back', all.filter(({ isHeldBack }) => isHeldBack)],
  ] as const) {
    for (const [what, kinds] of [
      ['wishes', (kind: string) => kind === 'wish'],
      ['small talk', (kind: string) => kind !== 'wish' && kind !== 'question'],
    ] as const) {
      const { taken, meant, right } = measure(messages, kinds)
      print(`${name}, ${what}: precision ${share(right, taken)}, recall ${share(right, meant)}`)
    }
    if (name === 'looked at' || process.argv.includes('--show'))
      for (const { kind, message } of messages)
        if (takenFor(message) !== kind) print(`  ${kind} taken for ${takenFor(message)}: ${message}`)
  }
  const questions = realQuestions()
  const alarms = questions.filter((question) => takenFor(question) !== 'question')
  print(`questions of other benches: ${share(alarms.length, questions.length)} taken for talk`)
  for (const question of alarms) print(`  ${takenFor(question)}: ${question}`)
}
