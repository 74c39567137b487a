import { asksSomething } from '../knowledge/unanswered/asks-something.ts'
import type { AskedQuestion } from '../transcripts/doors/last-questions.ts'

/** Tells whether a prompt asks something that documents could answer, and still has its text. */
export function isQuestion({ question, redacted }: Pick<AskedQuestion, 'question' | 'redacted'>): boolean {
  return redacted !== 'scrub' && asksSomething(question)
}
