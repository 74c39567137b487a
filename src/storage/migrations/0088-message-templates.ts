import { addColumns, type Step } from '../migration.ts'

/** The template that a message is sent as, on platforms that have templates. */
export const steps: readonly Step[] = [addColumns('messages', { template: 'text' })]
