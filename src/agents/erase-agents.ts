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
  /** Where agents have rows; what refers to other rows goes before them. */
  rows: readonly AgentRows[]
}

/** Erases all data of the agents that were deleted. What one run does not finish, the next one does. */
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
  const count = (db: Kysely<Tables>, erased: number) => addErased(db, id, erased)
  // Once more after a round that found something: what was under way when the agent was deleted may have written since.
  let found: number
  do {
    found = 0
    for (const ofTable of rows) found += await eraseRows(db, ofTable, id, count, signal)
  } while (found > 0 && !signal.aborted)
  if (signal.aborted) return
  await updateAgent(db, id, { name: '', settings: '{}' })
  // The agent goes last: until its data is out of the files, it is found again.
  await engine.eraseOverwritten()
  await db.transaction().execute(async (db) => {
    if (!(await deleteAgentRow(db, id))) return
    const act = { ...bySystem, teamId, agentId: id, at: timestamp(clock()) }
    await record(db, { ...act, action: 'agent.erased', target: `agent ${id}` })
  })
}
