import { forgetHandoffSummaries } from '../desk/handoff-summaries.ts'
import { forgetTranslations } from '../desk/translations.ts'
import { forgetQuestions } from '../knowledge/unanswered/unanswered-store.ts'
import { forgetProposals } from '../learning/proposal-store.ts'
import { forgetBodies } from '../notifications/forget-bodies.ts'
import type { ForgetCopies } from '../privacy/forget-copies.ts'
import { forgetSaid } from '../runs/run-store.ts'
import { forgetSummaries } from '../turns/history/summary-store.ts'

/** Erases the copies that features keep of the texts of completions. */
export const forgetCopies: ForgetCopies = async (db, { completions, conversationIds, mode, isAsked }) => {
  return {
    deliveries: await forgetBodies(db, completions),
    test_results: await forgetSaid(db, completions),
    // Scrubbed questions have no text left that somebody could answer.
    unanswered_notes: mode === 'scrub' ? await forgetQuestions(db, completions) : 0,
    knowledge_proposals: await forgetProposals(db, completions, conversationIds, mode, isAsked),
    conversation_summaries: await forgetSummaries(db, completions, conversationIds),
    message_translations: await forgetTranslations(db, completions, conversationIds),
    handoff_summaries: await forgetHandoffSummaries(db, completions, conversationIds),
  }
}
