import type { Admission } from '../http/member.ts'
import type { Listener, View } from './listener.ts'
import type { Audience } from './read-events.ts'

/** Who listens in this process, found by agent and by conversation. */
export class Listeners implements Audience {
  readonly all = new Set<Listener>()
  /** Those of whole agents. */
  readonly #ofAgents = new Map<number, Set<Listener>>()
  readonly #ofConversations = new Map<string, Set<Listener>>()
  /** The conversations of each agent that somebody listens to. */
  readonly #conversations = new Map<number, Set<string>>()
  readonly #counts = new Map<number, number>()
  /** How many streams each session or visitor has. */
  readonly #sessions = new Map<string, number>()

  add(listener: Listener): void {
    const { agentId, conversationId } = listener.subscription
    this.all.add(listener)
    this.#count(listener, 1)
    if (conversationId === null) addTo(this.#ofAgents, agentId, listener)
    else {
      addTo(this.#ofConversations, conversationId, listener)
      addTo(this.#conversations, agentId, conversationId)
    }
  }

  delete(listener: Listener): void {
    if (!this.all.delete(listener)) return
    const { agentId, conversationId } = listener.subscription
    this.#count(listener, -1)
    if (conversationId === null) removeFrom(this.#ofAgents, agentId, listener)
    else if (removeFrom(this.#ofConversations, conversationId, listener))
      removeFrom(this.#conversations, agentId, conversationId)
  }

  #count({ subscription: { agentId, admission } }: Listener, by: 1 | -1): void {
    addCount(this.#counts, agentId, by)
    const session = sessionOf(admission)
    if (session !== null) addCount(this.#sessions, session, by)
  }

  /** How many streams each agent has. */
  get counts(): ReadonlyMap<number, number> {
    return this.#counts
  }

  /** How many streams the session or the visitor has by which a stream was let in. */
  ofSession(admission: Admission): number {
    return this.#sessions.get(sessionOf(admission) ?? '') ?? 0
  }

  ofAgent(agentId: number): Iterable<Listener> {
    return this.#ofAgents.get(agentId) ?? []
  }

  ofConversation(conversationId: string, view?: View): Listener[] {
    const all = [...(this.#ofConversations.get(conversationId) ?? [])]
    return view === undefined ? all : all.filter(({ subscription }) => subscription.view === view)
  }

  listensTo(agentId: number, conversationId: string | null): boolean {
    if (this.#ofAgents.has(agentId)) return true
    return conversationId !== null && this.#ofConversations.has(conversationId)
  }

  hasVisitors(conversationId: string): boolean {
    return this.ofConversation(conversationId, 'visitor').length > 0
  }

  conversationsOf(agentId: number): readonly string[] {
    return [...(this.#conversations.get(agentId) ?? [])]
  }
}

/** What names the session of a person or a visitor; null: a program, which has none. */
function sessionOf(admission: Admission): string | null {
  if (admission.kind === 'session') return `session ${admission.sessionId}`
  return admission.kind === 'visitor' ? `visitor ${admission.widgetId} ${admission.userId}` : null
}

function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/** Returns whether the set is empty now. */
function removeFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): boolean {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size !== 0) return false
  return sets.delete(key)
}

function addCount<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
