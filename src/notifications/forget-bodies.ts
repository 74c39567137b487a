import type { ForgetCopies } from '../privacy/forget-copies.ts'
import { forgotten } from '../transcripts/texts/text-columns.ts'

/** Deletes the stored bodies of webhooks about completions, and the receivers' answers. */
export const forgetBodies: ForgetCopies = async (db, completions) => {
  await db
    .updateTable('deliveries')
    .set(forgotten('deliveries'))
    .where('payload', 'is not', null)
    .where('completion_id', 'in', completions)
    .execute()
}
