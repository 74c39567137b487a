import type { Language } from '../launcher/language.ts'
import type { Pauses } from './pauses.ts'
import { type Attachment, type Chunk, type Message, type Protocol, Refusal } from './protocol.ts'
import { addMessages, type Outgoing, type Store } from './state.ts'

interface Dependencies {
  store: Store
  protocol: Protocol
  pauses: Pauses
  language: () => Language
  /** Gets a valid session again; false if there is none. */
  renew: () => Promise<boolean>
  /** Keeps messages that the service has not received, so that they outlive the page. */
  keepWaiting: (waiting: Pick<Outgoing, 'id' | 'text' | 'files'>[]) => void
  /** Called when a message was stored in this conversation. */
  met: (conversationId: string) => void
  begun: () => void
  answered: (message: Message) => void
  /** Called when a message will never be taken: the visitor gets its text back. */
  refused: (text: string) => void
}

/** The error code while the service still answers the first request with the same key. */
const IN_PROGRESS = 'idempotency_in_progress'

/**
 * Sends the visitor's messages one after the other. A message that was not received is sent again with the same key for
 * as long as it takes; one that was received, but whose answer broke off, is asked for again in the same way.
 */
export function sendQueue(dependencies: Dependencies) {
  const { store, protocol, pauses, language, renew, keepWaiting, met, begun, answered, refused } =
    dependencies
  let isRunning = false

  return { add, run, remove }

  function add(text: string, files?: Attachment[], id: string = crypto.randomUUID()): void {
    const since = store.state.messages.at(-1)?.id ?? 0
    const item: Outgoing = {
      id,
      text,
      files,
      state: 'waiting',
      completionId: null,
      messageId: null,
      answer: '',
      since,
      at: new Date().toISOString(),
    }
    put([...store.state.outgoing, item])
    void run()
  }

  function remove(id: string): void {
    put(store.state.outgoing.filter((item) => item.id !== id))
  }

  function put(outgoing: Outgoing[]): void {
    store.set({ outgoing })
    const waiting = outgoing.filter(({ state, completionId }) => state === 'waiting' && completionId === null)
    keepWaiting(waiting.map(({ id, text, files }) => ({ id, text, files })))
  }

  function change(id: string, fields: Partial<Outgoing>): void {
    put(store.state.outgoing.map((item) => (item.id === id ? { ...item, ...fields } : item)))
  }

  function find(id: string): Outgoing | undefined {
    return store.state.outgoing.find((item) => item.id === id)
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    for (;;) {
      const [next] = store.state.outgoing
      if (!next || store.isStopped || !store.state.session || store.state.closed) break
      await send(next.id)
    }
    isRunning = false
  }

  /** Tries until the message is answered, refused or removed. */
  async function send(id: string): Promise<void> {
    for (let tries = 0; find(id) && !store.isStopped; tries++) {
      try {
        if (await attempt(id)) return
      } catch (error) {
        if (error instanceof Refusal) {
          if (await isOver(id, error)) return
          if (error.code === IN_PROGRESS) tries = 0
          continue
        }
      }
      if (!find(id)) return
      change(id, { state: 'waiting' })
      store.set({ isOffline: tries > 0 || !navigator.onLine })
      await pauses.backOff(tries)
    }
  }

  /** Sends the message once. @returns true if it is settled; false if the stream broke off */
  async function attempt(id: string): Promise<boolean> {
    const item = find(id)
    if (!item) return true
    const { text: content, files } = item
    const attachments = files && { attachments: files.map(({ id }) => id) }
    const body = { content, ...attachments, language: language().wanted }
    const wasPaused = store.state.isPaused || store.state.conversation?.agent_paused === true
    let text = ''
    for await (const chunk of protocol.ask(id, body)) {
      if (chunk.error) return fail(id)
      if (find(id)?.state === 'waiting') receive(id, chunk)
      const { delta, finish_reason } = chunk.choices[0] ?? { delta: {}, finish_reason: null }
      text += delta.content ?? ''
      // An answer that is streamed again does not shrink before it grows.
      if (delta.content && text.length > (find(id)?.answer.length ?? 0)) change(id, { answer: text })
      if (finish_reason !== null) {
        settle(id, chunk, text, wasPaused)
        return true
      }
    }
    return false
  }

  function receive(id: string, { id: completionId, conversation_id, prompt_message_id }: Chunk): void {
    store.set({ isOffline: false, busyUntil: null })
    change(id, { state: 'answering', completionId, messageId: prompt_message_id ?? null })
    if (conversation_id !== undefined) met(conversation_id)
    if (!store.state.isPaused && !store.state.conversation?.agent_paused) begun()
  }

  function settle(id: string, chunk: Chunk, text: string, wasPaused: boolean): void {
    const { message_id, agent_paused = false, citations = [], ctas = [] } = chunk
    const { conversation } = store.state
    if (conversation && agent_paused) store.set({ conversation: { ...conversation, agent_paused } })
    const prompt = record(id)
    const completion = { liked: null, flagged: false, citations, ctas }
    const answer: Message | null =
      message_id == null || !prompt
        ? null
        : {
            ...prompt,
            id: message_id,
            role: agent_paused && wasPaused ? 'transition' : 'assistant',
            content: text,
            created_at: new Date().toISOString(),
            completion,
          }
    store.set({ messages: addMessages(store.state.messages, answer ? [answer] : [], true) })
    if (answer) answered(answer)
  }

  /** Records that the message is stored and has no answer. */
  function fail(id: string): true {
    const completionId = find(id)?.completionId
    record(id)
    if (completionId) store.set({ unanswered: [...store.state.unanswered, completionId] })
    return true
  }

  /** Turns a sent message into an ordinary one. */
  function record(id: string): Message | null {
    const item = find(id)
    remove(id)
    if (!item?.messageId) return null
    const message: Message = {
      id: item.messageId,
      conversation_id: store.state.conversation?.id ?? '',
      completion_id: item.completionId,
      role: 'user',
      content: item.text,
      attachments: item.files ?? null,
      author: null,
      created_at: item.at,
      completion: null,
    }
    store.set({ messages: addMessages(store.state.messages, [message], true) })
    return message
  }

  /** Handles a refusal. @returns true if it is final for the message */
  async function isOver(id: string, { status, code, retryMs }: Refusal): Promise<boolean> {
    if (code === 'invalid_visitor') return !(await renew())
    if (code === IN_PROGRESS) {
      await pauses.rest(retryMs ?? 1000)
      return false
    }
    if (status === 429 || status === 503) {
      const ms = retryMs ?? 5000
      if (status === 429) store.set({ busyUntil: Date.now() + ms })
      await pauses.rest(ms)
      store.set({ busyUntil: null })
      return false
    }
    const item = find(id)
    if (item?.completionId) return fail(id)
    remove(id)
    store.set({ hasFailed: true })
    refused(item?.text ?? '')
    return true
  }
}
