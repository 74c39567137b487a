import type { Kysely } from 'kysely'
import type { Occasion } from '../../agents/occasion.ts'
import type { Tables } from '../../storage/tables.ts'
import { customerOf } from '../../users/customer.ts'
import { type KnownUser, selectKnownUser } from '../../users/known-users.ts'
import type { CompletionRow } from '../tables.ts'
import type { PromptOrigin } from './prompt-origin.ts'

type Writing = Pick<CompletionRow, 'user_id' | 'proven_id'>

/** Returns the occasion of what is said in answer to a prompt. @param user what is known of the writer */
export function occasionAt(
  { channel, language, isGroup }: Pick<PromptOrigin, 'channel' | 'language' | 'isGroup'>,
  { proven_id }: Pick<Writing, 'proven_id'>,
  user: KnownUser | null | undefined,
  now: number,
): Occasion {
  return { now, channel, language, customer: customerOf(user, { provenId: proven_id, isGroup }) }
}

/** Returns the occasion of what is said in answer to a prompt. Reads what is known of the writer. */
export async function readOccasion(
  db: Kysely<Tables>,
  agentId: number,
  origin: PromptOrigin,
  writing: Writing,
  now: number,
): Promise<Occasion> {
  const { user_id } = writing
  const [user] = user_id === null ? [] : await selectKnownUser(db, { agent_id: agentId, id: user_id })
  return occasionAt(origin, writing, user, now)
}
