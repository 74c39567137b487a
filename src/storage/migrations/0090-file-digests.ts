import { sql } from 'kysely'
import { addColumns, index, type Step } from '../migration.ts'

/** The hashes of files that are kept once in a conversation. */
export const steps: readonly Step[] = [
  addColumns('files', { digest: 'text' }),
  index('files_digest', (builder) =>
    builder
      .on('files')
      .columns(['agent_id', 'conversation_id', 'digest'])
      .where(sql.ref('digest'), 'is not', null),
  ),
]
