import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'
import { PlatformError } from '../platform.ts'
import type { EmailSettings } from './settings.ts'

/**
 * A chat by mail: the messages between the channel and one address that refer to each other. Nothing about it is
 * stored: its token comes from the id of its first message and the address, and each message that the channel sends
 * carries the token with a hash that only this channel can make for this address. So a reply finds its chat by what it
 * refers to, and nobody else who knows the id gets into it.
 */
export interface MailThread {
  token: string
  address: string
  /** True for a conversation of a widget that goes on by mail. Its name is the token alone: it tells no address. */
  isContinued?: true
}

const DIGITS = 20
const ID = new RegExp(`^<?([0-9a-f]{${DIGITS}})\\.[0-9a-f]{${DIGITS}}\\.([0-9a-f]{${DIGITS}})@`)
const SUBADDRESS = new RegExp(`\\+([0-9a-f]{${DIGITS}})\\.([0-9a-f]{${DIGITS}})@`)

/** Returns the chat that a message begins, or continues, by the id of the first message in it. */
export function threadOfRoot(settings: EmailSettings, rootId: string, address: string): MailThread {
  return { token: hashed(settings, 'thread', rootId, address), address }
}

/** Returns the name of the chat in which a conversation of a widget goes on with an address. */
export function threadOfConversation(
  settings: EmailSettings,
  conversationId: string,
  address: string,
): string {
  return hashed(settings, 'conversation', conversationId, address)
}

/** Returns the chat of a message that the channel has sent to an address, by its id; null when it has not. */
export function threadOfOwn(settings: EmailSettings, messageId: string, address: string): MailThread | null {
  return proven(settings, ID.exec(messageId), address)
}

/** Returns the chat of an address at which the channel gets the replies of a chat: `help+token@example.com`. */
export function threadOfSubaddress(
  settings: EmailSettings,
  recipient: string,
  address: string,
): MailThread | null {
  return proven(settings, SUBADDRESS.exec(recipient), address)
}

/** Tells whether an id has the form of those that the channel sends, whoever the message went to. */
export function looksOwn(messageId: string): boolean {
  return ID.test(messageId)
}

/** Returns the id of a message to a chat, the same for every attempt to send it. */
export function ownMessageId(settings: EmailSettings, thread: MailThread, retryKey: string): string {
  const { token } = thread
  const proof = proofOf(settings, thread)
  const domain = settings.address?.split('@').at(-1) ?? 'localhost'
  return `<${token}.${hashed(settings, 'message', token, retryKey)}.${proof}@${domain}>`
}

/** Returns the name of a chat: its token and the address, or only the address of the one that people have begun. */
export function threadName(settings: EmailSettings, { token, address, isContinued }: MailThread): string {
  if (isContinued) return token
  return token === tokenOfFirst(settings, address) ? address : `${token}:${address}`
}

/** Reads the name of a chat. @param to the address, where the name does not tell it */
export function readThreadName(settings: EmailSettings, name: string, to?: string): MailThread {
  if (to !== undefined) return { token: name, address: to, isContinued: true }
  const [, token, address] = new RegExp(`^([0-9a-f]{${DIGITS}}):(.+)$`, 's').exec(name) ?? []
  if (token !== undefined && address !== undefined) return { token, address }
  return { token: tokenOfFirst(settings, name), address: name }
}

/** Returns a name of the chat that people begin with an address that is not the address itself. */
export function nameOfFirst(settings: EmailSettings, address: string): string {
  return `${tokenOfFirst(settings, address)}:${address}`
}

/** Returns the token of the chat in which people write to an address first. */
function tokenOfFirst(settings: EmailSettings, address: string): string {
  return hashed(settings, 'first', address)
}

function proven(settings: EmailSettings, match: RegExpExecArray | null, address: string): MailThread | null {
  const [, token, proof] = match ?? []
  if (token === undefined || proof === undefined) return null
  const threads: MailThread[] = [
    { token, address },
    { token, address, isContinued: true },
  ]
  return threads.find((thread) => equalInConstantTime(proof, proofOf(settings, thread))) ?? null
}

function proofOf(settings: EmailSettings, { token, address, isContinued }: MailThread): string {
  return hashed(settings, isContinued ? 'continued' : 'proof', token, address)
}

function hashed({ thread_key }: EmailSettings, ...parts: string[]): string {
  if (!thread_key) throw new PlatformError('refused', 'rejected', 'the channel has no thread_key')
  return createHmac('sha256', thread_key).update(parts.join('\n')).digest('hex').slice(0, DIGITS)
}
