import { forgetQuestions } from '../knowledge/unanswered-store.ts'
import { forgetBodies } from '../notifications/forget-bodies.ts'
import type { ForgetCopies } from '../privacy/forget-copies.ts'
import { forgetSaid } from '../runs/run-store.ts'

/** Erases the copies that features keep of the texts of completions. */
export const forgetCopies: ForgetCopies = async (db, completions, mode) => {
  await forgetBodies(db, completions, mode)
  await forgetSaid(db, completions)
  // Scrubbed questions have no text left that somebody could answer.
  if (mode === 'scrub') await forgetQuestions(db, completions)
}
