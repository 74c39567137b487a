import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { environmentWith } from '../../config.ts'
import type { InspectedBackup } from '../inspected-backup.ts'
import { writeWhole } from '../write-whole.ts'

/** The signals that end a command. A terminal that hangs up tells the tools itself, unless `nohup` keeps it from them. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Writes a dump of a database as it is at one moment. @param target a file that does not exist */
export async function dumpDatabase(url: string, target: string): Promise<void> {
  await writeWhole(target, async (partial) => {
    const words = ['--format=custom', '--no-owner', '--no-privileges', `--file=${partial}`]
    await ended('pg_dump', start('pg_dump', words, url))
  })
}

/** Reads all of a dump, and needs no server. @throws Error if a part of it is damaged */
export async function inspectDump(file: string): Promise<InspectedBackup> {
  const read = startTool(() => spawn('pg_restore', ['--file=-', file], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const end = ended('pg_restore', read)
  // It is awaited when all lines have come.
  end.catch(() => {})
  const found: InspectedBackup = { migrations: [], tables: 0, rows: 0, installation: new Map() }
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
function start(tool: string, words: string[], url: string): ChildProcess {
  const address = new URL(url)
  const parameters = address.searchParams
  const password = parameters.get('password') ?? decodeURIComponent(address.password)
  address.password = ''
  parameters.delete('password')
  // PostgreSQL reads no plus as a space.
  address.search = parameters.toString().replaceAll('+', '%20')
  return startTool(() =>
    spawn(tool, ['--no-password', `--dbname=${address.href}`, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
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
