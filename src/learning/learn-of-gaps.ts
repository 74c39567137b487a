import type { Kysely } from 'kysely'
import type { GapReason } from '../knowledge/unanswered/gap-reasons.ts'
import { type NoteUnanswered, takeBackReason } from '../knowledge/unanswered/note-unanswered.ts'
import type { Tables } from '../storage/tables.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { type AskedQuestion, lastQuestions, withQuestions } from '../transcripts/doors/last-questions.ts'
import { isQuestion } from './is-question.ts'

/** The number of prompts before a hand-off that are searched for the question that a person is to answer. */
const BEFORE_HAND_OFF = 5

/** Notes questions that turn out, after their turn, to have had no good answer from the agent. */
export function learnOfGaps(note: NoteUnanswered): Pick<Lessons, 'disliked' | 'handedOff'> {
  /** Notes a question that the agent itself has answered, or was to answer. */
  async function noteIfAnswered(db: Kysely<Tables>, asked: AskedQuestion, reason: GapReason): Promise<void> {
    const { id, agent_id, conversation_id, created_at, agent_paused, finish_reason } = asked.completion
    const isBlocked = finish_reason === 'content_filter'
    if (agent_paused === 1 || isBlocked || !isQuestion(asked)) return
    await note(db, {
      agentId: agent_id,
      conversationId: conversation_id,
      completionId: id,
      question: asked.question,
      at: created_at,
      reasons: [reason],
    })
  }

  return {
    async disliked(db, completion, isDisliked) {
      if (!isDisliked) return takeBackReason(db, completion.id, 'disliked')
      const [asked] = await withQuestions(db, [completion])
      if (asked) await noteIfAnswered(db, asked, 'disliked')
    },

    async handedOff(db, { id }) {
      const asked = (await lastQuestions(db, id, BEFORE_HAND_OFF)).find(isQuestion)
      if (asked) await noteIfAnswered(db, asked, 'handed_off')
    },
  }
}
