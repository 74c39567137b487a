import { addColumns, type Step } from '../migration.ts'

/** The time at which people were warned that a target is nearly due. */
export const steps: readonly Step[] = [addColumns('target_clocks', { warned_at: 'text' })]
