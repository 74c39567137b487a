import { forgetQuestions } from '../knowledge/unanswered/unanswered-store.ts'
import { forgetProposals } from '../learning/proposal-store.ts'
import { forgetBodies } from '../notifications/forget-bodies.ts'
import type { ForgetCopies } from '../privacy/forget-copies.ts'
import { forgetSaid } from '../runs/run-store.ts'

/** Erases the copies that features keep of the texts of completions. */
export const forgetCopies: ForgetCopies = async (db, completions, mode, isAsked) => {
  await forgetBodies(db, completions)
  await forgetSaid(db, completions)
  // Scrubbed questions have no text left that somebody could answer.
  if (mode === 'scrub') await forgetQuestions(db, completions)
  await forgetProposals(db, completions, mode, isAsked)
}
