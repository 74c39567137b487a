// How fast does a backlog of deliveries drain, beside a bare undici loop that signs and posts the same bytes with the
// same concurrency, and beside a floor: the loop with new connections that also takes and stores each delivery, and
// does nothing else? And does a healthy endpoint notice fifty that hang?

import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pino from 'pino'
import { Pool } from 'undici'
import { createAgent } from '../src/agents/create-agent.ts'
import { bySystem } from '../src/audit/record.ts'
import { raise } from '../src/events/raise.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { createOutbound, parsePrivateTargets } from '../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../src/lib/secrets/secret-box.ts'
import { deliverNotifications } from '../src/notifications/deliver.ts'
import { createNotification } from '../src/notifications/save-notification.ts'
import { openDatabase } from '../src/storage/database.ts'
import type { Tables } from '../src/storage/tables.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { median, quantile } from '../test/support/quantile.ts'
import { drainFloor, openPostgresDeliveries, openSqliteDeliveries } from './support/floor-deliveries.ts'
import { printTable } from './support/load.ts'
import { freePort, startServer } from './support/servers.ts'

reachAllAgents()

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const BACKLOG = Number(process.env.BACKLOG ?? 4000)
const AT_ONCE = 4
const EVENTS_OF_PROMPT = 4
const HANGING = 50
const PROBES = Number(process.env.PROBES ?? 1000)
const ENGINES = (process.env.ENGINES ?? 'sqlite postgres').split(' ') as ('sqlite' | 'postgres')[]

const box = createSecretBox(Buffer.alloc(32, 1).toString('base64'))
const logger = pino({ level: 'silent' })
const port = await freePort()
const postgres = await startPostgres({ isDurable: true })
const receiver = await startServer('receiver', ['bench/support/bare-receiver.ts', String(port)], port)

const rates: (string | number)[][] = [
  ['', 'notifications', 'per second', 'bare', 'of bare', 'bare, new connections', 'of it', 'floor', 'of it'],
]
const latencies: (string | number)[][] = [['event to endpoint', 'p50 ms', 'p99 ms', 'p99 with 50 that hang']]
for (const kind of ENGINES) {
  for (const notifications of [1, 10])
    rates.push([kind, notifications, ...(await drain(kind, notifications))])
  if (PROBES > 0) latencies.push([kind, ...(await besideHanging(kind))])
}
await receiver.stop()
await postgres.stop()
printTable(rates)
if (PROBES > 0) printTable(latencies)

/** Measures the deliveries a second of Parley, of two bare loops and of the floor, side by side in each round. */
async function drain(kind: 'sqlite' | 'postgres', notifications: number): Promise<number[]> {
  const service = await openService(kind)
  const each = BACKLOG / notifications
  for (let count = 0; count < notifications; count++) await service.notify(receiver.url)
  const own: number[] = []
  const kept: number[] = []
  const fresh: number[] = []
  const floors: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    let completion = ''
    for (let raised = 0; raised < each; raised += EVENTS_OF_PROMPT) {
      completion = await service.complete()
      await Promise.all(Array.from({ length: EVENTS_OF_PROMPT }, () => service.raiseOf(completion)))
    }
    const started = performance.now()
    const deliverer = service.deliver()
    await deliverer.start()
    // If it were asked more often, the query itself would be a tenth of the work.
    while (await service.isPending()) await wait(20)
    await deliverer.stop()
    const rate = BACKLOG / ((performance.now() - started) / 1000)
    const body = await service.payloadOf(completion)
    const bare = await bareRate(body, notifications * AT_ONCE, 1)
    const bareFresh = await bareRate(body, notifications * AT_ONCE, 0)
    const floor = await floorRate(service, body, notifications * AT_ONCE)
    if (round === 0) continue
    own.push(rate)
    kept.push(bare)
    fresh.push(bareFresh)
    floors.push(floor)
  }
  await service.close()
  const [rate, bare, bareFresh, floor] = [median(own), median(kept), median(fresh), median(floors)]
  return [rate, bare, rate / bare, bareFresh, rate / bareFresh, floor, floor / bareFresh]
}

/** Measures the floor: the deliveries that Parley has sent are sent once more. */
async function floorRate(
  service: Awaited<ReturnType<typeof openService>>,
  body: string,
  atOnce: number,
): Promise<number> {
  const count = await service.sendAgain(BACKLOG)
  const store = await service.openFloor()
  const pool = new Pool(receiver.url, { connections: atOnce, pipelining: 0 })
  const started = performance.now()
  await drainFloor(store, body, atOnce, () => post(pool, body))
  const rate = count / ((performance.now() - started) / 1000)
  await pool.close()
  await store.close()
  return rate
}

/** Measures a bare loop. @param pipelining 0 for a new connection for each request */
async function bareRate(body: string, atOnce: number, pipelining: number): Promise<number> {
  const pool = new Pool(receiver.url, { connections: atOnce, pipelining })
  let left = BACKLOG
  const started = performance.now()
  const work = async () => {
    while (left-- > 0) await post(pool, body)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const rate = BACKLOG / ((performance.now() - started) / 1000)
  await pool.close()
  return rate
}

async function post(pool: Pool, body: string): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const hex = createHmac('sha256', 'secret').update(`${seconds}.${body}`).digest('hex')
  const { body: answer } = await pool.request({
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/json',
      'x-webhook-signature': `sha256=${hex}`,
      'x-webhook-timestamp': String(seconds),
    },
    body,
  })
  await answer.dump()
}

