// Times one call in a process of its own, which is ended at a limit, and so tells how long hostile input would hold up
// an event loop. As a program: `time-aside.ts <module> <reader>`, with the text on its input.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { processorTime } from '../../test/support/processor-time.ts'

type Readers = Record<string, (text: string) => unknown>

/** The time after which a reader is ended. */
const LIMIT_MS = 10_000

/**
 * Returns the milliseconds of processor time that a reader takes for a text, after it has read some short ones; or in
 * words why it did not read it.
 * @param module exports `openReaders`
 */
function timeAside(module: URL, reader: string, text: string): number | 'ended' | 'fails' {
  const { stdout, error, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), fileURLToPath(module), reader],
    { input: text, timeout: LIMIT_MS, killSignal: 'SIGKILL', encoding: 'utf8' },
  )
  if (error) return 'ended'
  return status === 0 ? Number(stdout) : 'fails'
}

/** Repeats each of some pieces of markup until it is as long as asked. */
export function hostileTexts(pieces: readonly string[], length: number): { name: string; text: string }[] {
  return pieces.map((piece) => ({
    name: JSON.stringify(piece),
    text: piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  }))
}

/** Names the texts that take a reader longest with their milliseconds, and those that it does not read. */
export function slowestOf(
  module: URL,
  reader: string,
  texts: readonly { name: string; text: string }[],
): string {
  const all = texts.map(({ name, text }) => {
    const ms = timeAside(module, reader, text)
    return { ms, said: `${name} ${typeof ms === 'number' ? ms.toFixed(0) : ms}` }
  })
  const order = ({ ms }: { ms: number | string }) => (typeof ms === 'number' ? ms : Number.POSITIVE_INFINITY)
  return all
    .sort((a, b) => order(b) - order(a))
    .filter(({ ms }, at) => at < 3 || typeof ms === 'string')
    .map(({ said }) => said)
    .join(', ')
}

if (import.meta.main) {
  const [module = '', reader = ''] = process.argv.slice(2)
  const { openReaders } = (await import(pathToFileURL(module).href)) as { openReaders(): Promise<Readers> }
  const read = (await openReaders())[reader]
  if (!read) throw new Error(`there is no reader '${reader}'`)
  const text = readFileSync(0, 'utf8')
  for (let round = 0; round < 50; round++) read('Some *words* and a `few` more.\n\n- one\n- two\n')
  const elapsed = processorTime()
  read(text)
  process.stdout.write(String(elapsed()))
}
