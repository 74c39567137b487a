import type { Attachment } from '../attachment.ts'
import type { Conversation, Message, Session } from './protocol.ts'

/** A message of the visitor, until the service's own record of it and of its answer has come. */
export interface Outgoing {
  /** The key by which the service knows a repeat. */
  id: string
  text: string
  /** Its files, which the service has already. */
  files?: Attachment[] | undefined
  /** `answering` once the message is stored. */
  state: 'waiting' | 'answering'
  completionId: string | null
  messageId: number | null
  /** The part of the answer that has come. */
  answer: string
  /** The id of the newest message when this one was sent. */
  since: number
  /** The time when it was written. */
  at: string
}

/** Returns the open conversation; null before there is one, and after it has ended. */
export function currentOf({ conversation }: ChatState): Conversation | null {
  return conversation?.ended_at ? null : conversation
}

/** Tells whether the agent is paused, in all conversations or in this one. */
export function isAgentPaused({ isPaused, conversation }: ChatState): boolean {
  return isPaused || conversation?.agent_paused === true
}

/** Returns the last message of the person who has taken the conversation over; undefined before there is one. */
export function personIn(state: ChatState): Message | undefined {
  const last = state.messages.findLast(({ role }) => role === 'operator' || role === 'assistant')
  return currentOf(state)?.agent_paused && last?.role === 'operator' ? last : undefined
}

/** Tells whether a person will answer and has not yet. */
export function isPersonAwaited(state: ChatState): boolean {
  const { waiting, agent_paused } = currentOf(state) ?? {}
  return Boolean(state.isPaused || waiting || agent_paused) && !personIn(state)
}

/** The reason why there is no chat. Each is the name of a text. */
export type Closed = 'inactive' | 'notHere' | 'identityRefused' | 'identityRequired'

/** Everything that the panel shows. */
export interface ChatState {
  session: Session | null
  closed: Closed | null
  /** The newest conversation. */
  conversation: Conversation | null
  /** True if the agent is paused in all conversations. */
  isPaused: boolean
  /** The messages, sorted by id. */
  messages: Message[]
  hasEarlier: boolean
  outgoing: Outgoing[]
  /** The ids of completions that ended without an answer. */
  unanswered: string[]
  isOffline: boolean
  /** The time when a pause that the service asked for ends. */
  busyUntil: number | null
  /** The name of the person who is writing, or '' without one. */
  writes: string | null
  /** A question that the visitor must answer before the action is done. */
  question: 'person' | 'end' | null
  /** The open form about an answer. */
  form: { completionId: string; kind: 'flag' | 'feedback' } | null
  /** The answers for which the visitor has sent a form. */
  thanked: string[]
  /** The source that is unfolded. */
  source: { completionId: string; number: number } | null
  /** The stars given to the conversation, and whether a comment was added. */
  stars: number | null
  hasCommented: boolean
  /** True if an action of the visitor failed. */
  hasFailed: boolean
  /** The text that a screen reader says next. */
  announcement: string
}

/** The part of the state that is about a conversation, before there is one or once the visitor has left it. */
export const noConversation = {
  conversation: null,
  messages: [],
  hasEarlier: false,
  unanswered: [],
  writes: null,
  question: null,
  form: null,
  thanked: [],
  source: null,
  stars: null,
  hasCommented: false,
}

const nothingYet: ChatState = {
  ...noConversation,
  session: null,
  closed: null,
  isPaused: false,
  outgoing: [],
  isOffline: false,
  busyUntil: null,
  hasFailed: false,
  announcement: '',
}

export interface Store {
  readonly state: ChatState
  set(change: Partial<ChatState>): void
  /** Adds messages to those that are there. @param isOwn true if made here: then the service's messages win */
  add(messages: readonly Message[], isOwn?: boolean): void
}

/** Holds the state, and reports changes that come together once. @param life aborted to end all changes */
export function createStore(changed: () => void, life: AbortSignal): Store {
  let state = nothingYet
  let isTold = false
  return {
    get state() {
      return state
    },
    set,
    add(more, isOwn) {
      const { messages } = state
      const byId = new Map(
        (isOwn ? [...more, ...messages] : [...messages, ...more]).map((message) => [message.id, message]),
      )
      set({ messages: [...byId.values()].sort((a, b) => a.id - b.id) })
    },
  }

  function set(change: Partial<ChatState>): void {
    if (life.aborted) return
    state = { ...state, ...change }
    if (isTold) return
    isTold = true
    queueMicrotask(() => {
      isTold = false
      if (!life.aborted) changed()
    })
  }
}
