import type { Kysely } from 'kysely'
import { z } from 'zod'
import { pauseOfAgent } from '../../agents/pause-state.ts'
import { time } from '../../http/schemas.ts'
import { addressOfConversation } from '../../mailboxes/continuations.ts'
import type { Tables } from '../../storage/tables.ts'
import { type UserKey, unsourcedKey } from '../../users/user-key.ts'
import type { ConversationRow } from '../tables.ts'
import { scoreOf } from './rate.ts'

/** A widget and an end user who talks through it. */
export interface VisitorPlace {
  readonly widgetId: number
  readonly userKey: UserKey
}

/** A conversation as its end user sees it. */
export const visitorConversation = z
  .object({
    id: z.string(),
    started_at: time,
    ended_at: time.nullable(),
    agent_paused: z.boolean(),
    waiting: z.boolean().describe('True while it waits for a person who was promised.'),
    offers_person: z
      .boolean()
      .describe('True while a question of it has no answer and no person was asked for: offer one.'),
    rating: z.int().nullable(),
    mail_to: z
      .string()
      .nullable()
      .describe('The address to which answers go that the visitor does not see; null: none.'),
  })
  .meta({ id: 'VisitorConversation' })

export type VisitorConversation = z.output<typeof visitorConversation>

/** Begins a query for a visitor's conversations, also those that older versions stored. */
function conversationsOf(db: Pick<Kysely<Tables>, 'selectFrom'>, { widgetId, userKey }: VisitorPlace) {
  const keys = [userKey, unsourcedKey(userKey) ?? userKey]
  return db.selectFrom('conversations').where('widget_id', '=', widgetId).where('user_id', 'in', keys)
}

/** Reads a visitor's newest conversations in a widget. */
export async function conversationsOfVisitor(
  db: Kysely<Tables>,
  place: VisitorPlace,
  limit: number,
): Promise<ConversationRow[]> {
  return conversationsOf(db, place).selectAll().orderBy('sequence', 'desc').limit(limit).execute()
}

/** Reads a visitor's newest conversation in a widget; undefined: there is none. */
export async function newestOfVisitor(
  db: Kysely<Tables>,
  place: VisitorPlace,
): Promise<ConversationRow | undefined> {
  const [newest] = await conversationsOfVisitor(db, place, 1)
  return newest
}

/** Reads conversations as their visitors see them, by id. */
export async function readForVisitors(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, VisitorConversation>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('conversations')
    .select(['id', 'started_at', 'ended_at', 'agent_paused', 'waiting_since', 'waiting_reason'])
    .select([
      pauseOfAgent(db, 'is_paused', 'conversations.agent_id').as('is_paused'),
      scoreOf(db, 'conversations.id').as('rating'),
      addressOfConversation(db, 'conversations.id').as('mail_to'),
    ])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ waiting_since, waiting_reason, is_paused, rating, mail_to, ...row }) => {
      const agent_paused = is_paused === 1 || row.agent_paused === 1
      const waits = waiting_since !== null
      // Nobody has said that a person comes: the agent only had no answer.
      const isUnpromised = waits && waiting_reason === 'unanswered'
      const offers_person = isUnpromised && !agent_paused
      return [
        row.id,
        {
          ...row,
          agent_paused,
          waiting: waits && !isUnpromised,
          offers_person,
          rating: rating ?? null,
          mail_to: mail_to ?? null,
        },
      ]
    }),
  )
}

/** Reads a conversation that exists as its visitor sees it. */
export async function readForVisitor(db: Kysely<Tables>, id: string): Promise<VisitorConversation> {
  const conversation = (await readForVisitors(db, [id])).get(id)
  if (!conversation) throw new Error('a conversation of a visitor does not exist')
  return conversation
}
