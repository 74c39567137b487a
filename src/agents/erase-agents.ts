import type { Kysely } from 'kysely'
import { bySystem, record } from '../audit/record.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { workEach } from '../lib/pacing/work-each.ts'
import { erasedOf } from '../receipts/erased.ts'
import { agentErasure, type Erasures } from '../receipts/erasures.ts'
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
  erasures: Pick<Erasures, 'add' | 'finish'>
  /** Removes the files of an agent, wherever their bytes are; tells their numbers as it goes, and returns the sum. */
  removeFiles: (
    agentId: number,
    counted: (removed: number) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<number>
}

/**
 * Erases all data of deleted agents. The next run continues where one was stopped.
 * @throws the last failure, once all other agents are erased
 */
export async function eraseAgents(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const agents = await selectDeletedAgents(dependencies.db)
  await workEach(agents, (agent) => eraseAgent(dependencies, agent, signal), { signal })
}

async function eraseAgent(
  { db, engine, clock, rows, erasures, removeFiles }: Dependencies,
  { id, team_id: teamId }: AgentRow,
  signal: AbortSignal,
): Promise<void> {
  const erasure = agentErasure(teamId, id)
  // Not in the transaction that deletes: the agent's row is locked before all others.
  const count = async (table: string, erased: number) => {
    await addErased(db, id, erased)
    await db
      .transaction()
      .execute((db) => erasures.add(db, erasure, erasedOf({ rows: { [table]: erased } }), bySystem.actor))
  }
  // Repeats until a round finds nothing: work under way when the agent was deleted may have written since.
  let found: number
  do {
    found = await removeFiles(id, (removed) => count('files', removed), signal)
    for (const ofTable of rows)
      found += await eraseRows(db, ofTable, id, (erased) => count(ofTable.table, erased), signal)
  } while (found > 0 && !signal.aborted)
  if (signal.aborted) return
  await updateAgent(db, id, { name: '', settings: '{}' })
  // The agent goes last: until its data is out of the files, later runs find it again.
  await engine.eraseOverwritten()
  await erasures.finish(erasure)
  await db.transaction().execute(async (db) => {
    if (!(await deleteAgentRow(db, id))) return
    const act = { ...bySystem, teamId, agentId: id, at: timestamp(clock()) }
    await record(db, { ...act, action: 'agent.erased', target: `agent ${id}` })
  })
}
