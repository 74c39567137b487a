import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { environmentWith } from '../../settings/environment.ts'
import type { BackupContent } from '../inspected-backup.ts'

/** The signals that end a command. A terminal that hangs up tells the tools itself, unless `nohup` keeps it from them. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Writes a dump of a database as it is at one moment: of all rows, since a session that names no agent reaches those of
 * all. It comes through this process, so that `pg_dump` ends when this is killed.
 * @param target an empty file
 */
export async function dumpDatabase(url: string, target: string): Promise<void> {
  // Without `--enable-row-security`, pg_dump refuses tables whose policies hold their owner, too.
  const words = ['--format=custom', '--no-owner', '--no-privileges', '--enable-row-security']
  const dump = start('pg_dump', words, url, 'pipe')
  const written = pipeline(dump.stdout ?? [], createWriteStream(target, { flags: 'r+' }))
  const end = ended('pg_dump', dump)
  // It is awaited when all bytes have come.
  end.catch(() => {})
  await written.catch((error: NodeJS.ErrnoException) => {
    // A disk that is full ends the tool; a tool that is not there writes nothing.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
  await end
}

/** Reads all of a dump, and needs no server. @throws Error if a part of it is damaged */
export async function inspectDump(file: string): Promise<BackupContent> {
  const read = startTool(() => spawn('pg_restore', ['--file=-', file], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const end = ended('pg_restore', read)
  // It is awaited when all lines have come.
  end.catch(() => {})
  const found: BackupContent = { migrations: [], tables: 0, rows: 0, installation: new Map() }
  let table: string | null = null
  for await (const line of linesOf(read.stdout)) {
    if (table === null) {
      table = /^COPY (?:"?\w+"?\.)?"?(\w+)"? \(.*\) FROM stdin;$/.exec(line)?.[1] ?? null
      if (table !== null) found.tables++
    } else if (line === '\\.') table = null
    else {
      found.rows++
      const [name = '', value = ''] = line.split('\t', 2)
      if (table === 'schema_migrations') found.migrations.push(name)
      if (table === 'installation') found.installation.set(name, value)
    }
  }
  await end
  return found
}

/** Yields the lines of a dump. Unlike those of `readline`, they may hold any other character that ends a line. */
async function* linesOf(dump: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of dump.setEncoding('utf8')) {
    const [first, ...more] = String(piece).split('\n')
    const lines = [rest + first, ...more]
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Restores a dump into a database without tables, all of it or nothing. Nothing in there is ever dropped. */
export async function restoreDump(url: string, file: string): Promise<void> {
  const words = ['--single-transaction', '--no-owner', '--no-privileges']
  await ended('pg_restore', start('pg_restore', [...words, file], url))
}

/**
 * Starts one of PostgreSQL's tools on a database. The password is in its environment, which only its own user can read,
 * and not in the address, which every user of the machine can.
 */
function start(
  tool: string,
  words: string[],
  url: string,
  output: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const address = new URL(url)
  const parameters = address.searchParams
  const password = parameters.get('password') ?? decodeURIComponent(address.password)
  address.password = ''
  parameters.delete('password')
  // PostgreSQL reads no plus as a space.
  address.search = parameters.toString().replaceAll('+', '%20')
  return startTool(() =>
    spawn(tool, ['--no-password', `--dbname=${address.href}`, ...words], {
      stdio: ['ignore', output, 'pipe'],
      env: environmentWith(password ? { PGPASSWORD: password } : {}),
    }),
  )
}

/** Starts a tool that a signal ends in place of this process, so that it never goes on alone. */
function startTool<T extends ChildProcess>(start: () => T): T {
  const stop = () => void tool.kill()
  // The tool may run before its start returns.
  for (const signal of SIGNALS) process.on(signal, stop)
  const tool = start()
  return tool.once('close', () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  })
}

/** Waits for a tool. @throws Error with the first thing that it complained of */
async function ended(tool: string, child: ChildProcess): Promise<void> {
  const said = child.stderr ? text(child.stderr) : ''
  const [code, signal] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `${tool} is not there: install PostgreSQL's client programs, of the server's version or newer`,
    )
  })
  if (code === 0) return
  const [first = ''] = (await said).split('\n')
  throw new Error(first === '' ? `${tool} ended with ${code ?? signal}` : first)
}
