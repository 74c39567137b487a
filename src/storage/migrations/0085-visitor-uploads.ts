import { addColumns, type Step } from '../migration.ts'

/** The files that visitors of widgets send, and the setting that allows them. */
export const steps: readonly Step[] = [
  addColumns('files', { visitor: 'text' }),
  addColumns('widgets', { uploads: 'text' }),
]
