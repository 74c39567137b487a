import { type Kysely, type RawBuilder, sql } from 'kysely'
import { changed } from '../../events/changes.ts'
import { activeMailbox, postMessages, writableMailbox } from '../../mailboxes/post.ts'
import type { Tables } from '../../storage/tables.ts'

type Db = Kysely<Tables>

/** Returns the text for conversations of a language; null: nothing is said in them. */
type TextFor = (language: string | null) => string | null

/**
 * The most languages whose conversations get a text of their own: more than people speak with one agent. Conversations
 * in other languages get the text for no language.
 */
const LANGUAGES_TOLD_APART = 500

/**
 * Writes a transition message into every open conversation in which the agent is not paused and whose channel, if it
 * has one, can be written to. Queues it for the channels.
 * @param differs true if the text depends on the language of the conversation
 * @returns the number of messages written
 */
export async function sayEverywhere(
  db: Db,
  agentId: number,
  textFor: TextFor,
  differs: boolean,
  onChannels: boolean,
  now: string,
): Promise<number> {
  const content = await contentOf(db, agentId, textFor, differs)
  if (content === null) return 0
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('messages')
    .columns(['agent_id', 'conversation_id', 'role', 'content', 'created_at', 'delivery'])
    .expression(
      openConversations(db, agentId)
        .where(outcomeOf(content, now), '=', 'told')
        .select([
          'agent_id',
          'id',
          sql<'transition'>`'transition'`.as('role'),
          content.as('content'),
          sql<string>`cast(${now} as text)`.as('created_at'),
          sql<'queued' | null>`case when channel_id is null then null else 'queued' end`.as('delivery'),
        ]),
    )
    .executeTakeFirstOrThrow()
  const said = Number(numInsertedOrUpdatedRows ?? 0)
  if (said > 0) changed(db, { type: 'agent', agent_id: agentId, conversation_id: null, said_at: now })
  if (onChannels && said > 0) {
    const messages = db
      .selectFrom('messages')
      .select(['id', 'conversation_id', 'created_at'])
      .where('agent_id', '=', agentId)
      .where('role', '=', 'transition')
      .where('completion_id', 'is', null)
      .where('created_at', '=', now)
    await postMessages(db, messages)
  }
  return said
}

/** Reasons for which `sayEverywhere` passes over an open conversation. */
export const untoldReasons = ['paused', 'no_message', 'channel_inactive', 'window_closed'] as const

type UntoldReason = (typeof untoldReasons)[number]

/** Counts the open conversations by what `sayEverywhere` does with them: `told`, or the reason why not. */
export async function countTold(
  db: Db,
  agentId: number,
  textFor: TextFor,
  differs: boolean,
  now: string,
): Promise<ReadonlyMap<'told' | UntoldReason, number>> {
  const content = (await contentOf(db, agentId, textFor, differs)) ?? sql<string>`null`
  const rows = await openConversations(db, agentId)
    .select(({ fn }) => [outcomeOf(content, now).as('told_as'), fn.countAll<number | string>().as('count')])
    // No column of the table has this name: it would go before what is selected here.
    .groupBy('told_as')
    .execute()
  return new Map(rows.map(({ told_as, count }) => [told_as, Number(count)]))
}

function openConversations(db: Db, agentId: number) {
  return db.selectFrom('conversations').where('agent_id', '=', agentId).where('ended_at', 'is', null)
}

/** Returns SQL for the outcome of a message in an open conversation. */
function outcomeOf(content: RawBuilder<string>, now: string): RawBuilder<'told' | UntoldReason> {
  const id = sql.ref<string>('conversations.id')
  return sql`case when agent_paused = 1 then 'paused'
    when ${content} is null then 'no_message'
    when channel_id is null or exists ${writableMailbox(id, now)} then 'told'
    when exists ${activeMailbox(id)} then 'window_closed'
    else 'channel_inactive' end`
}

/** Returns the content of the message for each conversation, in SQL; null: nothing is said anywhere. */
async function contentOf(
  db: Db,
  agentId: number,
  textFor: TextFor,
  differs: boolean,
): Promise<RawBuilder<string> | null> {
  const cast = (text: string | null) =>
    sql<string>`cast(${text === null ? null : JSON.stringify(text)} as text)`
  const said = (language: string | null) => textFor(language) || null
  const usual = said(null)
  if (!differs) return usual === null ? null : cast(usual)
  const spoken = await db
    .selectFrom('conversations')
    .select('language')
    .distinct()
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .where('language', 'is not', null)
    .limit(LANGUAGES_TOLD_APART)
    .execute()
  const cases = spoken
    .filter(({ language }) => said(language) !== usual)
    .map(({ language }) => sql`when ${language} then ${cast(said(language))}`)
  if (cases.length === 0) return usual === null ? null : cast(usual)
  return sql<string>`case language ${sql.join(cases, sql` `)} else ${cast(usual)} end`
}
