import { addColumns, type Step } from '../migration.ts'

/** Keeps what was left out of each document. */
export const steps: readonly Step[] = [addColumns('knowledge_documents', { notes: 'text' })]
