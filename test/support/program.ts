import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { borrow } from './lend.ts'
import type { LentProgram } from './program-of-run.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Gives a process the memory to load its modules without collecting garbage, which takes a third of the processor time
 * of a start. For users, the service saves that memory.
 */
const ROOMY = '--min-semi-space-size=16'

const SOURCES: LentProgram = {
  main: join(ROOT, 'src/main.js'),
  lockOrder: join(ROOT, 'test/support/lock-order.ts'),
  compiled: null,
}

let current: Promise<LentProgram> | undefined

/** Returns the program: the bundle of the run, or the sources where a test file runs by itself. */
export function programFiles(): Promise<LentProgram> {
  current ??= borrow<LentProgram>('program').then((lent) => lent ?? SOURCES)
  return current
}

/**
 * Starts a command of the program in a process. What it does on PostgreSQL is held to the order of locks.
 * @param env settings beside the environment of this process
 * @param program the program of another version
 */
export async function startProgram(
  words: readonly string[],
  {
    env = {},
    flags = [],
    program,
    ...options
  }: SpawnOptions & { env?: Record<string, string>; flags?: string[]; program?: LentProgram } = {},
): Promise<ChildProcessWithoutNullStreams> {
  const { main, lockOrder, compiled } = program ?? (await programFiles())
  const held = env.PARLEY_DATABASE_URL ? [`--import=${pathToFileURL(lockOrder)}`] : []
  const child = spawn(process.execPath, [ROOMY, ...held, ...flags, main, ...words], {
    ...options,
    env: { ...process.env, ...(compiled === null ? {} : { NODE_COMPILE_CACHE: compiled }), ...env },
  })
  // Streams that the options leave out are null.
  return child as ChildProcessWithoutNullStreams
}

/** Runs a command to its end. @param input what it reads */
export async function runProgram(
  words: readonly string[],
  options: Parameters<typeof startProgram>[1] & { input?: string } = {},
): Promise<{ out: string; err: string; code: number | null }> {
  const { input = '', ...rest } = options
  const child = await startProgram(words, rest)
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  // The command may end before it has read everything.
  child.stdin.on('error', () => {}).end(input)
  const [out, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended])
  return { out: out.toString(), err: err.toString(), code }
}

/** Prints what a process writes to its stderr, with the places in the bundle as those in the sources. */
export async function passOnErrors({ stderr }: ChildProcessWithoutNullStreams): Promise<void> {
  for await (const line of createInterface({ input: stderr }))
    process.stderr.write(`${line.replaceAll(PLACE, inSources)}\n`)
}

const PLACE = /(?:file:\/\/)?(\/[^\s():]+\.mjs):(\d+)(?::(\d+))?/g
const maps = new Map<string, SourceMap>()

/** Returns a place of the bundle as that in the sources. */
function inSources(place: string, file: string, line: string, column = '1'): string {
  if (!existsSync(`${file}.map`)) return place
  const map =
    maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  maps.set(file, map)
  const found = map.findOrigin(Number(line), Number(column))
  return 'fileName' in found
    ? `${join(dirname(file), found.fileName)}:${found.lineNumber}:${found.columnNumber}`
    : place
}
