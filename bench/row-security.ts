// What does row-level security cost a prompt on PostgreSQL? Two processes on one server are asked by turns: one as an
// ordinary role, which is held to the policies, the other as a superuser, who is not. The processor time of PostgreSQL is
// that of all its processes, less what they take while nobody asks.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, superuserOf } from '../test/support/postgres.ts'
import { median, quantile } from '../test/support/quantile.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { type Load, load, printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 12)
const SECONDS = Number(process.env.SECONDS ?? 4)
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 8)
const TICK_MS = 10
const REST_MS = 5000

/** A burst of prompts, with the processor time of PostgreSQL in milliseconds for each of them. */
interface Burst extends Load {
  ofDatabase: number
}

const server = await startPostgres({ isDurable: true })
const superuser = superuserOf(server.url)
if (!superuser) throw new Error('the bench starts a server of its own: unset PARLEY_TEST_DATABASE_URL')
const postmaster = await postmasterOf(server.url)
const port = await freePort()
const model = await startServer('model', ['bench/support/model-server.ts', `${port}`, 'packet'], port)
const ways: { name: string; address: string; database: string; parley: BenchServer; bursts: Burst[] }[] = []
for (const [name, address] of [
  ['with policies', server.url],
  ['without', superuser.href],
] as const) {
  const database = `parley_bench_${name.replace(' ', '_')}`
  const env = {
    PARLEY_DATABASE_URL: await createDatabase(address, database),
    PARLEY_MODEL_URL: `${model.url}/v1`,
    PARLEY_MODEL: 'any',
    PARLEY_LOG_LEVEL: 'error',
  }
  ways.push({ name, address, database, parley: await startParley(env), bursts: [] })
}
await wait(REST_MS)
const resting = processorMs()
await wait(REST_MS)
/** The processor time that PostgreSQL takes each second when nobody asks. */
const restingMs = ((processorMs() - resting) * 1000) / REST_MS
for (let round = -1; round < ROUNDS; round++)
  for (const { parley, bursts } of round % 2 ? ways : ways.toReversed()) {
    const [before, began] = [processorMs(), performance.now()]
    const asked = await load(parley, {
      path: '/api/v1/chat/completions',
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Where is my parcel?' }] }),
      connections: CONNECTIONS,
      seconds: SECONDS,
    })
    const used = processorMs() - before - (restingMs * (performance.now() - began)) / 1000
    if (round >= 0) bursts.push({ ...asked, ofDatabase: used / asked.latencies.length })
  }
const row = (name: string, of: (burst: Burst) => number) => {
  const [first, second] = ways.map(({ bursts }) => bursts.map(of))
  const ratios = (first ?? []).map((value, at) => value / (second?.[at] ?? 1)).sort((a, b) => a - b)
  const [least, middle, most] = [0.1, 0.5, 0.9].map((share) => quantile(ratios, share).toFixed(2))
  return [name, median(first ?? []), median(second ?? []), `${middle} (${least} to ${most})`]
}
printTable([
  ['a prompt', ...ways.map(({ name }) => name), 'ratio in a round: median (8 of 10)'],
  row('Parley, processor ms', ({ cpu }) => cpu),
  row('PostgreSQL, processor ms', ({ ofDatabase }) => ofDatabase),
  row('both', ({ cpu, ofDatabase }) => cpu + ofDatabase),
  row('p50 ms', ({ latencies }) => quantile(latencies, 0.5)),
  row('prompts a second', ({ perSecond }) => perSecond),
])
for (const { parley, address, database } of ways) {
  await parley.stop()
  await dropDatabase(address, database)
}
await model.stop()
await server.stop()

/** Returns the process whose children serve the connections of a server. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const parent = Number(statOf(rows[0]?.pid)[1])
  await client.end()
  return parent
}

/** Returns the processor time of all processes of PostgreSQL, also of those that have ended. */
function processorMs(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const stat = statOf(pid)
    if (pid === postmaster) for (const at of [11, 12, 13, 14]) ticks += Number(stat[at])
    else if (Number(stat[1]) === postmaster) ticks += Number(stat[11]) + Number(stat[12])
  }
  return ticks * TICK_MS
}

/** Returns what the system tells of a process behind its name; nothing of one that has just ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
