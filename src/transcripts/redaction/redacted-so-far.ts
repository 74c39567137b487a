import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { selectRedactions } from '../conversations/store.ts'
import type { CompletionRow, RedactionMode } from '../tables.ts'

/**
 * How far a completion's messages were redacted: text that is made from them comes too late and must be redacted the
 * same way. The completion's own mark does not tell: what a person says meanwhile takes it away.
 * @param completion as it was read when it was locked, in an earlier statement of the transaction
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
