import type { Kysely } from 'kysely'
import { userOfFilter } from '../profiles/find-user.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation, type Owner } from '../transcripts/conversations/find-conversation.ts'
import { type FoundConversation, selectConversations } from '../transcripts/doors/found-messages.ts'
import { namesOfUsers } from '../users/known-users.ts'
import { presentUserColumns } from '../users/user-key.ts'
import { type FoundRow, foundRows } from './found-texts.ts'
import { MESSAGES, NOTES } from './index/searched-texts.ts'
import type { SearchedWord } from './index/terms.ts'
import { markText } from './mark-text.ts'
import type { SearchHit, SearchQuery } from './schemas.ts'
import { conversationsNamed } from './search-conversations.ts'
import { searchTexts } from './search-texts.ts'

const CONVERSATIONS_NAMED = 10

/**
 * Returns a page of the messages or notes that have all words of a query, with the pieces that match; on the first page
 * also the conversations that the query names.
 */
export async function answerSearch(db: Kysely<Tables>, caller: Owner, query: SearchQuery) {
  const { agentId } = caller
  const { q, per_page, cursor, conversation_id } = query
  const kind = query.in === 'messages' ? MESSAGES : NOTES
  const conversation =
    conversation_id === undefined ? null : await findConversation(db, caller, conversation_id)
  const page = await searchTexts(
    db,
    {
      agentId,
      scope: caller.scope ?? null,
      kind,
      q,
      conversationId: conversation?.id ?? null,
      person: (await userOfFilter(db, caller, query.user_id)) ?? null,
      channelId: query.channel_id ?? null,
      from: query.from ?? null,
      to: query.to ?? null,
    },
    { per_page, cursor },
  )
  const rows = new Map((await foundRows(db, agentId, kind, page.ids)).map((row) => [row.id, row]))
  const named = cursor === undefined ? await conversationsNamed(db, caller, q, CONVERSATIONS_NAMED) : []
  const conversations = await selectConversations(db, agentId, named)
  const users = [...[...rows.values()].map(({ conversation }) => conversation), ...conversations].flatMap(
    ({ user }) => user ?? [],
  )
  const names = await namesOfUsers(db, agentId, users)
  const withName = ({ user, ...found }: FoundConversation) => ({
    ...found,
    ...presentUserColumns(user),
    user_name: (user && names.get(user)) ?? null,
  })
  return {
    data: page.ids.flatMap((id) => presentHit(rows.get(id), page.words, withName) ?? []),
    total: page.total,
    ...(page.isCapped ? { total_capped: true as const } : {}),
    per_page,
    next_cursor: page.nextCursor,
    conversations: conversations.map(withName),
  }
}

function presentHit(
  row: FoundRow | undefined,
  words: readonly SearchedWord[],
  withName: (conversation: FoundConversation) => SearchHit['conversation'],
): SearchHit | null {
  if (!row) return null
  const { text, conversation, ...told } = row
  return { ...told, piece: markText(text, words), conversation: withName(conversation) }
}
