import type { Conversation, Message, Session } from './protocol.ts'

/** What the visitor has sent, until the service's own record of it and of its answer has come. */
export interface Outgoing {
  /** By which the service knows a repeat. */
  id: string
  text: string
  /** `answering`: it is stored. */
  state: 'waiting' | 'answering'
  completionId: string | null
  messageId: number | null
  /** What has come of the answer. */
  answer: string
  /** The newest message when it was sent. */
  since: number
  /** When it was written. */
  at: string
}

/** The conversation that goes on; null before it, and after it has ended. */
export function currentOf({ conversation }: ChatState): Conversation | null {
  return conversation?.ended_at ? null : conversation
}

/** What the person has said last who has taken the conversation over; undefined before they say something. */
export function personIn(state: ChatState): Message | undefined {
  const last = state.messages.findLast(({ role }) => role === 'operator' || role === 'assistant')
  return currentOf(state)?.agent_paused && last?.role === 'operator' ? last : undefined
}

/** Whether a person is going to answer, and has not yet. */
export function isPersonAwaited(state: ChatState): boolean {
  const { waiting, agent_paused } = currentOf(state) ?? {}
  return Boolean(state.isPaused || waiting || agent_paused) && !personIn(state)
}

/** Why there is no chat. Each is a text. */
export type Closed = 'inactive' | 'notHere' | 'identityRefused' | 'identityRequired'

/** All that the panel shows. */
export interface ChatState {
  session: Session | null
  closed: Closed | null
  /** The newest one. */
  conversation: Conversation | null
  /** The agent is paused in all conversations. */
  isPaused: boolean
  /** By id. */
  messages: Message[]
  hasEarlier: boolean
  outgoing: Outgoing[]
  /** Completions that ended without an answer. */
  unanswered: string[]
  isOffline: boolean
  /** The service wants a pause; when it ends. */
  busyUntil: number | null
  /** The person who writes: their name, or '' without one. */
  writes: string | null
  /** What the visitor is asked before it is done. */
  question: 'person' | 'end' | null
  /** An answer that the visitor says something about. */
  form: { completionId: string; kind: 'flag' | 'feedback' } | null
  /** Answers of which the visitor has said something. */
  thanked: string[]
  /** The source that is unfolded. */
  source: { completionId: string; number: number } | null
  /** Stars given to the conversation, and whether a comment was added. */
  stars: number | null
  hasCommented: boolean
  /** Something that the visitor did failed. */
  hasFailed: boolean
  /** What a screen reader says next. */
  announcement: string
}

export const nothingYet: ChatState = {
  session: null,
  closed: null,
  conversation: null,
  isPaused: false,
  messages: [],
  hasEarlier: false,
  outgoing: [],
  unanswered: [],
  isOffline: false,
  busyUntil: null,
  writes: null,
  question: null,
  form: null,
  thanked: [],
  source: null,
  stars: null,
  hasCommented: false,
  hasFailed: false,
  announcement: '',
}

export interface Store {
  readonly state: ChatState
  set(change: Partial<ChatState>): void
  /** From now on nothing changes any more. */
  stop(): void
  readonly isStopped: boolean
}

/** Holds the state and tells that it changed, once for all changes that come together. */
export function createStore(changed: () => void): Store {
  let state = nothingYet
  let isTold = false
  let isStopped = false
  return {
    get state() {
      return state
    },
    get isStopped() {
      return isStopped
    },
    stop() {
      isStopped = true
    },
    set(change) {
      if (isStopped) return
      state = { ...state, ...change }
      if (isTold) return
      isTold = true
      queueMicrotask(() => {
        isTold = false
        if (!isStopped) changed()
      })
    },
  }
}

/** Adds messages to those that are there. @param isOwn made here: what the service said goes before it */
export function addMessages(there: readonly Message[], more: readonly Message[], isOwn = false): Message[] {
  const byId = new Map(
    (isOwn ? [...more, ...there] : [...there, ...more]).map((message) => [message.id, message]),
  )
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
