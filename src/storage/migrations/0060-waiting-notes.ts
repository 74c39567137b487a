import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/**
 * Finds the notes that wait to be indexed without reading all messages that wait too. Messages have no entry in the
 * index. It has all columns that are read: SQLite would take the primary key otherwise.
 */
export const steps: readonly Step[] = [
  index('search_pending_notes', (create) =>
    create.on('search_pending').columns(['agent_id', 'id', 'version']).where(sql.ref('kind'), '=', 2),
  ),
]
