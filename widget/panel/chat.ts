import type { Attachment } from '../attachment.ts'
import type { Language } from '../launcher/language.ts'
import type { KnownUser } from '../launcher/settings.ts'
import type { Kept, Storage } from '../launcher/storage.ts'
import { keepConversation } from './keep-conversation.ts'
import { keepSession } from './keep-session.ts'
import { openOutbox } from './outbox.ts'
import { pauses as makePauses } from './pauses.ts'
import { type Message, openProtocol, type Session } from './protocol.ts'
import { sendQueue } from './send-queue.ts'
import { type ChatState, type Closed, createStore, currentOf } from './state.ts'
import { visitorActs } from './visitor-acts.ts'

/** The shortest time between two signals to the service that the visitor is writing. */
const TELL_TYPING_MS = 4_000

interface ChatOptions {
  /** The service's origin, from which the script came. */
  service: string
  /** The widget's key. */
  key: string
  storage: Storage
  user: KnownUser | null
  language: () => Language
  changed: (chat: Chat) => void
  /** Called when an answer of the agent or of a person has come. */
  answered: (message: Message) => void
  say: (text: 'answering' | 'busy', seconds?: number) => void
  /** Called when the service will never take this text, which goes back to the visitor, who can change it. */
  refused: (text: string) => void
}

export type Chat = ReturnType<typeof openChat>

/** Opens one visitor's chat, for as long as they are the same person. */
export function openChat(options: ChatOptions) {
  const life = new AbortController()
  const { signal } = life
  const store = createStore(() => options.changed(chat), signal)
  const kept = options.storage.read()
  const base = `${options.service}/widget/v1/${encodeURIComponent(options.key)}`
  const protocol = openProtocol(base, kept.token ?? null)
  const pauses = makePauses(signal)
  const parts = { store, protocol, pauses, life: signal, renew: () => session.renew() }
  const session = keepSession(parts, options, started, close)
  const outbox = openOutbox(store, (ids, waiting) => {
    const others = options.storage.read().waiting?.filter(({ id }) => !ids.has(id)) ?? []
    remember({ waiting: [...others, ...waiting] })
  })
  const conversation = keepConversation(parts, options.answered, outbox.remove)
  const sendWaiting = sendQueue(parts, outbox, conversation, options)
  addEventListener('offline', () => store.set({ isOffline: true }), life)
  let lastTyping = 0
  let seen = 0

  const chat = {
    get state(): ChatState {
      return store.state
    },
    /** Begins: loads earlier messages, and sends those left waiting. */
    async begin(): Promise<void> {
      for (const { id, text, files } of kept.waiting ?? []) outbox.add(text, files, id)
      if (await session.start()) await conversation.load()
    },
    /** Asks the service again, after it refused or to get texts in another language. */
    async refresh(): Promise<void> {
      if (store.state.session || store.state.closed) await session.start()
    },
    /** Sends a message. @param id its key, if it may have been kept as waiting already */
    send(text: string, files?: Attachment[], id?: string): void {
      store.set({ hasFailed: false })
      outbox.add(text, files, id)
      void sendWaiting()
    },
    keepDraft: (draft: string) => remember({ draft }),
    /** Notes that the visitor has seen everything; on the next page the launcher counts what came after it. */
    saw(): void {
      const { messages, outgoing } = store.state
      const newest = Math.max(messages.at(-1)?.id ?? 0, outgoing[0]?.messageId ?? 0)
      if (newest !== seen) remember({ seen: (seen = newest) })
    },
    set: store.set,
    renew: parts.renew,
    /** Returns where, and with which token, the visitor's files are uploaded. */
    uploads: () => ({ address: `${base}/attachments`, token: protocol.token }),
    showEarlier: conversation.showEarlier,
    /** Tells people that the visitor is writing. */
    typing(): void {
      if (!currentOf(store.state) || Date.now() - lastTyping < TELL_TYPING_MS) return
      lastTyping = Date.now()
      protocol.typing().catch(() => {})
    },
    ...visitorActs(parts, conversation),
    /** Stops: nothing that comes later is shown or kept. @param isForgotten true if this browser forgets the visitor */
    stop(isForgotten = false): void {
      life.abort()
      if (isForgotten) options.storage.forget()
    },
  }
  return chat

  function remember(change: Kept): void {
    if (!signal.aborted) options.storage.keep(change)
  }

  function started(session: Session): void {
    const { visitor_token: token, conversation: newest, agent_paused: isPaused } = session
    protocol.token = token
    remember({ token })
    // A conversation that the visitor has left for a new one is not shown.
    const isLeft = store.state.session !== null && store.state.conversation === null && newest?.ended_at
    store.set({ session, isPaused, isOffline: false, closed: null })
    if (newest && !isLeft) conversation.meet(newest)
    void sendWaiting()
  }

  function close(closed: Closed): false {
    conversation.leave()
    store.set({ closed })
    return false
  }
}
