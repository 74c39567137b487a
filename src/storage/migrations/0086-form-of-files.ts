import { addColumns } from '../migration.ts'

/** The form in which a prompt held a file: JSON. */
export const up = addColumns('files', { form: 'text' })
