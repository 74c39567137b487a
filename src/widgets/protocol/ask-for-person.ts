import type { Kysely } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import { nameVisitor } from '../../profiles/name-visitor.ts'
import type { Tables } from '../../storage/tables.ts'
import { byUser } from '../../transcripts/conversations/happenings.ts'
import type { Lessons } from '../../transcripts/conversations/lessons.ts'
import { openConversation } from '../../transcripts/conversations/open-conversation.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { newestOfVisitor } from '../../transcripts/conversations/visitor-conversations.ts'
import { waitForPerson } from '../../transcripts/conversations/wait-for-person.ts'
import { spokenIn, type Visitor } from './visitor.ts'

/** Makes a visitor's conversation wait for a person, and opens one when there is none. Returns its id. */
export async function askForPerson(
  db: Kysely<Tables>,
  { handedOff }: Pick<Lessons, 'handedOff'>,
  visitor: Visitor,
  nowMs: number,
): Promise<string> {
  const language = spokenIn(visitor.language)
  const wish = { ...visitor, language, conversationId: null, externalId: null, channelId: null, tags: null }
  return db.transaction().execute(async (db) => {
    const newest = await newestOfVisitor(db, visitor)
    // Before `openConversation` may write the visitor's row: conversations are locked before users.
    if (newest?.ended_at === null) await lockConversation(db, newest.id)
    const { conversation } = await openConversation(db, visitor, wish, nowMs)
    const { id: conversationId } = conversation
    await nameVisitor(db, { agentId: visitor.agentId, conversationId }, visitor)
    await waitForPerson(db, conversationId, 'asked', timestamp(nowMs), byUser)
    await handedOff(db, conversation)
    return conversationId
  })
}
