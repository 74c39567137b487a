import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Lets the inbox find paused conversations by waiting time, and a channel's conversations, without reading others. */
export const steps: readonly Step[] = [
  index('inbox_rows_paused_longest', (create) =>
    create
      .on('inbox_rows')
      .columns(['agent_id', 'waiting_since', 'sequence'])
      .where(sql.ref('waiting_since'), 'is not', null)
      .where(sql.ref('is_paused'), '=', 1),
  ),
  index('conversations_channel', (create) =>
    create
      .on('conversations')
      .columns(['agent_id', 'channel_id', 'sequence'])
      .where(sql.ref('channel_id'), 'is not', null),
  ),
]
