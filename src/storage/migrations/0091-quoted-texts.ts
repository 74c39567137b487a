import { addColumns } from '../migration.ts'

/** The earlier texts that a message quotes. */
export const up = addColumns('messages', { quoted: 'text' })
