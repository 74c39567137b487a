import { newId } from '../../browser/new-id.ts'
import type { Attachment } from '../attachment.ts'
import type { Chunk, Message } from './protocol.ts'
import type { Outgoing, Store } from './state.ts'

export type Outbox = ReturnType<typeof openOutbox>

/**
 * Opens the messages that the visitor has sent and that are not settled: each waits, is being answered, and then becomes
 * an ordinary message.
 * @param keepWaiting keeps messages that the service has not received, so that they outlive the page, in place of those
 * kept before that have one of the given ids; others are of another tab
 */
export function openOutbox(
  store: Store,
  keepWaiting: (ids: Set<string>, waiting: Pick<Outgoing, 'id' | 'text' | 'files'>[]) => void,
) {
  return { add, find, change, remove, settle, fail }

  function add(text: string, files?: Attachment[], id: string = newId()): void {
    if (find(id)) return
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
  }

  function find(id: string): Outgoing | undefined {
    return store.state.outgoing.find((item) => item.id === id)
  }

  function change(id: string, fields: Partial<Outgoing>): void {
    put(store.state.outgoing.map((item) => (item.id === id ? { ...item, ...fields } : item)))
  }

  function remove(id: string): void {
    put(store.state.outgoing.filter((item) => item.id !== id))
  }

  function put(outgoing: Outgoing[]): void {
    const ids = new Set([...store.state.outgoing, ...outgoing].map(({ id }) => id))
    store.set({ outgoing })
    const waiting = outgoing.filter(({ state, completionId }) => state === 'waiting' && completionId === null)
    keepWaiting(
      ids,
      waiting.map(({ id, text, files }) => ({ id, text, files })),
    )
  }

  /**
   * Turns a message and its answer into ordinary ones.
   * @param end the last chunk of the answer
   * @param wasPaused true if the agent was paused when the message was sent
   * @returns the answer, if there is one
   */
  function settle(id: string, end: Chunk, content: string, wasPaused: boolean): Message | undefined {
    const { message_id, agent_paused = false, citations = [], ctas = [] } = end
    const { conversation } = store.state
    if (conversation && agent_paused) store.set({ conversation: { ...conversation, agent_paused } })
    const prompt = record(id)
    if (!prompt || message_id == null) return
    const answer: Message = {
      ...prompt,
      id: message_id,
      role: agent_paused && wasPaused ? 'transition' : 'assistant',
      content,
      created_at: new Date().toISOString(),
      completion: { liked: null, flagged: false, citations, ctas },
    }
    store.add([answer], true)
    return answer
  }

  /** Turns a message that the service has stored, but not answered, into an ordinary one. */
  function fail(id: string): void {
    const completionId = find(id)?.completionId
    record(id)
    if (completionId) store.set({ unanswered: [...store.state.unanswered, completionId] })
  }

  /** Turns a sent message into an ordinary one. @returns null if the service has not stored it */
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
    store.add([message], true)
    return message
  }
}
