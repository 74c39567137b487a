import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../../lib/clock.ts'
import { newest } from '../../lib/newest.ts'
import { ModelError, type ModelMessage } from '../../model/model.ts'
import type { Masked, SaidAround } from '../../redaction/mask/mask-request.ts'
import { type KnownValue, replacing } from '../../redaction/mask/replace-known.ts'
import type { MaskableRequest } from '../../redaction/mask/request-texts.ts'
import { type Restore, restoring } from '../../redaction/mask/restore.ts'
import { redactString } from '../../redaction/redact-content.ts'

/** Replaces personal data in what is sent to model servers for an agent. */
export interface Mask {
  /** True if answers get the values back. */
  restores: boolean
  /** @param key makes the numbers of placeholders; null: they have none */
  apply(
    request: MaskableRequest,
    around: SaidAround,
    known: readonly KnownValue[],
    key: string | null,
  ): Promise<Masked>
}

/** The key of the numbers of a conversation's placeholders. */
export interface NumbersKey {
  /** Returns the key; null: the conversation has none yet. */
  find(): Promise<string | null>
  make(): Promise<string>
}

/** A conversation for which model servers are asked. */
export interface MaskedConversation {
  key: NumbersKey
  /** Returns what was said in it, whatever a request repeats of that. */
  around: () => Promise<SaidAround>
}

/** A piece of work for a conversation. */
interface Session {
  key: NumbersKey
  around: (() => Promise<SaidAround>)[]
}

const sessions = new AsyncLocalStorage<Session>()

/**
 * The values found in conversations lately, by the key of the conversation. An answer may repeat a value from a passage
 * or a tool's result that later requests leave out, and without the words around it the value would not be recognized.
 * They stay in the memory of this process, for an hour. A scrub deletes the key, without which nobody finds them.
 */
const found = newest<string, readonly KnownValue[]>(2000)
const KEPT_MS = HOUR_MS
const MOST_KEPT = 1000

function remember(key: string, values: readonly KnownValue[]): void {
  const byValue = new Map([...knownIn(key), ...values].map((known) => [known[1], known]))
  found.set(key, [...byValue.values()].slice(-MOST_KEPT), KEPT_MS)
}

function knownIn(key: string | null): readonly KnownValue[] {
  return (key !== null && found.get(key)) || []
}

/**
 * Runs work for a conversation, in which each value has the same placeholder in all calls of model servers. Nested work
 * adds what was said in its own conversation.
 */
export function maskingIn<T>({ key, around }: MaskedConversation, work: () => Promise<T>): Promise<T> {
  const outer = sessions.getStore()
  if (!outer) return sessions.run({ key: remembering(key), around: [once(around)] }, work)
  outer.around.push(once(around))
  return work()
}

/** Adds messages to what was said in the present work: their values are masked also where they are cut later. */
export function noteSaid(messages: readonly ModelMessage[]): void {
  sessions.getStore()?.around.push(async () => ({ messages, names: [] }))
}

/** Masks a request of the present work. @throws ModelError `masking`: it must not be sent */
export async function maskedRequest(
  mask: Mask,
  request: MaskableRequest,
): Promise<{ request: MaskableRequest; restore: Restore | null }> {
  const { request: masked, known } = await orFail(async () => {
    const session = sessions.getStore()
    if (!session) return mask.apply(request, NOTHING_SAID, [], randomBytes(16).toString('base64url'))
    const around = await aroundOf(session)
    let key = await session.key.find()
    if (key === null) {
      // Most conversations hold nothing to mask, and need no key.
      const plain = await mask.apply(request, around, [], null)
      if (!plain.isMasked) return plain
      key = await session.key.make()
    }
    const masked = await mask.apply(request, around, knownIn(key), key)
    if (masked.known.length > 0) remember(key, masked.known)
    return masked
  })
  return { request: masked, restore: mask.restores && known.length > 0 ? restoring(known) : null }
}

/** Masks texts of which no server repeats anything. Their placeholders have no numbers. @throws ModelError `masking` */
export async function maskedTexts(mask: Mask, texts: readonly string[]): Promise<string[]> {
  const messages = texts.map((content): ModelMessage => ({ role: 'user', content }))
  const masked = await orFail(async () => {
    const session = sessions.getStore()
    const known = session ? knownIn(await session.key.find()) : []
    const around = session ? await aroundOf(session) : NOTHING_SAID
    return mask.apply({ messages, parameters: {} }, around, known, null)
  })
  return masked.request.messages.map(({ content }) => String(content))
}

/** Replaces the values that are known in the present work, in JSON a value at a time. */
export async function hideKnown(text: string): Promise<string> {
  const session = sessions.getStore()
  return session ? redactString(text, replacing(knownIn(await session.key.find()))) : text
}

/** Stands for a conversation of which nothing is known. */
export const NOTHING_SAID: SaidAround = { messages: [], names: [] }

async function aroundOf({ around }: Session): Promise<SaidAround> {
  const all = await Promise.all(around.map((read) => read()))
  return { messages: all.flatMap(({ messages }) => messages), names: all.flatMap(({ names }) => names) }
}

async function orFail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const error = new ModelError('masking', 'Personal data could not be masked, so nothing was sent')
    error.cause = cause
    throw error
  }
}

/** Reads the key once, and knows it also when it is made. */
function remembering({ find, make }: NumbersKey): NumbersKey {
  let key: Promise<string | null> | undefined
  return {
    find() {
      key ??= find()
      return key
    },
    make() {
      const made = make()
      key = made
      return made
    },
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
