import type { Language } from '../launcher/language.ts'
import type { KnownUser } from '../launcher/settings.ts'
import type { Kept, Storage } from '../launcher/storage.ts'
import { followConversation } from './follow-conversation.ts'
import { pauses as makePauses } from './pauses.ts'
import {
  type Attachment,
  type Conversation,
  type LiveEvent,
  type Message,
  openProtocol,
  Refusal,
} from './protocol.ts'
import { sendQueue } from './send-queue.ts'
import { addMessages, type ChatState, type Closed, createStore, currentOf } from './state.ts'

/** The time after which a person who sends no new signal counts as no longer writing. */
const WRITES_MS = 8_000
/** The shortest time between two signals to the service that the visitor is writing. */
const TELL_TYPING_MS = 4_000
const PAGE = 50

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
  begun: () => void
  /** Called when the service will never take this text: the visitor can change it. */
  refused: (text: string) => void
}

export type Chat = ReturnType<typeof openChat>

/** Opens one visitor's chat, for as long as they are the same person. */
export function openChat({
  service,
  key,
  storage,
  user,
  language,
  changed,
  answered,
  begun,
  refused,
}: ChatOptions) {
  const kept = storage.read()
  let token = kept.token ?? null
  let lastTyping = 0
  let seen = 0
  let writesTimer: ReturnType<typeof setTimeout> | undefined
  const known = new Set<number>()
  const store = createStore(() => changed(chat))
  const pauses = makePauses()
  const base = `${service}/widget/v1/${encodeURIComponent(key)}`
  const protocol = openProtocol(base, () => token)
  const live = followConversation({ store, protocol, pauses, renew, heard, catchUp })
  const queue = sendQueue({
    store,
    protocol,
    pauses,
    language,
    renew,
    keepWaiting: (waiting) => remember({ waiting }),
    met,
    begun,
    answered: tellOnce,
    refused,
  })
  const whenOffline = () => store.set({ isOffline: true })
  addEventListener('offline', whenOffline)
  let starting: Promise<boolean> | null = null
  /** True once earlier messages are loaded. Before that, nothing tells which messages are new. */
  let isLoaded = false

  const chat = {
    get state(): ChatState {
      return store.state
    },
    /** Begins: loads earlier messages, and sends those left waiting. */
    async begin(): Promise<void> {
      for (const { id, text, files } of kept.waiting ?? []) queue.add(text, files, id)
      if (!(await start()) || !(await load())) return
      isLoaded = true
      if (store.state.conversation) live.follow(store.state.conversation.id)
    },
    /** Asks the service again, after it refused or to get texts in another language. */
    async refresh(): Promise<void> {
      if (store.state.session || store.state.closed) await start()
    },
    send(text: string, files?: Attachment[]): void {
      store.set({ hasFailed: false })
      queue.add(text, files)
    },
    keepDraft: (draft: string) => remember({ draft }),
    /** Notes that the visitor has seen everything; on the next page the launcher counts what came after it. */
    saw(): void {
      const { messages, outgoing } = store.state
      const newest = Math.max(messages.at(-1)?.id ?? 0, outgoing[0]?.messageId ?? 0)
      if (newest !== seen) remember({ seen: (seen = newest) })
    },
    set: store.set,
    renew,
    /** Returns where, and with which token, the visitor's files are uploaded. */
    uploads: () => ({ address: `${base}/attachments`, token }),
    async showEarlier(): Promise<void> {
      const first = store.state.messages[0]
      if (!first) return
      const query = { before: first.id, per_page: PAGE, conversation_id: first.conversation_id }
      const { data, more } = await protocol.messages(query)
      store.set({ messages: addMessages(store.state.messages, data), hasEarlier: more })
    },
    /** Tells people that the visitor is writing. */
    typing(): void {
      if (!currentOf(store.state) || Date.now() - lastTyping < TELL_TYPING_MS) return
      lastTyping = Date.now()
      protocol.typing().catch(() => {})
    },
    askForPerson: () =>
      attempt(async () => {
        store.set({ question: null })
        meet(await protocol.person())
      }),
    end: () =>
      attempt(async () => {
        store.set({ question: null })
        meet(await protocol.end())
      }),
    /** Ends the conversation, if it has not ended, and shows an empty one; the first message opens it. */
    startAnew: () =>
      attempt(async () => {
        if (currentOf(store.state)) await protocol.end()
        live.stop()
        const { session, isPaused } = store.state
        store.set({ ...fresh, session, isPaused })
      }),
    rate: (stars: number, comment: string) =>
      attempt(async () => {
        store.set({ stars })
        await protocol.rate(stars, comment)
        if (comment) store.set({ hasCommented: true })
      }),
    like: (message: Message, liked: boolean | null) =>
      attempt(async () => {
        const { completion_id: completionId, completion } = message
        if (!completionId || !completion) return
        change({ ...message, completion: { ...completion, liked } })
        store.set({ form: liked === false ? { completionId, kind: 'feedback' } : null })
        await protocol.like(completionId, liked)
      }),
    report: (message: Message, kind: 'flag' | 'feedback', text: string) =>
      attempt(async () => {
        const { completion_id: completionId, completion } = message
        if (!completionId || !completion) return
        await (kind === 'flag' ? protocol.flag(completionId, text) : protocol.feedback(completionId, text))
        if (kind === 'flag') change({ ...message, completion: { ...completion, flagged: true } })
        store.set({ form: null, thanked: [...store.state.thanked, completionId] })
      }),
    /** Returns what adds the files of a message to its bubble. */
    filesOf: (message: Pick<Message, 'conversation_id' | 'attachments'>) => (bubble: HTMLElement) => {
      if (message.attachments)
        import('./show-files.ts').then(
          (files) => files.show(bubble, message, protocol.call, attempt),
          () => {},
        )
    },
    /** Reports a click to the service, which counts them. The visitor is not told of a lost one. */
    clicked(
      completionId: string | null,
      kind: 'referral' | 'cta' | 'attribution' | 'footer',
      target: string,
    ) {
      if (completionId) protocol.click(completionId, kind, target).catch(() => {})
    },
    /** Stops: nothing that comes later is shown or kept. @param isForgotten true if this browser forgets the visitor */
    stop(isForgotten = false): void {
      store.stop()
      live.stop()
      pauses.stop()
      clearTimeout(writesTimer)
      removeEventListener('offline', whenOffline)
      if (isForgotten) storage.forget()
    },
  }
  return chat

  function remember(change: Kept): void {
    if (!store.isStopped) storage.keep(change)
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    store.set({ hasFailed: false })
    try {
      await work()
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_visitor') await renew()
      store.set({ hasFailed: true })
    }
  }

  /** Starts a session of a new or of the identified visitor, because the service refused the token. */
  function renew(): Promise<boolean> {
    token = null
    return start()
  }

  function start(): Promise<boolean> {
    starting ??= startSession().finally(() => {
      starting = null
    })
    return starting
  }

  /** Tries until the service says yes or no. @returns true if there is a session */
  async function startSession(): Promise<boolean> {
    for (let tries = 0, strange = 0; !store.isStopped; tries++) {
      try {
        const session = await protocol.session(language().shown, {
          ...(token !== null && { visitor_token: token }),
          ...(user ? { user } : {}),
          language: language().wanted,
        })
        if (store.isStopped) return false
        token = session.visitor_token
        remember({ token })
        const { conversation, agent_paused: isPaused } = session
        // A conversation that the visitor has left for a new one is not shown.
        const isLeft =
          store.state.session !== null && store.state.conversation === null && conversation?.ended_at
        store.set({ session, isPaused, isOffline: false, closed: null })
        if (conversation && !isLeft) meet(conversation)
        void queue.run()
        return true
      } catch (error) {
        if (store.isStopped) return false
        if (!(error instanceof Refusal)) {
          // If this happens twice, the service is there but not for this page: other origins cannot read its answers.
          if (navigator.onLine && (await isThere(service)) && ++strange === 2) return close('notHere')
          store.set({ isOffline: true })
        } else if (error.code === 'invalid_visitor') {
          if (token === null) return close('inactive')
          token = null
          continue
        } else if (error.code === 'identity_refused') return close('identityRefused')
        else if (error.code === 'identity_required') return close('identityRequired')
        else if (error.status < 500 && error.status !== 429) return close('inactive')
        else if (error.retryMs) await pauses.rest(error.retryMs)
      }
      await pauses.backOff(tries)
    }
    return false
  }

  function close(closed: Closed): false {
    store.set({ ...fresh, closed })
    live.stop()
    return false
  }

  /** Loads earlier messages. @returns true if they are there */
  async function load(): Promise<boolean> {
    for (let tries = 0; !store.isStopped; tries++) {
      try {
        if (!store.state.conversation) return true
        const { data, more } = await protocol.messages({ per_page: PAGE })
        for (const { id } of data) known.add(id)
        store.set({ messages: addMessages(store.state.messages, data), hasEarlier: more })
        return true
      } catch (error) {
        if (error instanceof Refusal && error.status === 403 && !(await renew())) return false
        await pauses.backOff(tries)
      }
    }
    return false
  }

  /** Shows and follows the visitor's newest conversation. */
  function meet(conversation: Conversation): void {
    const isOther = store.state.conversation?.id !== conversation.id
    store.set({ conversation, ...(isOther ? { stars: conversation.rating, hasCommented: false } : {}) })
    if (isLoaded) live.follow(conversation.id)
  }

  /** Notes that a message was stored in a conversation, which it may have opened. */
  function met(id: string): void {
    if (store.state.conversation?.id === id) return
    meet({ id, ended_at: null, agent_paused: store.state.isPaused, waiting: false, rating: null })
  }

  async function catchUp(): Promise<void> {
    const [newest] = await protocol.conversations()
    if (newest) meet(newest)
    const after =
      store.state.messages.findLast(({ conversation_id }) => conversation_id === newest?.id)?.id ?? 0
    for (let from = after, more = newest !== undefined; more; ) {
      const page = await protocol.messages({ after: from, per_page: 100, conversation_id: newest?.id ?? '' })
      for (const message of page.data) receive(message)
      from = page.data.at(-1)?.id ?? from
      more = page.more && page.data.length > 0
    }
  }

  function heard(event: LiveEvent): void {
    const { conversation } = store.state
    if (event.type === 'message') receive(event.message)
    else if (event.type === 'message_changed') change(event.message)
    else if (event.type === 'conversation' && event.conversation.id === conversation?.id)
      meet(event.conversation)
    else if (event.type === 'agent') store.set({ isPaused: event.agent.is_paused })
    else if (event.type === 'typing') {
      clearTimeout(writesTimer)
      store.set({ writes: event.typing ? (event.by.name ?? '') : null })
      if (event.typing) writesTimer = setTimeout(() => store.set({ writes: null }), WRITES_MS)
    }
  }

  function receive(message: Message): void {
    store.set({ messages: addMessages(store.state.messages, [message]) })
    if (message.role === 'operator') store.set({ writes: null })
    // The answer to a message whose own stream broke off has come another way.
    const broken = store.state.outgoing.find(
      ({ state, completionId }) => state === 'waiting' && completionId === message.completion_id,
    )
    if (broken && message.completion_id && message.role !== 'user') queue.remove(broken.id)
    const isOwn = store.state.outgoing.some(({ completionId }) => completionId === message.completion_id)
    if (!isOwn || message.role === 'operator') tellOnce(message)
  }

  function change(message: Message): void {
    store.set({ messages: addMessages(store.state.messages, [message]) })
  }

  function tellOnce(message: Message): void {
    if (message.role === 'user' || known.has(message.id)) return
    known.add(message.id)
    answered(message)
  }
}

/** The state without a conversation, once the visitor has left it. */
const fresh: Partial<ChatState> = {
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

/** Tells whether the service answers at all: it gives its script to every page. */
async function isThere(service: string): Promise<boolean> {
  const script = fetch(`${service}/widget.js`, { method: 'HEAD', cache: 'no-store', credentials: 'omit' })
  return script.then(
    ({ ok }) => ok,
    () => false,
  )
}
