import { agentBound, boundsOf, visitorsBound } from './bounds.ts'
import type { Listener, Subscription, View } from './listener.ts'
import type { Audience } from './read-events.ts'

/** The number of streams of an agent. */
export interface AgentCounts {
  all: number
  visitors: number
}

/** The listeners in this process, found by agent and by conversation. */
export class Listeners implements Audience {
  readonly all = new Set<Listener>()
  /** The listeners to whole agents. */
  readonly #ofAgents = new Map<number, Set<Listener>>()
  readonly #ofConversations = new Map<string, Set<Listener>>()
  /** The conversations of each agent that have listeners of their own. */
  readonly #conversations = new Map<number, Set<string>>()
  /** The number of streams that share each bound. */
  readonly #counts = new Map<string, number>()
  /** The agents that have streams. */
  readonly #agents = new Map<number, number>()

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

  #count({ subscription }: Listener, by: 1 | -1): void {
    addCount(this.#agents, subscription.agentId, by)
    for (const { name } of boundsOf(subscription)) addCount(this.#counts, name, by)
  }

  /** True if one more stream is allowed. @param elsewhere the streams of its agent in other processes */
  haveRoomFor(subscription: Subscription, elsewhere: AgentCounts): boolean {
    const { agentId } = subscription
    const there = new Map([
      [agentBound(agentId), elsewhere.all],
      [visitorsBound(agentId), elsewhere.visitors],
    ])
    return boundsOf(subscription).every(
      ({ name, most }) => this.#countOf(name) + (there.get(name) ?? 0) < most,
    )
  }

  /** Counts an agent's streams, all and those of visitors. */
  countsOf(agentId: number): AgentCounts {
    return { all: this.#countOf(agentBound(agentId)), visitors: this.#countOf(visitorsBound(agentId)) }
  }

  #countOf(bound: string): number {
    return this.#counts.get(bound) ?? 0
  }

  /** The agents that have streams. */
  get agents(): readonly number[] {
    return [...this.#agents.keys()]
  }

  ofAgent(agentId: number): Iterable<Listener> {
    return this.#ofAgents.get(agentId) ?? []
  }

  ofConversation(conversationId: string, view?: View): Listener[] {
    const all = [...(this.#ofConversations.get(conversationId) ?? [])]
    return view === undefined ? all : all.filter(({ subscription }) => subscription.view === view)
  }

  /** True if somebody who may not see all conversations listens to an agent or a conversation. */
  hasScoped({ agentId, conversationId }: { agentId: number; conversationId: string | null }): boolean {
    const all = [...this.ofAgent(agentId), ...this.ofConversation(conversationId ?? '')]
    return all.some(({ scope }) => scope !== null)
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

function addTo<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/** Removes a value and returns true if its set is now empty. */
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
