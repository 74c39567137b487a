import { z } from 'zod'
import { whyOf } from './reasons.ts'
import { why } from './why.ts'

/** The fields that tell what was left out of a document. */
export const notesFields = {
  notes: z.array(z.string()).describe('What of it was left out, such as pages without text, in English.'),
  left_out: z.array(why).describe('The same for programs.'),
}

/** Returns the answered fields of notes. */
export function presentNotes(notes: string[]): z.output<z.ZodObject<typeof notesFields>> {
  return { notes, left_out: notes.map(whyOf) }
}

/** Returns notes as they are stored; null: there are none. */
export function storedNotes(notes: readonly string[]): string | null {
  return notes.length === 0 ? null : JSON.stringify(notes)
}

/** Reads stored notes. */
export function readNotes(stored: string | null): string[] {
  return stored === null ? [] : JSON.parse(stored)
}
