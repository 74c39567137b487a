import { addColumns } from '../migration.ts'

/** The version of each process; null in rows of those from before 0.2.0. */
export const up = addColumns('processes', { version: 'text' })
