import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { failCompletion } from '../transcripts/completions/fail-completion.ts'
import { takeUpCompletion } from '../transcripts/completions/store.ts'
import type { Prompt } from './prompt.ts'
import { resumeTurn } from './resume-turn.ts'
import { withRequestSystem } from './start-turn.ts'
import type { StartedTurn } from './turn.ts'

/**
 * Takes up a turn whose process died before it answered, for a repeat of its request.
 * @param prompt the same as that of the first request
 * @param holder the process that is going to answer now
 * @returns null when the first request is being answered or was answered, or when nothing is left of its prompt
 */
export async function takeUpTurn(
  db: Kysely<Tables>,
  agentId: number,
  completionId: string,
  prompt: Prompt,
  holder: string,
  nowMs: number,
): Promise<StartedTurn | null> {
  return db.transaction().execute(async (db) => {
    if (!(await takeUpCompletion(db, completionId, holder, timestamp(nowMs)))) return null
    const turn = await resumeTurn(db, agentId, completionId)
    if (!turn) {
      await failCompletion(db, completionId, timestamp(nowMs))
      return null
    }
    const kept = prompt.messages.slice(-turn.messages.length)
    return { ...turn, history: withRequestSystem(turn.history, prompt, kept) }
  })
}