/** Measures the time from an event's commit to its arrival at a healthy endpoint: alone, then while fifty hang. */
async function besideHanging(kind: 'sqlite' | 'postgres'): Promise<number[]> {
  const service = await openService(kind)
  const waits: number[] = []
  let committed = 0
  let arrived = Promise.withResolvers<void>()
  const healthy = createServer((request, response) => {
    waits.push(performance.now() - committed)
    request.resume().on('end', () => response.end('ok'))
    arrived.resolve()
  })
  const hanging = createServer(() => {})
  await service.notify(await listen(healthy))
  const deliverer = service.deliver()
  await deliverer.start()
  const probe = async () => {
    waits.length = 0
    for (let count = 0; count < PROBES; count++) {
      arrived = Promise.withResolvers()
      const completion = await service.complete()
      await service.raiseOf(completion)
      committed = performance.now()
      await arrived.promise
      await wait(Math.random() * 10)
    }
    return waits.toSorted((a, b) => a - b)
  }
  const alone = await probe()
  const address = await listen(hanging)
  for (let count = 0; count < HANGING; count++) await service.notify(address)
  const beside = await probe()
  hanging.closeAllConnections()
  hanging.close()
  const stopped = deliverer.stop()
  healthy.closeAllConnections()
  healthy.close()
  await stopped
  await service.close()
  return [quantile(alone, 0.5), quantile(alone, 0.99), quantile(beside, 0.99)]
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Opens a database with an agent, and the functions that raise and send its events. */
async function openService(kind: 'sqlite' | 'postgres') {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const databaseUrl = kind === 'postgres' ? await createPostgresDatabase() : null
  const database = await openDatabase({ databaseUrl, dataDir })
  await database.migrate()
  const { db } = database
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
  const now = new Date().toISOString()
  const { agentId, teamId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: Date.now() }))
  const conversation_id = `bench-${kind}`
  await db
    .insertInto('conversations')
    .values({ id: conversation_id, agent_id: agentId, team_id: teamId, sequence: 1, started_at: now })
    .execute()
  let completions = 0
  return {
    deliver: () => deliverNotifications({ database, box, outbound, clock: Date.now, logger }),
    notify: (url: string) =>
      createNotification(
        { db, box, outbound },
        agentId,
        { name: 'Bench', url, security: 'signature', events: ['response_end'], active: true },
        now,
        { ...bySystem, teamId },
      ),
    async complete(): Promise<string> {
      const id = `completion-${++completions}`
      await db.transaction().execute((db) => insertCompletion(db, id, agentId, conversation_id, now))
      return id
    },
    raiseOf: (completion_id: string) =>
      db.transaction().execute((db) =>
        raise(db, {
          key: 'response_end',
          agent_id: agentId,
          occurred_at: new Date().toISOString(),
          conversation_id,
          completion_id,
        }),
      ),
    async isPending(): Promise<boolean> {
      const open = await db
        .selectFrom('deliveries')
        .select('id')
        .where(sql<boolean>`state = 'pending'`)
        .limit(1)
        .execute()
      return open.length > 0
    },
    /** Makes the newest deliveries pending again. */
    async sendAgain(count: number): Promise<number> {
      const newest = db.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(count)
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set({ state: 'pending' })
        .where('id', 'in', newest)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
    openFloor: async () =>
      databaseUrl ? openPostgresDeliveries(databaseUrl) : openSqliteDeliveries(join(dataDir, 'parley.db')),
    async payloadOf(completion_id: string): Promise<string> {
      const { payload } = await db
        .selectFrom('deliveries')
        .select('payload')
        .where('completion_id', '=', completion_id)
        .where('state', '=', 'delivered')
        .limit(1)
        .executeTakeFirstOrThrow()
      return payload ?? ''
    },
    async close() {
      await outbound.close()
      await database.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Creates a database. The test servers' databases come with node:test, whose hooks make every promise slower. */
async function createPostgresDatabase(): Promise<string> {
  const server = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  const name = `bench_${process.pid}_${Date.now()}`
  await sql`create database ${sql.id(name)}`.execute(server.db)
  await server.close()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

async function insertCompletion(
  db: Kysely<Tables>,
  id: string,
  agent_id: number,
  conversation_id: string,
  created_at: string,
): Promise<void> {
  await db
    .insertInto('completions')
    .values({
      id,
      agent_id,
      conversation_id,
      created_at,
      answered_at: created_at,
      model: 'bench',
      finish_reason: 'stop',
      tags: '[]',
    })
    .execute()
  const message = { agent_id, conversation_id, completion_id: id, created_at }
  const words = 'Where is my order? I have waited for a week, and nobody tells me. '
  await db
    .insertInto('messages')
    .values([
      { ...message, role: 'user', content: JSON.stringify(words.repeat(2)) },
      { ...message, role: 'assistant', content: JSON.stringify(words.repeat(8)) },
    ])
    .execute()
}
