import { sql } from 'kysely'
import { later, type Step } from '../migration.ts'

/**
 * Earlier versions anonymized texts but left pictures, sounds and files in them.
 * `src/privacy/remove-data.ts` replaces these in the background.
 */
export const steps: readonly Step[] = [
  later({ name: '0056-encoded-data', begin: sql`select 'messages' as at from messages limit 1` }),
]
