import type { Attachment } from '../attachment.ts'
import type { KnownUser, Look, OwnTexts } from '../launcher/settings.ts'
import { readEvents } from './read-events.ts'

export interface Conversation {
  id: string
  ended_at: string | null
  /** True while a person answers. */
  agent_paused: boolean
  /** True while the conversation waits for a person who was promised. */
  waiting: boolean
  /** True while a question has no answer and no person was asked for. */
  offers_person?: boolean
  rating: number | null
  /** The address to which answers go that the visitor misses. */
  mail_to?: string | null
}

export interface Citation {
  title: string
  url: string | null
  snippet: string
}

interface Cta {
  id: number
  name: string
  content: string
  url: string | null
  button: string | null
}

interface Completion {
  liked: boolean | null
  flagged: boolean
  citations: Citation[]
  ctas: Cta[]
}

export interface Message {
  id: number
  conversation_id: string
  completion_id: string | null
  role: 'user' | 'assistant' | 'operator' | 'transition'
  content: string
  /** Undefined if the service is of an earlier version. */
  attachments?: Attachment[] | null
  author: string | null
  created_at: string
  completion: Completion | null
}

export interface Session {
  visitor_token: string
  /** `uploads` and `mail` are undefined if the service is of an earlier version. */
  widget: { look: Look; texts: OwnTexts; uploads?: 'off' | 'images' | 'files'; mail?: boolean }
  agent: { name: string }
  agent_paused: boolean
  conversation: Conversation | null
}

export type LiveEvent =
  | { type: 'message' | 'message_changed'; message: Message }
  | { type: 'conversation'; conversation: Conversation }
  | { type: 'agent'; agent: { is_paused: boolean } }
  | { type: 'typing'; typing: boolean; by: { name: string | null } }
  | { type: 'reset' }

/** A part of an answer that is being generated. */
export interface Chunk {
  id: string
  choices: { delta: { content?: string }; finish_reason: string | null }[]
  conversation_id?: string
  prompt_message_id?: number
  message_id?: number | null
  agent_paused?: boolean
  citations?: Citation[]
  ctas?: Cta[]
  error?: { code: string }
}

/** An error response of the service. */
export class Refusal extends Error {
  declare readonly status: number
  declare readonly code: string
  /** The wait in milliseconds before another try; null when the service does not say. */
  declare readonly retryMs: number | null

  constructor(status: number, code: string, retryMs: number | null) {
    super(code)
    this.status = status
    this.code = code
    this.retryMs = retryMs
  }
}

export type Protocol = ReturnType<typeof openProtocol>

/**
 * Opens the service's side of a chat. Each call throws a Refusal when the service refuses it, and the error of `fetch`
 * when nothing arrives.
 * @param base the address of the widget's protocol
 * @param token the visitor's token, if there is one already
 */
export function openProtocol(base: string, token: string | null) {
  async function call(
    path: string,
    options: RequestInit = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(base + path, {
      ...options,
      credentials: 'omit',
      headers: {
        ...(protocol.token !== null && { authorization: `Bearer ${protocol.token}` }),
        ...(options.body != null && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    if (response.ok) return response
    const retryMs = Number(response.headers.get('retry-after')) * 1000 || null
    const answer = await response.json().catch(() => null)
    throw new Refusal(response.status, answer?.error?.code ?? '', retryMs)
  }

  async function post<Data>(path: string, body?: object, options: RequestInit = {}): Promise<Data> {
    const written = body ? JSON.stringify(body) : null
    const response = await call(path, { method: 'POST', body: written, ...options })
    return (await response.json()).data
  }

  const protocol = {
    /** The token that goes with each call. */
    token,
    /** @param shown the language of the chat's own words */
    session: (
      shown: string,
      body: { visitor_token: string | undefined; user: KnownUser | undefined; language: string },
    ) =>
      // Replicas of an earlier version ignore it in the query, and would refuse it in the body.
      post<Session>(`/sessions?shown=${shown}`, { ...body, page_url: page() }),
    async messages(query: Record<string, string | number>): Promise<{ data: Message[]; more: boolean }> {
      // It writes numbers as text, too.
      const words = new URLSearchParams(query as Record<string, string>)
      return (await call(`/messages?${words}`)).json()
    },
    call,
    async conversations(): Promise<Conversation[]> {
      return (await (await call('/conversations')).json()).data
    },
    /** Asks a question, and yields the answer as it is generated. @param id the key by which a repeat is known */
    async *ask(
      id: string,
      body: { content: string; attachments: string[] | undefined; language: string },
      signal: AbortSignal,
    ): AsyncGenerator<Chunk> {
      const options = { method: 'POST', body: JSON.stringify({ ...body, page_url: page() }), signal }
      const response = await call('/messages', options, { 'idempotency-key': id })
      for await (const { data } of readEvents(response)) if (data !== '[DONE]') yield JSON.parse(data)
    },
    /** Yields the events of a conversation. @param place the event id at which an earlier stream broke off */
    async *live(conversationId: string, place: string | null, signal: AbortSignal) {
      const last = place === null ? {} : { 'last-event-id': place }
      const response = await call(`/live?conversation_id=${conversationId}`, { signal }, last)
      yield { place, event: null }
      for await (const { id, data } of readEvents(response))
        yield { place: id, event: JSON.parse(data) as LiveEvent }
    },
    like: (id: string, liked: boolean | null) => post(`/completions/${id}/like`, { liked }),
    flag: (id: string, reason: string) => post(`/completions/${id}/flag`, { flagged: true, reason }),
    feedback: (id: string, feedback: string) => post(`/completions/${id}/feedback`, { feedback }),
    /** Reports a click, even if the page is left for the clicked link. */
    click: (id: string, kind: 'referral' | 'cta' | 'attribution' | 'footer', target: string) =>
      post(`/completions/${id}/clicks`, { kind, target }, { keepalive: true }),
    person: () => post<Conversation>('/person', { page_url: page() }),
    rate: (score: number, comment: string) => post('/rating', { score, comment: comment || undefined }),
    typing: () => post('/typing', {}),
    end: () => post<Conversation>('/end'),
  }
  return protocol
}

/** Returns the page's address, cut to the length that the service takes. */
function page(): string {
  return location.href.slice(0, 2048)
}
