import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import { saidText } from '../platforms/said.ts'
import type { Payload } from './payload.ts'

/** What a person sent, as its item holds it until it is stored as a message. */
export type InboundMessage = Payload<Extract<Inbound, { type: 'message' }>>

/** Reads an item's payload. Older versions stored only a text. */
export function readMessage(payload: string): InboundMessage {
  const message = JSON.parse(payload) as InboundMessage
  return { ...saidText(message.text), ...message }
}

/** The id of the end user who wrote. For a person with several ids it is the one that names the chat. */
export function userIdOf(
  { thread }: Pick<MailboxRow, 'thread'>,
  { user, address }: Pick<InboundMessage, 'user' | 'address'>,
): string {
  return user.id === address ? thread : user.id
}
