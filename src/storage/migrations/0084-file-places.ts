import { addColumns } from '../migration.ts'

/** The place that has the bytes of a file. */
export const up = addColumns('files', { place: 'text' })
