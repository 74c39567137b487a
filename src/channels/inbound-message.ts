import type { MailboxRow } from '../mailboxes/tables.ts'
import type { Inbound } from '../platforms/platform.ts'
import { saidText } from '../platforms/said.ts'
import type { Payload } from './mailbox-store.ts'

/** What a person sent, as its item keeps it until it is stored as a message. */
export type InboundMessage = Payload<Extract<Inbound, { type: 'message' }>>

/** Reads an item's payload; one that an older version kept is a text. */
export function readMessage(payload: string): InboundMessage {
  const message = JSON.parse(payload) as InboundMessage
  return { ...saidText(message.text), ...message }
}

/** The end user who wrote: where a person has several ids, the one that names their chat. */
export function userIdOf(
  { thread }: Pick<MailboxRow, 'thread'>,
  { user, address }: Pick<InboundMessage, 'user' | 'address'>,
): string {
  return user.id === address ? thread : user.id
}
