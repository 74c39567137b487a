import type { Kysely } from 'kysely'
import { readAgent } from '../../agents/agent.ts'
import { hoursOfGroup } from '../../groups/store.ts'
import type { Hours } from '../../lib/hours/hours.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../tables.ts'

type Of = Pick<ConversationRow, 'agent_id' | 'group_id'>

/**
 * Returns the hours of the people who look after a conversation: those of its group, where it has some, or else those of
 * its agent; null: people are there at any time.
 * @param ofAgent the agent's hours
 */
export async function hoursOf(
  db: Kysely<Tables>,
  { group_id }: Pick<Of, 'group_id'>,
  ofAgent: Hours | null,
): Promise<Hours | null> {
  return (group_id === null ? null : await hoursOfGroup(db, group_id)) ?? ofAgent
}

const selectGroup = prepared((db, param: ParamOf<{ id: string }>) =>
  db.selectFrom('conversations').select('group_id').where('id', '=', param('id')),
)

/** Returns the hours of the people who look after a conversation that is known by its id. */
export async function hoursOfConversation(
  db: Kysely<Tables>,
  id: string,
  ofAgent: Hours | null,
): Promise<Hours | null> {
  const [conversation] = await selectGroup(db, { id })
  return conversation ? hoursOf(db, conversation, ofAgent) : ofAgent
}

/** Returns the hours of the people who look after a conversation. Reads those of its agent. */
export async function readHours(db: Kysely<Tables>, conversation: Of): Promise<Hours | null> {
  return hoursOf(db, conversation, (await readAgent(db, conversation.agent_id)).settings.hours)
}
