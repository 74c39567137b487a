import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../../errors.ts'
import { DAY_MS, timestamp } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { lockChannel, selectChannel } from '../../mailboxes/channel-store.ts'
import { continueAt, countAgainst, stopContinuationOf } from '../../mailboxes/continuations.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationRow } from '../../transcripts/tables.ts'
import type { UserKey } from '../../users/user-key.ts'
import { toChannel } from '../channel.ts'

/** The most conversations in a day in which one address can be left, and one visitor can leave addresses. */
const MOST_OF_ADDRESS = 3
const MOST_OF_VISITOR = 5

/** An address that a visitor leaves, and the way in which the widget sends what they do not see. */
interface AddressWish {
  address: string
  userKey: UserKey
  language: string | null
  pageUrl: string | null
  /** The widget's channel; null: it sends no mail. */
  channelId: number | null
  afterMs: number
}

/**
 * Has answers in a conversation go to an address when its visitor does not see them.
 * @throws ApiError mail_off; address_refused when nothing may go to the address, or too much would; invalid_request for
 *   no address
 */
export async function leaveAddress(
  db: Kysely<Tables>,
  box: SecretBox,
  conversation: ConversationRow,
  { address: text, userKey, language, pageUrl, channelId, afterMs }: AddressWish,
  nowMs: number,
): Promise<void> {
  const { agent_id, id: conversation_id } = conversation
  const [row] = channelId === null ? [] : await selectChannel(db, { id: channelId })
  if (row?.agent_id !== agent_id || row.active === 0) throw new ApiError('mail_off')
  const { platform, settings } = toChannel(row, box)
  const { continues } = platform
  if (!continues) throw new ApiError('mail_off')
  const address = continues.addressOf(text, settings)
  if (address === null) throw invalidField('address', 'must be an e-mail address such as anna@example.org')
  const left = { agent_id, conversation_id, address, userId: userKey }
  const since = timestamp(nowMs - DAY_MS)
  await db.transaction().execute(async (db) => {
    // One at a time: a conversation goes on in one chat, and each address counts.
    await lockChannel(db, agent_id, row.id)
    const against = await countAgainst(db, left, since, conversation_id)
    if (against.stopped > 0 || against.ofAddress >= MOST_OF_ADDRESS || against.ofVisitor >= MOST_OF_VISITOR)
      throw new ApiError('address_refused')
    const thread = continues.threadOf(settings, conversation_id, address)
    const chat = { ...left, channelId: row.id, thread, language, page_url: pageUrl, afterMs }
    await continueAt(db, chat, timestamp(nowMs))
  })
}

/** Has answers in a conversation no longer go to an address. */
export async function withdrawAddress(
  db: Kysely<Tables>,
  conversationId: string,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute((db) => stopContinuationOf(db, conversationId, timestamp(nowMs)))
}
