import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { shareAgent } from './store.ts'
import { teamOfAgent } from './team-of-agent.ts'

/**
 * Keeps an agent from being deleted until the transaction ends, so that the erasing finds what the transaction writes.
 * @returns false when there is no such agent, or it was deleted
 */
export async function keepAgent(db: Kysely<Tables>, agentId: number): Promise<boolean> {
  await shareAgent(db, { id: agentId })
  return (await teamOfAgent(db, agentId)) !== null
}
