import { type Kysely, sql } from 'kysely'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { shareAgent, updateAgent } from './store.ts'

export { lockAgent } from './store.ts'

/** Sets the pause flag of the whole agent and the time of the change. The caller holds the agent's lock. */
export async function setPaused(
  db: Kysely<Tables>,
  agentId: number,
  paused: boolean,
  now: string,
): Promise<void> {
  await updateAgent(
    db,
    agentId,
    paused ? { is_paused: 1, paused_at: now } : { is_paused: 0, resumed_at: now },
  )
  changed(db, { type: 'agent', agent_id: agentId, conversation_id: null })
}

/**
 * Keeps an agent from being paused or resumed until the transaction ends. Any number of transactions may do so at once.
 */
export async function holdPauseState(db: Kysely<Tables>, agentId: number): Promise<void> {
  await shareAgent(db, { id: agentId })
}

/**
 * Selects a pause column of an agent, to use in a statement that reads it with rows of other tables.
 * @param agentId the column of the outer query that names the agent
 */
export function pauseOfAgent<Column extends 'is_paused' | 'paused_at'>(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  column: Column,
  agentId: string,
) {
  return db.selectFrom('agents').select(column).where('agents.id', '=', sql.ref<number>(agentId))
}
