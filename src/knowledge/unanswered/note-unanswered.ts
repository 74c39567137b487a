import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { asksSomething } from './asks-something.ts'
import { bitsOf, type GapReason } from './gap-reasons.ts'
import {
  addToGroup,
  latestWordings,
  lockNote,
  putGroup,
  removeNotes,
  setReasons,
} from './unanswered-store.ts'
import { nearestWording, wordingOf } from './wording.ts'

/** A question to which an agent had no good answer. */
interface UnansweredQuestion {
  agentId: number
  conversationId: string
  completionId: string
  question: string
  /** The time at which it was asked, as a timestamp. */
  at: string
  reasons: readonly GapReason[]
}

/** Notes a question, in the transaction of its cause. */
export type NoteUnanswered = (db: Kysely<Tables>, question: UnansweredQuestion) => Promise<void>

/** The number of groups with which the wording of a question is compared: those whose questions were asked last. */
const COMPARED = 300

/**
 * Notes unanswered questions. Those of nearly the same words count as one, whatever their order, case, accents and
 * punctuation; those without any word, and messages that ask nothing, are not kept. A question that is noted already
 * gets further reasons.
 * @param key the key that hashes the words. Only the completion has the text of its question, where redaction finds it
 */
export function noteUnanswered(key: string): NoteUnanswered {
  return async (db, { agentId, conversationId, completionId, question, at, reasons }) => {
    if (!asksSomething(question)) return
    const wording = wordingOf(key, agentId, question)
    if (!wording) return
    const bits = bitsOf(reasons)
    const noted = await lockNote(db, completionId)
    if (noted) {
      if ((noted.reasons & bits) !== bits) await setReasons(db, noted, noted.reasons | bits)
      return
    }
    const asked = {
      agent_id: agentId,
      conversation_id: conversationId,
      completion_id: completionId,
      asked_at: at,
    }
    const near = nearestWording(wording, await latestWordings(db, { agent_id: agentId, limit: COMPARED }))
    if (near && (await addToGroup(db, near.id, asked, bits))) return
    await putGroup(db, wording, asked, bits)
  }
}

/** Takes a reason back. A question that has no other is noted no longer. */
export async function takeBackReason(
  db: Kysely<Tables>,
  completionId: string,
  reason: GapReason,
): Promise<void> {
  const noted = await lockNote(db, completionId)
  const bit = bitsOf([reason])
  if (!noted || (noted.reasons & bit) === 0) return
  if (noted.reasons === bit) await removeNotes(db, [noted.id])
  else await setReasons(db, noted, noted.reasons & ~bit)
}
