import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import type { Tables } from '../../storage/tables.ts'
import { findCompletionOrNull } from '../../transcripts/completions/find-completion.ts'
import { responseId } from '../../transcripts/completions/response-id.ts'
import { selectLatestAnswered } from '../../transcripts/completions/store.ts'
import type { Owner } from '../../transcripts/conversations/find-conversation.ts'

/**
 * Finds the conversation that a prompt goes on with, by the response that it follows. A conversation has no branches, so
 * this must be the latest one. Prompts that got no answer since do not count: their caller may be trying again.
 * @throws ApiError previous_response_not_found, also if it is another agent's or hidden from the caller;
 * response_not_latest
 */
export async function conversationAfter(db: Kysely<Tables>, owner: Owner, id: string): Promise<string> {
  const param = 'previous_response_id'
  const previous = await findCompletionOrNull(db, owner, id)
  if (!previous) throw new ApiError('previous_response_not_found', { param })
  const { conversation_id } = previous
  const [latest] = await selectLatestAnswered(db, { conversation_id })
  if (latest && latest.number > previous.number) {
    const message = `The conversation has continued since this response. Its latest is ${responseId(latest.id)}.`
    // Clients of OpenAI repeat every 409, which would not help.
    throw new ApiError('response_not_latest', { param, message, headers: { 'x-should-retry': 'false' } })
  }
  return conversation_id
}
