import { addColumns, type Step } from '../migration.ts'

/** The outcomes of conversations, and who says so. */
export const steps: readonly Step[] = [
  addColumns('conversations', { outcome: 'text', outcome_by: 'text' }),
  addColumns('inbox_rows', { outcome: 'text' }),
]
