import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

const updateAutomations = prepared((db, param: ParamOf<{ id: string; automations: string }>) =>
  db
    .updateTable('completions')
    .set({ automations: param('automations') })
    .where('id', '=', param('id')),
)

/** Stores the automations that have run after a response so far, and how they ended. */
export async function writeAutomations(
  db: Kysely<Tables>,
  { id, automations }: { id: string; automations: readonly { id: number; name: string; status: string }[] },
): Promise<void> {
  await updateAutomations(db, { id, automations: JSON.stringify(automations) })
}
