import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { changed } from '../events/changes.ts'
import { timestamp } from '../lib/clock.ts'
import { NOTHING } from '../receipts/erased.ts'
import { agentErasure, type Erasures } from '../receipts/erasures.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { lockAgent, updateAgent } from './store.ts'
import { findTeamAgent } from './team.ts'

/** The topic of wake-ups for agents whose data must be erased. */
export const DELETED_AGENTS = 'deleted agents'

/**
 * Deletes an agent at once and for good. Its data is erased afterwards, see `eraseAgents`.
 * @param revokeKeys ends all keys of an agent
 * @param erasures gets the account in which the erasing counts what it deletes
 * @throws ApiError agent_not_found, agent_in_use while it is not paused
 */
export async function deleteAgent(
  db: Kysely<Tables>,
  id: number,
  revokeKeys: (db: Kysely<Tables>, agentId: number, now: string) => Promise<void>,
  erasures: Pick<Erasures, 'add'>,
  by: TeamBy,
  nowMs: number,
): Promise<void> {
  const at = timestamp(nowMs)
  await findTeamAgent(db, by.teamId, id)
  await db.transaction().execute(async (db) => {
    const row = await lockAgent(db, id)
    if (row.deleted_at !== null) throw new ApiError('agent_not_found')
    if (row.is_paused !== 1) throw new ApiError('agent_in_use')
    await updateAgent(db, id, { deleted_at: at })
    changed(db, { type: 'agent', agent_id: id, conversation_id: null })
    await revokeKeys(db, id, at)
    await erasures.add(db, agentErasure(by.teamId, id), NOTHING, by.actor)
    await record(db, { ...by, agentId: id, at, action: 'agent.deleted', target: `agent ${id}` })
    wake(db, DELETED_AGENTS)
  })
}
