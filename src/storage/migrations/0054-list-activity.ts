import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Lets lists show when and how often a rule fired, and the users who came through a widget. */
export const steps: readonly Step[] = [
  index('rule_log_outcome', (create) => create.on('rule_log').columns(['rule_id', 'outcome', 'at'])),
  index('conversations_widget', (create) =>
    create.on('conversations').columns(['widget_id', 'sequence']).where(sql.ref('widget_id'), 'is not', null),
  ),
]
