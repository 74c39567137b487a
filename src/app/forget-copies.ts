import { forgetQuestions } from '../knowledge/unanswered-store.ts'
import { forgetBodies } from '../notifications/forget-bodies.ts'
import { forgetSaid } from '../runs/run-store.ts'
import type { ForgetCopies } from '../transcripts/redaction/forget-copies.ts'

/** What features keep of the texts of completions. */
export const forgetCopies: ForgetCopies = async (db, completions, mode) => {
  await forgetBodies(db, completions, mode)
  await forgetSaid(db, completions)
  // Nothing is left of them that somebody could answer.
  if (mode === 'scrub') await forgetQuestions(db, completions)
}
