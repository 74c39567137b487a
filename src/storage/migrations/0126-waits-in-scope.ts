import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Orders what waits by how long, in each group and with each person: for those who see no more, and for filters. */
export const steps: readonly Step[] = [
  index('inbox_rows_group_longest', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'group_id', 'waiting_since', 'sequence'])
      .where(sql<boolean>`waiting_since is not null and group_id > 0`),
  ),
  index('inbox_rows_assignee_longest', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'assignee_id', 'waiting_since', 'sequence'])
      .where(sql<boolean>`waiting_since is not null and assignee_id > 0`),
  ),
]
