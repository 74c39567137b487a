import { writerOf } from '../mailboxes/parked-messages-of.ts'
import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import { saidText } from '../platforms/said.ts'
import type { UserKey } from '../users/user-key.ts'
import { type Writer, writerOfChannel } from '../users/writer.ts'
import type { Channel } from './channel.ts'
import type { Payload } from './payload.ts'

/** A person's message, as its item holds it until it is stored. */
export type InboundMessage = Payload<Extract<Inbound, { type: 'message' }>>

/** Reads an item's payload. Older versions stored only a text. */
export function readMessage(payload: string): InboundMessage {
  const message = JSON.parse(payload) as InboundMessage
  return { ...saidText(message.text), ...message }
}

/** Returns the end user who wrote. */
export function writerOfMessage(
  { id: channelId, platform }: Pick<Channel, 'id' | 'platform'>,
  { thread, unseen_ms, user_id }: Pick<MailboxRow, 'thread' | 'unseen_ms' | 'user_id'>,
  message: Pick<InboundMessage, 'user' | 'address'>,
): Writer {
  // A mail from the address that a visitor has left counts as theirs, but proves nothing.
  if (unseen_ms !== null && user_id !== null)
    return { key: user_id as UserKey, proof: 'none', provenId: null, name: null }
  const id = writerOf({ thread }, message)
  const { signedId, isPerson = true } = message.user
  if (platform.knowsUsers && isPerson)
    return writerOfChannel(channelId, id, { proof: 'platform', provenId: id })
  const provenId = signedId ?? null
  return writerOfChannel(channelId, id, { proof: provenId === null ? 'none' : 'signed', provenId })
}
