import type { Language } from '../launcher/language.ts'
import type { ChatParts } from './chat-parts.ts'
import type { KeptConversation } from './keep-conversation.ts'
import { oneRun } from './one-run.ts'
import type { Outbox } from './outbox.ts'
import { type Chunk, Refusal } from './protocol.ts'
import { isAgentPaused } from './state.ts'

interface QueueOptions {
  language: () => Language
  /** Says to screen readers that the agent answers, or for how many seconds the service asks to wait. */
  say: (text: 'answering' | 'busy', seconds?: number) => void
  /** Called when a message will never be taken: the visitor gets its text back. */
  refused: (text: string) => void
}

/** The number of tries at which the service may fail by itself, before the visitor gets the text back. */
const MOST_FAILURES = 5

/** The error code while the service still answers the first request with the same key. */
const IN_PROGRESS = 'idempotency_in_progress'

/**
 * Returns the function that sends the visitor's messages, one after the other. A message that was not received is sent
 * again with the same key for as long as it takes; one that was received, but whose answer broke off, is asked for again
 * in the same way.
 */
export function sendQueue(
  { store, protocol, pauses, life, renew }: ChatParts,
  outbox: Outbox,
  { met, tellOnce }: Pick<KeptConversation, 'met' | 'tellOnce'>,
  { language, say, refused }: QueueOptions,
) {
  return oneRun(async () => {
    for (;;) {
      const [next] = store.state.outgoing
      if (!next || life.aborted || !store.state.session || store.state.closed) return
      await send(next.id)
    }
  })

  /** Tries until the message is answered, refused or removed. */
  async function send(id: string): Promise<void> {
    for (let tries = 0; outbox.find(id) && !life.aborted; tries++) {
      try {
        if (await attempt(id)) return
      } catch (error) {
        if (life.aborted) return
        if (error instanceof Refusal && !isLost(error, tries)) {
          if (await isOver(id, error)) return
          if (error.code === IN_PROGRESS) tries = 0
          continue
        }
      }
      if (!outbox.find(id)) return
      outbox.change(id, { state: 'waiting' })
      store.set({ isOffline: tries > 0 || !navigator.onLine })
      await pauses.backOff(tries)
    }
  }

  /** Sends the message once. @returns true if it is settled; false if the stream broke off */
  async function attempt(id: string): Promise<boolean> {
    const item = outbox.find(id)
    if (!item) return true
    const { text: content, files } = item
    const body = { content, attachments: files?.map(({ id }) => id), language: language().wanted }
    const wasPaused = isAgentPaused(store.state)
    let text = ''
    for await (const chunk of protocol.ask(id, body, life)) {
      if (chunk.error) {
        outbox.fail(id)
        return true
      }
      if (outbox.find(id)?.state === 'waiting') receive(id, chunk)
      const { delta, finish_reason } = chunk.choices[0] ?? { delta: {}, finish_reason: null }
      text += delta.content ?? ''
      // An answer that is streamed again does not shrink before it grows.
      if (delta.content && text.length > (outbox.find(id)?.answer.length ?? 0))
        outbox.change(id, { answer: text })
      if (finish_reason !== null) {
        const answer = outbox.settle(id, chunk, text, wasPaused)
        if (answer) tellOnce(answer)
        return true
      }
    }
    return false
  }

  function receive(id: string, { id: completionId, conversation_id, prompt_message_id }: Chunk): void {
    store.set({ isOffline: false, busyUntil: null })
    outbox.change(id, { state: 'answering', completionId, messageId: prompt_message_id ?? null })
    if (conversation_id !== undefined) met(conversation_id)
    if (!isAgentPaused(store.state)) say('answering')
  }

  /** Handles a refusal of the service. @returns true if it is final for the message */
  async function isOver(id: string, { status, code, retryMs }: Refusal): Promise<boolean> {
    if (code === 'invalid_visitor') return !(await renew())
    if (code === IN_PROGRESS || status === 429 || status === 503) {
      const ms = retryMs ?? (code === IN_PROGRESS ? 1000 : 5000)
      if (status === 429) {
        store.set({ busyUntil: Date.now() + ms })
        say('busy', Math.ceil(ms / 1000))
      }
      await pauses.rest(ms)
      store.set({ busyUntil: null })
      return false
    }
    const item = outbox.find(id)
    if (item?.completionId) outbox.fail(id)
    else {
      outbox.remove(id)
      store.set({ hasFailed: true })
      refused(item?.text ?? '')
    }
    return true
  }
}

/**
 * Tells whether an answer says as little of a message as a connection that breaks: it comes from a proxy whose service
 * is away, and has no code, or the service itself failed, as it may have done once. A proxy may also refuse what the
 * message says.
 */
function isLost({ status, code }: Refusal, tries: number): boolean {
  return code ? status === 500 && tries < MOST_FAILURES : status >= 500 || status === 408
}
