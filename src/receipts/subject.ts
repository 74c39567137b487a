import { createHmac } from 'node:crypto'
import { z } from 'zod'

/** The subject of an erasure. */
export const subjectSchema = z.union([
  z.object({
    kind: z.literal('user'),
    commitment: z.string().describe("Keyed hash of the end user's `source:id`, by the subject key."),
  }),
  z.object({ kind: z.literal('completion'), id: z.string() }),
  z.object({ kind: z.literal('retention') }),
  z.object({ kind: z.literal('agent') }),
])

export type Subject = z.output<typeof subjectSchema>

/** Writes a subject as the database keeps it. */
export function subjectText(subject: Subject): string {
  if (subject.kind === 'user') return `user ${subject.commitment}`
  return subject.kind === 'completion' ? `completion ${subject.id}` : subject.kind
}

/** Reads a subject that `subjectText` has written. */
export function readSubject(text: string): Subject {
  const [kind, value = ''] = text.split(' ')
  if (kind === 'user') return { kind, commitment: value }
  return kind === 'completion' ? { kind, id: value } : { kind: kind === 'agent' ? kind : 'retention' }
}

/**
 * Returns the hash that stands for an end user in receipts. Without the subject key nobody can find out, or try, whose
 * it is; with it, whoever knows the id can tell.
 * @param named `source:id`
 */
export function commitmentTo(named: string, subjectKey: string): string {
  return createHmac('sha256', subjectKey).update(named).digest('hex')
}
