import { addColumns, type Step } from '../migration.ts'

/** The time at which a person blocked an end user. */
export const steps: readonly Step[] = [addColumns('users', { blocked_at: 'text' })]
