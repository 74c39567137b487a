import type { ChatParts } from './chat-parts.ts'
import { followConversation } from './follow-conversation.ts'
import { type Conversation, type LiveEvent, type Message, Refusal } from './protocol.ts'
import { noConversation } from './state.ts'

/** The time after which a person who sends no new signal counts as no longer writing. */
const WRITES_MS = 8_000

export type KeptConversation = ReturnType<typeof keepConversation>

/**
 * Keeps the visitor's newest conversation and its messages as the service has them.
 * @param answered called once with each new answer of the agent or of a person
 * @param settle called with the id of a sent message whose answer has come another way than by its own stream
 */
export function keepConversation(
  parts: ChatParts,
  answered: (message: Message) => void,
  settle: (id: string) => void,
) {
  const { store, protocol, pauses, life, renew } = parts
  const known = new Set<number>()
  const live = followConversation(parts, heard, catchUp)
  let writesTimer: ReturnType<typeof setTimeout> | undefined
  /** True once earlier messages are loaded. Before that, nothing tells which messages are new. */
  let isLoaded = false

  return { load, showEarlier, meet, met, leave, tellOnce }

  /** Loads earlier messages, and follows the conversation from then on. */
  async function load(): Promise<void> {
    for (let tries = 0; store.state.conversation && !life.aborted; tries++) {
      try {
        for (const { id } of await loadPage()) known.add(id)
        break
      } catch (error) {
        if (error instanceof Refusal && error.status === 403 && !(await renew())) return
        await pauses.backOff(tries)
      }
    }
    isLoaded = true
    if (store.state.conversation) live.follow(store.state.conversation.id)
  }

  async function showEarlier(): Promise<void> {
    const [first] = store.state.messages
    if (first) await loadPage({ before: first.id, conversation_id: first.conversation_id })
  }

  /** Loads a page of messages. @param isReset true if it takes the place of all that is shown */
  async function loadPage(
    before?: { before: number; conversation_id: string },
    isReset?: boolean,
  ): Promise<Message[]> {
    const { data, more } = await protocol.messages({ per_page: 50, ...before })
    if (isReset) store.set({ messages: [] })
    store.add(data)
    store.set({ hasEarlier: more })
    return data
  }

  /** Shows and follows the visitor's newest conversation. */
  function meet(conversation: Conversation): void {
    const isOther = store.state.conversation?.id !== conversation.id
    store.set({ conversation, ...(isOther && { stars: conversation.rating, hasCommented: false }) })
    if (isLoaded) live.follow(conversation.id)
  }

  /** Notes that a message was stored in a conversation, which it may have opened. */
  function met(id: string): void {
    if (store.state.conversation?.id === id) return
    meet({ id, ended_at: null, agent_paused: store.state.isPaused, waiting: false, rating: null })
  }

  /** Shows an empty conversation, which the first message opens. */
  function leave(): void {
    live.stop()
    store.set(noConversation)
  }

  async function catchUp(isReset: boolean): Promise<void> {
    const [newest] = await protocol.conversations()
    if (!newest) return
    meet(newest)
    const { id } = newest
    let after = store.state.messages.findLast(({ conversation_id }) => conversation_id === id)?.id ?? 0
    if (isReset) await loadPage(undefined, true)
    for (let isMore = true; isMore; ) {
      const { data, more } = await protocol.messages({ after, per_page: 100, conversation_id: id })
      for (const message of data) receive(message)
      after = data.at(-1)?.id ?? after
      isMore = more && data.length > 0
    }
  }

  function heard(event: LiveEvent): void {
    if (event.type === 'message') receive(event.message)
    else if (event.type === 'message_changed') store.add([event.message])
    else if (event.type === 'conversation' && event.conversation.id === store.state.conversation?.id)
      meet(event.conversation)
    else if (event.type === 'agent') store.set({ isPaused: event.agent.is_paused })
    else if (event.type === 'typing') {
      clearTimeout(writesTimer)
      store.set({ writes: event.typing ? (event.by.name ?? '') : null })
      if (event.typing) writesTimer = setTimeout(() => store.set({ writes: null }), WRITES_MS)
    }
  }

  function receive(message: Message): void {
    const { role, completion_id: completionId } = message
    store.add([message])
    if (role === 'operator') store.set({ writes: null })
    const prompt = store.state.outgoing.find((item) => item.completionId === completionId)
    const isBrokenOff = prompt?.state === 'waiting' && completionId !== null && role !== 'user'
    if (prompt && isBrokenOff) settle(prompt.id)
    if (!prompt || isBrokenOff || role === 'operator') tellOnce(message)
  }

  function tellOnce(message: Message): void {
    if (message.role === 'user' || known.has(message.id) || life.aborted) return
    known.add(message.id)
    answered(message)
  }
}
