import { sql } from 'kysely'
import { addColumns, index, type Step } from '../migration.ts'

/** End users who are one person: whom each was merged into, and what the person has from the others. */
export const steps: readonly Step[] = [
  addColumns('users', { person_id: 'text', merged_into: 'text', merged_at: 'text', adopted: 'text' }),
  index('users_person', (create) =>
    create.on('users').columns(['agent_id', 'person_id']).where(sql.ref('person_id'), 'is not', null),
  ),
]
