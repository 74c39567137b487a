import { useMemo, useSyncExternalStore } from 'react'
import { agentApi, Refusal } from './client.ts'
import { noticeRefusal, queries } from './queries.ts'
import type { Message, Single } from './types.ts'

/** An answer to a user. */
interface Answer {
  agentId: number
  conversationId: string
  content: string
  /** The last message that its writer saw; null: it goes out whatever came since. */
  after: number | null
}

/** An answer that the service has not taken. */
export interface Unsent extends Answer {
  /** It is sent for the first time, waits until the service can be reached, or was refused. */
  state: 'sending' | 'waiting' | Pick<Refusal, 'code' | 'message' | 'param'>
}

/** After so long what waits is tried again, whatever the browser says of its connection. */
const AGAIN_MS = 10_000
const PLACE = 'parley-unsent'

const listeners = new Set<() => void>()
const underWay = new Map<string, Promise<void>>()
/** The newest answer of this tab in each conversation: its writer has seen it. */
const newest = new Map<string, number>()

/**
 * Sends an answer, behind those of its conversation that wait. It is kept by this browser until the service has it: the
 * place where it is kept names it, so that the service stores it once, however often it is sent.
 * @returns whether it was sent; otherwise it waits, and is sent by itself
 * @throws Refusal the service's own; then it is not kept
 */
export async function sendAnswer(operatorId: number, answer: Answer): Promise<boolean> {
  const { agentId, conversationId } = answer
  const after = answer.after === null ? null : Math.max(answer.after, newest.get(conversationId) ?? 0)
  const random = Math.random().toString(36).slice(2)
  const place = `${PLACE} ${operatorId} ${agentId} ${Date.now()} ${random}`
  keep(place, { ...answer, after, state: 'sending' })
  await sendUnsent(operatorId, conversationId)
  const state = read(place)?.state
  if (typeof state !== 'object') return state === undefined
  discard(place)
  throw new Refusal(state.code, state.message, state)
}

/** Sends a person's answers that wait, of one conversation or of all, in the order in which they were written. */
export async function sendUnsent(operatorId: number, conversationId?: string): Promise<void> {
  const stuck = new Set<string>()
  for (const place of placesOf(operatorId)) {
    const unsent = read(place)
    if (!unsent || typeof unsent.state === 'object') continue
    if (conversationId !== undefined && unsent.conversationId !== conversationId) continue
    if (stuck.has(unsent.conversationId)) {
      keep(place, { ...unsent, state: 'waiting' })
      continue
    }
    if (!underWay.has(place)) underWay.set(place, send(place, unsent))
    await underWay.get(place)
    if (read(place)?.state === 'waiting') stuck.add(unsent.conversationId)
  }
}

async function send(place: string, unsent: Unsent): Promise<void> {
  const { agentId, conversationId, content, after } = unsent
  const path = `/conversations/${conversationId}/messages`
  const body = after === null ? { content } : { content, after }
  try {
    const { data } = await agentApi(agentId).post<Single<Message>>(path, body, place)
    seenBy(place, conversationId, data.id)
    const stale = ['conversation', 'inbox'].map((of) =>
      queries.invalidateQueries({
        queryKey: ['agent', agentId, of, ...(of === 'inbox' ? [] : [conversationId])],
      }),
    )
    // What is shown as waiting goes when the message stands in the thread.
    if (unsent.state === 'waiting') await Promise.all(stale)
    discard(place)
  } catch (error) {
    noticeRefusal(error)
    // Another tab may have sent it, or the person taken it back.
    if (read(place)) keep(place, { ...unsent, state: stateAfter(error) })
  } finally {
    underWay.delete(place)
  }
}

/** A person's later answers in a conversation were written with the one that is sent now in view. */
function seenBy(sent: string, conversationId: string, messageId: number): void {
  newest.set(conversationId, messageId)
  for (const place of placesOf(operatorOf(sent))) {
    const later = read(place)
    if (place <= sent || later?.conversationId !== conversationId || later.after === null) continue
    keep(place, { ...later, after: Math.max(later.after, messageId) })
  }
}

/** An answer waits for the connection, for the service, and for the person to sign in again. */
function stateAfter(error: unknown): Unsent['state'] {
  if (!(error instanceof Refusal)) return 'waiting'
  const { code, status, message, param } = error
  const isPassing = code === 'unreachable' || code === 'no_session' || status === 429 || status >= 500
  return isPassing ? 'waiting' : { code, message, param }
}

/** Tries an answer again; one that was held since others had answered now goes out all the same. */
export function retry(place: string): void {
  const unsent = read(place)
  if (!unsent) return
  const isHeld = typeof unsent.state === 'object' && unsent.state.code === 'conversation_moved'
  keep(place, { ...unsent, state: 'waiting', ...(isHeld ? { after: null } : {}) })
  void sendUnsent(operatorOf(place), unsent.conversationId)
}

export function discard(place: string): void {
  localStorage.removeItem(place)
  tell()
}

/** Sends a person's answers whenever they may get through. What others have left in this browser is forgotten. */
export function keepSending(operatorId: number): () => void {
  forgetUnsent(operatorId)
  const go = () => void sendUnsent(operatorId)
  go()
  const timer = setInterval(go, AGAIN_MS)
  addEventListener('online', go)
  return () => {
    clearInterval(timer)
    removeEventListener('online', go)
  }
}

/** @param except whose answers are kept; undefined: nobody's */
export function forgetUnsent(except?: number): void {
  for (const place of placesOf()) if (operatorOf(place) !== except) discard(place)
}

/** A person's answers in a conversation that wait or were refused, in their order, each with its place. */
export function useUnsent(
  operatorId: number,
  conversationId: string,
): readonly (Unsent & { place: string })[] {
  const shown = useSyncExternalStore(subscribe, () => {
    const kept = placesOf(operatorId).map((place) => ({ place, ...read(place) }))
    return JSON.stringify(
      kept.filter((one) => one.conversationId === conversationId && one.state !== 'sending'),
    )
  })
  return useMemo(() => JSON.parse(shown), [shown])
}

function keep(place: string, unsent: Unsent): void {
  localStorage.setItem(place, JSON.stringify(unsent))
  tell()
}

function read(place: string): Unsent | null {
  return JSON.parse(localStorage.getItem(place) ?? 'null')
}

/** The places of a person's answers, or of everybody's, the oldest first. */
function placesOf(operatorId?: number): string[] {
  const prefix = operatorId === undefined ? `${PLACE} ` : `${PLACE} ${operatorId} `
  return Object.keys(localStorage)
    .filter((place) => place.startsWith(prefix))
    .sort()
}

function operatorOf(place: string): number {
  return Number(place.split(' ')[1])
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Other tabs change them too. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
