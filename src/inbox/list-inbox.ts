import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { ApiError } from '../errors.ts'
import type { Caller } from '../http/member.ts'
import { selectChannelNames } from '../mailboxes/channel-store.ts'
import { replyUntil } from '../mailboxes/reply-until.ts'
import type { Tables } from '../storage/tables.ts'
import { clocksOf } from '../targets/store.ts'
import { dueOf } from '../transcripts/conversations/clocks.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { presentOutcome } from '../transcripts/conversations/outcome.ts'
import { presentConversation } from '../transcripts/conversations/present.ts'
import { priorityOf } from '../transcripts/conversations/priority.ts'
import { namesOfUsers } from '../users/known-users.ts'
import { readUserKey, userOfConversation } from '../users/user-key.ts'
import { countInbox } from './count-inbox.ts'
import { type Candidate, isUnread } from './filters.ts'
import { readInboxCounts } from './inbox-counts.ts'
import { readInboxItems } from './inbox-items.ts'
import type { InboxQuery } from './inbox-query.ts'
import { type InboxReader, readerFor, readerOf } from './inbox-reader.ts'
import { readThese } from './inbox-rows.ts'
import { distinct, namesOfAssigned } from './names-of-assigned.ts'
import { readInbox } from './read-inbox.ts'
import type { inboxEntrySchema, inboxItemSchema, matchingSchema } from './schemas.ts'

type Item = z.output<typeof inboxItemSchema>

/**
 * Reads a page of an agent's inbox, with the counts of its views.
 * @throws ApiError operator_needed if a program asks for a view or filter that only a person has
 */
export async function listInbox(
  db: Kysely<Tables>,
  caller: Caller,
  query: InboxQuery,
  page: { per_page: number; cursor?: string | undefined },
) {
  const reader = await readerFor(db, caller, query)
  const { agentId } = caller
  const { rows, nextCursor } = await readInbox(db, caller, reader, query, page)
  return {
    data: await presentRows(db, agentId, reader, rows),
    next_cursor: nextCursor,
    counts: await readInboxCounts(db, agentId, reader?.operatorId ?? null, caller.scope),
  }
}

/**
 * Counts an agent's conversations that match a query.
 * @throws ApiError operator_needed as `listInbox` does
 */
export async function countMatching(
  db: Kysely<Tables>,
  caller: Caller,
  query: InboxQuery,
): Promise<z.output<typeof matchingSchema>> {
  const reader = await readerFor(db, caller, query)
  const { open, ended, isCapped } = await countInbox(db, caller, reader, query)
  return { open, ended, ...(isCapped ? { total_capped: true as const } : {}) }
}

/**
 * Reads one conversation as the inbox shows it, with the further fields of its own page.
 * @param id UUID or external id
 * @throws ApiError conversation_not_found
 */
export async function readInboxEntry(
  db: Kysely<Tables>,
  caller: Caller,
  id: string,
): Promise<z.output<typeof inboxEntrySchema>> {
  const conversation = await findConversation(db, caller, id)
  const reader = await readerOf(db, caller)
  const rows = await readThese(db, caller.agentId, [conversation.id], { reader })
  const [item] = await presentRows(db, caller.agentId, reader, rows)
  if (!item) throw new ApiError('conversation_not_found')
  return {
    ...item,
    read_until: rows[0]?.readUpTo ?? null,
    reply_until: await replyUntil(db, conversation.id),
  }
}

async function presentRows(
  db: Kysely<Tables>,
  agentId: number,
  reader: InboxReader | null,
  rows: readonly Candidate[],
): Promise<Item[]> {
  const items = await readInboxItems(db, rows)
  const channels = await selectChannelNames(db, agentId, distinct(rows.map(({ channel_id }) => channel_id)))
  const namesFor = await namesOfAssigned(
    db,
    [...items.values()].map(({ conversation }) => conversation),
  )
  const users = await namesOfUsers(
    db,
    agentId,
    [...items.values()].flatMap(({ conversation }) => userOfConversation(conversation) ?? []),
  )
  const clocks = Map.groupBy(await clocksOf(db, [...items.keys()]), ({ conversation_id }) => conversation_id)
  return rows.flatMap((row): Item[] => {
    const item = items.get(row.conversation_id)
    if (!item) return []
    const { conversation, last, rating } = item
    const { channel_id, waiting_since, waiting_reason, language } = conversation
    const user = userOfConversation(conversation)
    const channel = channels.find(({ id }) => id === channel_id)
    return [
      {
        ...presentConversation(conversation),
        user: user && { ...readUserKey(user), name: users.get(user) ?? null },
        widget_id: conversation.widget_id,
        channel: channel ? { ...channel, kind: channel.kind as NonNullable<Item['channel']>['kind'] } : null,
        ...namesFor(conversation),
        last_message: last,
        unread: reader && isUnread(row, reader),
        waiting_since,
        waiting_reason,
        priority: priorityOf(conversation),
        snoozed_until: conversation.snoozed_until,
        ...presentOutcome(conversation),
        due: dueOf(clocks.get(conversation.id) ?? []),
        language,
        rating,
      },
    ]
  })
}
