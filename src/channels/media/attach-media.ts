import type { Kysely } from 'kysely'
import { insertFetches, selectDigests } from '../../files/fetches/store.ts'
import { storedName } from '../../files/keep-file.ts'
import type { FilePlaces } from '../../files/places/file-place.ts'
import { timestamp } from '../../lib/clock.ts'
import { uuidv7 } from '../../lib/ids.ts'
import type { Media } from '../../platforms/media.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Attachment, nothingSaid } from '../../transcripts/attachments.ts'
import { giveAttachments } from '../../transcripts/messages/change-attachments.ts'
import type { Channel } from '../channel.ts'

/**
 * Gives a person's message its files, which are fetched from then on, in the transaction that stores it. Leaves out those
 * that belong to the text and that the conversation has already.
 */
export async function attachMedia(
  db: Kysely<Tables>,
  channel: Pick<Channel, 'id' | 'agentId'>,
  message: { conversationId: string; messageId: number },
  media: readonly Media[] = [],
  { current }: Pick<FilePlaces, 'current'>,
  time: number,
): Promise<void> {
  if (media.length === 0) return
  const of = {
    agent_id: channel.agentId,
    channel_id: channel.id,
    conversation_id: message.conversationId,
    message_id: message.messageId,
  }
  const inTexts = media.flatMap(({ inText }) => inText ?? [])
  const known = new Set(await selectDigests(db, of, inTexts))
  const files = media
    .filter(({ inText = null }) => !known.has(inText))
    .map((one) => ({ ...one, id: uuidv7(time) }))
  if (files.length === 0) return
  await giveAttachments(db, message.messageId, files.map(beforeFetch))
  const stored = files.map(({ id, name: _, inText: digest = null, ...one }) => ({
    id,
    digest,
    media: JSON.stringify(one),
  }))
  await insertFetches(db, of, stored, current, timestamp(time))
}

function beforeFetch({ id, kind, name }: Media & { id: string }): Attachment {
  return {
    id,
    kind,
    name: name === null ? null : storedName(name),
    type: 'application/octet-stream',
    bytes: 0,
    width: null,
    height: null,
    ...nothingSaid,
    state: 'fetching',
  }
}
