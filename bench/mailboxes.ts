// How long from an event's commit to its worker's start, at a hundred a second? How fast does a backlog drain?
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { createAgent } from '../src/agents/create-agent.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { acceptItems } from '../src/mailboxes/accept.ts'
import { updateItems } from '../src/mailboxes/items.ts'
import { runMailboxes } from '../src/mailboxes/run-mailboxes.ts'
import { MAILBOXES } from '../src/mailboxes/topics.ts'
import { openFreshDatabase } from '../test/support/databases.ts'
import { quantile } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'

reachAllAgents()
const EVENTS = 1000
const BACKLOG = 10_000
const CHATS = 200

const rows: (string | number)[][] = [['', 'start p50 ms', 'p99 ms', 'backlog drained, a second']]
for (const kind of ['sqlite', 'postgres'] as const) {
  const database = await openFreshDatabase(kind)
  const { db, wakeUps, fresh } = database
  const accept = acceptItems(db, database.engine, Date.now)
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  const channel = { id: 1, agent_id: agentId }
  const committed = new Map<string, number>()
  const waits: number[] = []
  let done = 0
  const start = () => {
    const runner = runMailboxes({
      database,
      clock: Date.now,
      logger: pino({ level: 'silent' }),
      work: {
        next: (_mailbox, items) => items,
        async run({ items, lease }) {
          const now = performance.now()
          for (const { source_id } of items) waits.push(now - (committed.get(source_id ?? '') ?? now))
          await db.transaction().execute(async (db) => {
            await lease.hold(db)
            const ids = items.map(({ id }) => id)
            await updateItems(db, ids, {
              state: 'done',
              payload: null,
              finished_at: new Date().toISOString(),
            })
          })
          done += items.length
        },
        parked: async () => {},
      },
    })
    void runner.start()
    return runner
  }
  const item = (index: number) => ({
    sourceId: `event-${index}`,
    thread: `person-${index % CHATS}`,
    kind: 'message' as const,
    payload: { text: 'hello' },
    writableUntil: null,
  })

  let runner = start()
  const begun = performance.now()
  for (let index = 0; index < EVENTS; index++) {
    const early = begun + index * 10 - performance.now()
    if (early > 0) await wait(early)
    void accept({ channel, items: [item(index)], delayMs: 0 }).then(() => {
      committed.set(`event-${index}`, performance.now())
      wakeUps.send(MAILBOXES)
    })
  }
  while (done < EVENTS) await wait(5)
  await runner.stop(1000)
  const sorted = waits.toSorted((a, b) => a - b)

  for (let index = EVENTS; index < EVENTS + BACKLOG; index += 500) {
    const items = Array.from({ length: 500 }, (_, offset) => item(index + offset))
    await accept({ channel, items, delayMs: 0 })
  }
  const drained = performance.now()
  runner = start()
  while (done < EVENTS + BACKLOG) await wait(1)
  const rate = BACKLOG / ((performance.now() - drained) / 1000)
  await runner.stop(1000)
  rows.push([kind, quantile(sorted, 0.5), quantile(sorted, 0.99), rate])
  await database.close()
  await fresh.remove()
}
printTable(rows)
process.exit()
