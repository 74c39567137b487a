import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../../texts/text-rows.ts'
import { selectRedactions } from '../messages/store.ts'
import type { CompletionRow } from '../tables.ts'

/**
 * Returns the way in which a completion's messages were redacted. A text that was made from them and is stored only now
 * must be redacted the same way. The completion's own mark does not tell, because a new message of a person removes it.
 * @param completion as an earlier statement of the transaction read and locked it
 */
export async function redactedSoFar(
  db: Kysely<Tables>,
  { id, redactions }: Pick<CompletionRow, 'id' | 'redactions'>,
): Promise<RedactionMode | null> {
  if (redactions === 0) return null
  const rows = await selectRedactions(db, { completion_id: id })
  const modes = rows.map(({ redacted }) => redacted)
  return modes.includes('scrub') ? 'scrub' : (modes[0] ?? null)
}
