// How long does anybody wait while `migrate` brings a filled database up to date? Prompts and reads are those of an old
// replica. With PARLEY_TEST_DATABASE_URL on PostgreSQL, else on SQLite, where only commands can run beside `migrate`. SIZE
// sets the number of conversations. PIECES_S bounds the seconds of each step that changes rows a few at a time, in
// transactions whose length does not depend on the size: what was not changed is then left as it is, and the background
// work is left out.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { finishMigrations } from '../src/app/finish-migrations.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { startRedactionWork } from '../src/redaction/redaction-work.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Migration } from '../src/storage/migration.ts'
import { migrations } from '../src/storage/migrations.ts'
import { assertUpgraded, fillOldSchema, OLD, upTo } from '../test/support/old-schema.ts'
import { threadMs } from '../test/support/processor-time.ts'
import { median } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import type { Waited } from './support/upgrade-load.ts'

reachAllAgents()

const SIZE = Number(process.env.SIZE ?? 200_000)
const PIECES_S = Number(process.env.PIECES_S ?? Number.POSITIVE_INFINITY)
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const NAME = 'parley_bench_upgrade'
/** The steps that are listed: those for which somebody waited longest. */
const LISTED = 12

const dataDir = await mkdtemp(join(process.env.FOLDER ?? tmpdir(), 'parley-bench-upgrade-'))
const place = { databaseUrl: SERVER ? await createDatabase(SERVER, NAME) : null, dataDir }
const database = await openDatabase(place)
const log = (words: string) => process.stderr.write(`${new Date().toISOString().slice(11, 23)} ${words}\n`)
const now = () => performance.timeOrigin + performance.now()
await database.migrate({ migrations: upTo(OLD) })
log(`filling ${SIZE} conversations`)
await fillOldSchema(database.db, SIZE)
await sql`analyze`.execute(database.db)

const redactionWork = startRedactionWork()
const worker = new Worker(new URL('./support/upgrade-load.ts', import.meta.url), {
  workerData: { place, size: SIZE },
})
/** The beginning of a phase or of a step within one, with the processor time of this thread until then. */
interface Begun {
  name: string
  at: number
  used: number
}

const phases: Begun[] = []
const steps: Begun[] = []
const begun = (name: string) => ({ name, at: now(), used: threadMs() })
const begin = (name: string) => {
  log(name)
  phases.push(begun(name))
  steps.push(begun(name))
}
const report = (words: string) => {
  log(words)
  // A step tells how far it is.
  if (!words.endsWith('so far') && !words.startsWith('waiting')) steps.push(begun(words))
}

begin('before')
await wait(5000)
begin('migrate')
await database.migrate({ migrations: migrations.map(bounded), report })
if (!Number.isFinite(PIECES_S)) {
  begin('background')
  await finishMigrations({ ...database, redactionWork, report })
}
const [end, usedInAll] = [now(), threadMs()]
worker.postMessage('stop')
const waits = await new Promise<Waited[]>((resolve, reject) =>
  worker.once('message', resolve).once('error', reject),
)

const secondsOf = (list: typeof phases, at: number) =>
  ((list[at + 1]?.at ?? end) - (list[at]?.at ?? end)) / 1000
const processorSecondsOf = (list: typeof phases, at: number) =>
  ((list[at + 1]?.used ?? usedInAll) - (list[at]?.used ?? usedInAll)) / 1000
/** Returns the waits that fell mostly into one part of a list. */
function within(list: typeof phases, at: number, kind: Waited['kind']): number[] {
  const [from, to] = [list[at]?.at ?? end, list[at + 1]?.at ?? end]
  return waits
    .filter((wait) => {
      const overlap = Math.min(wait.ended, to) - Math.max(wait.began, from)
      return wait.kind === kind && overlap > (wait.ended - wait.began) / 2
    })
    .map(({ began, ended }) => ended - began)
    .sort((a, b) => a - b)
}
const longest = (list: typeof phases, at: number, kind: Waited['kind']) => within(list, at, kind).at(-1) ?? 0
printTable([
  ['phase', 'seconds', 'prompts', 'p50 in ms', 'longest in ms', 'longest read in ms'],
  ...phases.map(({ name }, at) => {
    const times = within(phases, at, 'prompt')
    return [
      name,
      secondsOf(phases, at),
      times.length,
      median(times),
      times.at(-1) ?? 0,
      longest(phases, at, 'read'),
    ]
  }),
])
printTable([
  ['step', 'seconds', 'processor seconds', 'longest prompt in ms', 'longest read in ms'],
  ...steps
    .map(({ name }, at) => ({ name, at, ms: longest(steps, at, 'prompt') }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, LISTED)
    .map(({ name, at, ms }) => [
      name,
      secondsOf(steps, at),
      processorSecondsOf(steps, at),
      ms,
      longest(steps, at, 'read'),
    ]),
])
if (!Number.isFinite(PIECES_S)) await assertUpgraded(database.db)
await redactionWork.close()
await database.close()
if (SERVER) await dropDatabase(SERVER, NAME)
await rm(dataDir, { recursive: true, force: true })

/** Returns a migration whose steps in pieces end after some seconds. */
function bounded({ steps, ...migration }: Migration): Migration {
  return {
    ...migration,
    steps: steps.map((step) => {
      if (!('pieces' in step)) return step
      let until: number | undefined
      const piece: typeof step.pieces.piece = async (...input) => {
        until ??= performance.now() + PIECES_S * 1000
        return performance.now() > until ? null : step.pieces.piece(...input)
      }
      return { pieces: { ...step.pieces, piece } }
    }),
  }
}
