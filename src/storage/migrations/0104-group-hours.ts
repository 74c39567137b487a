import { addColumns, type Step } from '../migration.ts'

/** The hours of a group. */
export const steps: readonly Step[] = [addColumns('groups', { hours: 'text' })]
