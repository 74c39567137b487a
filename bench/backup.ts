// How long does a backup take, and how long do prompts wait meanwhile? GB sets the size of the database: of SQLite, or of
// PostgreSQL on the server that PARLEY_TEST_DATABASE_URL names. RATE sets the prompts a second. FOLDER is on a disk with
// room for twice as much.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { openDatabase } from '../src/storage/database.ts'
import { quantile } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { MASTER_KEY, ROOT, startParley } from './support/servers.ts'

reachAllAgents()

const GB = Number(process.env.GB ?? 1)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const NAME = 'parley_bench_backup'
const PROMPTS_A_SECOND = Number(process.env.RATE ?? 20)
/** The length of each message that fills the database, and the number that one statement stores. */
const LENGTH = 10_000
const AT_ONCE = 10_000

const folder = await mkdtemp(join(process.env.FOLDER ?? tmpdir(), 'parley-bench-backup-'))
const place = { databaseUrl: SERVER ? await createDatabase(SERVER, NAME) : null, dataDir: folder }
const env: Record<string, string> = place.databaseUrl ? { PARLEY_DATABASE_URL: place.databaseUrl } : {}
const first = await startParley(env, folder)
await first.stop()
await fill()
const parley = await startParley(env, folder)
const file = join(folder, 'copy.backup')
const rows: (string | number)[][] = []
await measure('nothing', () => wait(15_000))
await measure('parley backup', command('backup', file))
const { size } = await stat(file)
await measure('parley restore --verify', command('restore', file, '--verify'))
await parley.stop()
printTable([
  ['beside', 'seconds', 'prompts', 'p50 ms', 'p99 ms', 'longest ms', 'service MiB', 'command MiB'],
  ...rows,
])
process.stdout.write(`the backup has ${(size / 1e9).toFixed(2)} GB\n`)
if (SERVER) await dropDatabase(SERVER, NAME)
await rm(folder, { recursive: true, force: true })

/** Adds messages that no search looks at until the database has its size. */
async function fill(): Promise<void> {
  const { db, engine, close } = await openDatabase(place)
  const isSqlite = place.databaseUrl === null
  if (!isSqlite) await sql`alter table messages alter content set storage external`.execute(db)
  const text = isSqlite
    ? sql`hex(randomblob(${sql.lit(LENGTH / 2)}))`
    : sql`repeat(md5(n::text), ${sql.lit(Math.ceil(LENGTH / 32))})`
  while ((await engine.load()).bytes < GB * 1e9)
    await sql`insert into messages (agent_id, conversation_id, role, content, created_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(AT_ONCE)})
      select 1, 'conversation', 'system', ${text}, '2026-11-26T12:00:00.000Z' from numbers`.execute(db)
  await close()
}

/** Sends prompts at a steady rate while some work is done, whether or not earlier ones are answered. */
async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const latencies: number[] = []
  const prompts: Promise<void>[] = []
  let memory = 0
  const sending = setInterval(() => {
    memory = Math.max(memory, parley.memory())
    prompts.push(prompt(latencies))
  }, 1000 / PROMPTS_A_SECOND)
  const used = await work()
  const seconds = (performance.now() - began) / 1000
  clearInterval(sending)
  await Promise.all(prompts)
  latencies.sort((a, b) => a - b)
  rows.push([
    name,
    seconds,
    latencies.length,
    quantile(latencies, 0.5),
    quantile(latencies, 0.99),
    latencies.at(-1) ?? 0,
    memory,
    typeof used === 'number' ? used : '',
  ])
}

async function prompt(latencies: number[]): Promise<void> {
  const began = performance.now()
  const answer = await fetch(`${parley.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...first.headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Where is my parcel?' }] }),
  })
  await answer.text()
  if (answer.status !== 200) throw new Error(`a prompt was answered with ${answer.status}`)
  latencies.push(performance.now() - began)
}

/** Runs a command of Parley; returns the most memory that it took, in MiB. */
function command(...words: string[]): () => Promise<number> {
  return async () => {
    const child = spawn(process.execPath, ['src/main.js', ...words], {
      cwd: ROOT,
      env: { ...process.env, PARLEY_DATA_DIR: folder, PARLEY_MASTER_KEY: MASTER_KEY, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    let kib = 0
    const looking = setInterval(() => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      kib = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? kib)
    }, 200)
    const [code] = await once(child, 'exit')
    clearInterval(looking)
    if (code !== 0) throw new Error(`parley ${words[0]} ended with ${code}`)
    return kib / 1024
  }
}
