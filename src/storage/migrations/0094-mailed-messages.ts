import { addColumns } from '../migration.ts'

/** The address to which a widget's message went by mail, and when. */
export const up = addColumns('messages', { mailed_to: 'text', mailed_at: 'text' })
