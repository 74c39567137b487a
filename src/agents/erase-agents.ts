import type { Kysely } from 'kysely'
import { bySystem, record } from '../audit/record.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import { type AgentRows, eraseRows } from '../storage/erase-rows.ts'
import type { Tables } from '../storage/tables.ts'
import { addErased, deleteAgentRow, selectDeletedAgents, updateAgent } from './store.ts'
import type { AgentRow } from './tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'eraseOverwritten'>
  clock: Clock
  /** The tables with rows of agents; rows that refer to others come before them. */
  rows: readonly AgentRows[]
}

/** Erases all data of deleted agents. The next run continues where one was stopped. */
export async function eraseAgents(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  for (const agent of await selectDeletedAgents(dependencies.db)) {
    if (signal.aborted) return
    await eraseAgent(dependencies, agent, signal)
  }
}

async function eraseAgent(
  { db, engine, clock, rows }: Dependencies,
  { id, team_id: teamId }: AgentRow,
  signal: AbortSignal,
): Promise<void> {
  const count = (erased: number) => addErased(db, id, erased)
  // Repeats until a round finds nothing: work under way when the agent was deleted may have written since.
  let found: number
  do {
    found = 0
    for (const ofTable of rows) found += await eraseRows(db, ofTable, id, count, signal)
  } while (found > 0 && !signal.aborted)
  if (signal.aborted) return
  await updateAgent(db, id, { name: '', settings: '{}' })
  // The agent goes last: until its data is out of the files, later runs find it again.
  await engine.eraseOverwritten()
  await db.transaction().execute(async (db) => {
    if (!(await deleteAgentRow(db, id))) return
    const act = { ...bySystem, teamId, agentId: id, at: timestamp(clock()) }
    await record(db, { ...act, action: 'agent.erased', target: `agent ${id}` })
  })
}
