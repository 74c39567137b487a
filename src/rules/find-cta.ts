import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { CtaSettings } from './schemas.ts'
import { selectRulesOfKind } from './store.ts'

/** The call to action of an agent that a click names, by its id or its address. */
export async function findCta(
  db: Kysely<Tables>,
  agentId: number,
  target: string,
): Promise<{ id: number; name: string; content: string } | undefined> {
  for (const { id, name, settings } of await selectRulesOfKind(db, agentId, 'cta')) {
    const { content, url } = JSON.parse(settings) as CtaSettings
    if (String(id) === target || url === target) return { id, name, content }
  }
  return undefined
}
