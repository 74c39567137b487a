import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent's rules, and of what they did. */
export const ruleRows: readonly AgentRows[] = [
  { table: 'automation_jobs', key: 'id' },
  { table: 'desk_jobs', key: 'id' },
  { table: 'rule_log', key: 'id' },
  {
    table: 'cta_counts',
    key: 'conversation_id',
    through: { column: 'cta_id', table: 'rules', refersTo: 'id' },
  },
  { table: 'rules', key: 'id' },
]
