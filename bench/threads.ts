// Compares our threads with the pools piscina and tinypool: what a task costs, how long one team's task waits behind those
// of another, and what becomes of tasks that take too long or too much memory.
import { fileURLToPath } from 'node:url'
import { openThreads } from '../src/lib/pacing/threads.ts'
import { median } from '../test/support/quantile.ts'
import { importPeer, installPeers } from './support/install-peers.ts'
import { printTable } from './support/load.ts'
import type * as tasks from './threads/tasks.ts'

const PEERS = fileURLToPath(new URL('.peers/threads/', import.meta.url))
const filename = fileURLToPath(new URL('threads/tasks.ts', import.meta.url))
const THREADS = 3
const LIMIT_MS = 1000
const LIMIT_MB = 200
const ROUNDS = 500
/** The tasks of the team that comes first, of 20 ms each. */
const AHEAD = 100

type Name = keyof typeof tasks
interface Pool {
  run(team: number, name: Name, argument: unknown): Promise<unknown>
  close(): Promise<void>
}
interface Other {
  run(task: unknown, options: { name: Name; signal: AbortSignal }): Promise<unknown>
  destroy(): Promise<void>
}
type OtherClass = new (options: object) => Other

installPeers(PEERS, { piscina: '5.3.2', tinypool: '2.2.0' })
const { default: Piscina } = await importPeer<{ default: OtherClass }>(PEERS, 'piscina')
const { Tinypool } = await importPeer<{ Tinypool: OtherClass }>(PEERS, 'tinypool')
const pools: Record<string, () => Pool> = {
  own: openOwn,
  piscina: () => openOther(Piscina),
  tinypool: () => openOther(Tinypool),
}

const rows = [
  await ofEach('µs for a task with 100 characters', (pool) => roundTrip(pool, 100, 1000)),
  await ofEach('ms for one with 1 MB', (pool) => roundTrip(pool, 1_000_000, 1)),
  await ofEach(`ms of waiting behind ${AHEAD} tasks of another team`, waiting),
  await ofEach(`of 10 tasks of ${LIMIT_MS / 2} ms, ended by a limit of ${LIMIT_MS} ms`, endedInQueue),
  await ofEach('a task that never ends', async (pool) => outcome(await failure(pool.run(1, 'spin', null)))),
  await ofEach(`buffers of ${3 * LIMIT_MB} MB, with a limit of ${LIMIT_MB}`, async (pool) =>
    outcome(await failure(pool.run(1, 'hoard', 3 * LIMIT_MB))),
  ),
]
printTable([['', ...Object.keys(pools)], ...rows])

function openOwn(): Pool {
  const limits = { most: THREADS, ofTeam: THREADS - 1, milliseconds: LIMIT_MS, grownMegabytes: LIMIT_MB }
  const threads = openThreads<Record<Name, (argument: unknown) => unknown>>(
    new URL('threads/thread', import.meta.url),
    limits,
  )
  return { run: (team, name, argument) => threads.run(team, name, argument), close: threads.close }
}

function openOther(Class: OtherClass): Pool {
  const resourceLimits = { maxOldGenerationSizeMb: LIMIT_MB }
  const threads = { minThreads: 0, maxThreads: THREADS, idleTimeout: 60_000 }
  const pool = new Class({ filename, ...threads, resourceLimits })
  return {
    run: (_team, name, argument) => pool.run(argument, { name, signal: AbortSignal.timeout(LIMIT_MS) }),
    close: () => pool.destroy(),
  }
}

async function ofEach(name: string, measure: (pool: Pool) => Promise<string>): Promise<string[]> {
  const row = [name]
  for (const open of Object.values(pools)) {
    const pool = open()
    row.push(await measure(pool))
    await pool.close()
  }
  return row
}

/** Measures tasks one after the other. Returns the median, in milliseconds times a factor. */
async function roundTrip(pool: Pool, length: number, factor: number): Promise<string> {
  const text = 'x'.repeat(length)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await pool.run(1, 'echo', text)
    times.push(performance.now() - start)
  }
  return (factor * median(times)).toFixed(factor === 1 ? 1 : 0)
}

async function waiting(pool: Pool): Promise<string> {
  await Promise.all(Array.from({ length: THREADS }, (_, team) => pool.run(team, 'work', 50)))
  const ahead = Array.from({ length: AHEAD }, () => pool.run(1, 'work', 20))
  const start = performance.now()
  await pool.run(2, 'echo', '')
  const waited = performance.now() - start
  await Promise.all(ahead)
  return waited.toFixed(0)
}

async function endedInQueue(pool: Pool): Promise<string> {
  const failures = Array.from({ length: 10 }, () => failure(pool.run(1, 'work', LIMIT_MS / 2)))
  return String((await Promise.all(failures)).filter((one) => one !== null).length)
}

async function failure(running: Promise<unknown>): Promise<unknown> {
  return running.then(
    () => null,
    (error: unknown) => error,
  )
}

function outcome(error: unknown): string {
  return error === null ? 'done' : 'ended'
}
