import { addColumns, type Step } from '../migration.ts'

/** When the people of a conversation were warned that a target of it is nearly due. */
export const steps: readonly Step[] = [addColumns('target_clocks', { warned_at: 'text' })]
