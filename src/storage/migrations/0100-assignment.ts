import { sql } from 'kysely'
import { addColumns, index, type Step } from '../migration.ts'

/** Lets people say that they are available, and finds who waits in a group and what each person has in hand. */
export const steps: readonly Step[] = [
  addColumns('operators', { available_until: 'text' }),
  index('inbox_rows_queue', (create) =>
    create
      .on('inbox_rows')
      .columns(['group_id', 'priority', 'waiting_since', 'sequence'])
      .where(sql<boolean>`group_id > 0 and state = 0 and waiting_since is not null`),
  ),
  index('inbox_rows_in_hand', (create) =>
    create
      .on('inbox_rows')
      .column('assignee_id')
      .where(sql<boolean>`state = 1 and (is_paused = 1 or waiting_since is not null)`),
  ),
]
