import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Tables } from '../storage/tables.ts'
import { selectActiveTools } from './store.ts'

/** Tells whether an agent offers its model tools by its settings: tools of its own, or a person. */
export async function offersTools(db: Kysely<Tables>, { id, settings }: Agent): Promise<boolean> {
  return settings.handoff || (await selectActiveTools(db, { agent_id: id })).length > 0
}
