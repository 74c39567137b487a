// How many conversations that wait are given to people in a second, one after the other and by six that try at once, as
// processes do? With PARLEY_TEST_DATABASE_URL on PostgreSQL, else on SQLite. SIZE conversations wait in a group.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAgent } from '../src/agents/create-agent.ts'
import { writeAgents } from '../src/groups/group.ts'
import { insertGroup, writeMembers } from '../src/groups/store.ts'
import { assignNext } from '../src/inbox/assignment/assign-next.ts'
import { reachAllAgents } from '../src/lib/agent-scope.ts'
import { DAY_MS, timestamp } from '../src/lib/clock.ts'
import { openDatabase } from '../src/storage/database.ts'
import { createDatabase, dropDatabase } from './support/databases.ts'
import { printTable } from './support/load.ts'
import { numberedRows } from './support/numbered-rows.ts'
import { startParley } from './support/servers.ts'

reachAllAgents()

const SIZE = Number(process.env.SIZE ?? 20_000)
const DECISIONS = Number(process.env.DECISIONS ?? 1000)
const PEOPLE = 20
const SERVER = process.env.PARLEY_TEST_DATABASE_URL
const NAME = 'parley_bench_assignment'

const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-assignment-'))
const databaseUrl = SERVER ? await createDatabase(SERVER, NAME) : null
await (await startParley(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}, dataDir)).stop()
const { db, engine, close } = await openDatabase({ databaseUrl, dataDir })
const nowMs = Date.now()
const putOff = new Map<string, number>()
const rows: (string | number)[][] = []
for (const assignment of ['round_robin', 'least_loaded'] as const)
  for (const atOnce of [1, 6]) {
    const group = await fill(assignment)
    const begun = performance.now()
    let left = DECISIONS
    const giver = async () => {
      while (left-- > 0) if (!(await assignNext({ db, engine, clock: () => nowMs, putOff }, group))) left++
    }
    await Promise.all(Array.from({ length: atOnce }, giver))
    rows.push([`${assignment}, ${atOnce} at once`, (DECISIONS * 1000) / (performance.now() - begun)])
  }
printTable([['', 'given a second'], ...rows])
await close()
await rm(dataDir, { recursive: true, force: true })
if (SERVER) await dropDatabase(SERVER, NAME)

/** Makes an agent with a group, in which all of its people are there and all of its conversations wait. */
async function fill(assignment: 'round_robin' | 'least_loaded') {
  const { agentId, teamId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs }))
  const named = {
    right: 'respond',
    created_at: timestamp(nowMs),
    available_until: timestamp(nowMs + DAY_MS),
  }
  const people = await db
    .insertInto('operators')
    .values(
      Array.from({ length: PEOPLE }, (_, n) => ({
        ...{ team_id: teamId, name: `Person ${n}`, email: `${agentId}-${n}@example.com`, ...named },
      })),
    )
    .returning('id')
    .execute()
  const group = await insertGroup(db, {
    ...{ team_id: teamId, name: 'Support', hours: null, agents: writeAgents([]), assignment, at_once: null },
    created_at: timestamp(nowMs),
  })
  await writeMembers(
    db,
    group.id,
    people.map(({ id }) => id),
  )
  const { time, id, numbers } = numberedRows(engine)
  const first = agentId * SIZE
  await sql`insert into conversations (id, agent_id, team_id, sequence, started_at, waiting_since, waiting_reason, group_id)
    ${numbers(first, first + SIZE - 1)} select ${id}, ${agentId}, ${teamId}, n + 1, ${time}, ${time}, 'asked', ${group.id}
    from numbers`.execute(db)
  await (engine.kind === 'sqlite' ? sql`analyze` : sql`vacuum analyze`).execute(db)
  return group
}
