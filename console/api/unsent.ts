import { useMemo, useSyncExternalStore } from 'react'
import { agentApi, Refusal } from './client.ts'
import { onKept, setKept } from './kept.ts'
import { noticeRefusal, queries } from './queries.ts'
import type { Attachment } from './types.ts'

/** An answer to a user. */
interface Answer {
  agentId: number
  conversationId: string
  /** Blank: it has only files. */
  content: string
  /** Its files, which the service has already. Undefined for an answer that an earlier version has kept. */
  attachments?: readonly Attachment[]
  /** True if a model suggested it. */
  suggested?: boolean
  /** The writer's own words, if it is a translation of them. */
  original?: string | null
  /** The id of the last message that the writer saw; null to send whatever came since. */
  after: number | null
}

/** An answer that the service has not accepted yet. */
export interface Unsent extends Answer {
  /** `sending` for the first try, `waiting` until the service can be reached, or the refusal. */
  state: 'sending' | 'waiting' | Pick<Refusal, 'code' | 'message' | 'param'>
}

/** The pause before waiting answers are tried again, whatever the browser says of its connection. */
const AGAIN_MS = 10_000
const PLACE = 'parley-unsent'

const underWay = new Map<string, Promise<void>>()
/** The newest answer of this tab in each conversation, which its writer has seen. */
const newest = new Map<string, number>()

/**
 * Sends an answer, after those of its conversation that wait. This browser keeps it until the service has it. Its
 * storage place is the idempotency key, so the service stores it once, however often it is sent.
 * @returns true if it was sent; otherwise it waits and is sent later
 * @throws Refusal of the service; then the answer is not kept
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

/** Sends a person's waiting answers, of one conversation or of all, in the order in which they were written. */
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
  const { agentId, conversationId, content, attachments = [], after, suggested, original } = unsent
  const path = `/conversations/${conversationId}/messages` as const
  const body = {
    ...(content.trim() === '' ? {} : { content }),
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(({ id }) => id) }),
    ...(after === null ? {} : { after }),
    ...(suggested ? { suggested } : {}),
    ...(original ? { original } : {}),
  }
  try {
    const { data } = await agentApi(agentId).post(path, body, place)
    seenBy(place, conversationId, data.id)
    const stale = ['conversation', 'inbox'].map((of) =>
      queries.invalidateQueries({
        queryKey: ['agent', agentId, of, ...(of === 'inbox' ? [] : [conversationId])],
      }),
    )
    // A waiting answer stays on screen until its message is in the thread.
    if (unsent.state === 'waiting') await Promise.all(stale)
    discard(place)
  } catch (error) {
    noticeRefusal(error)
    // Another tab may have sent it, or the person may have discarded it.
    if (read(place)) keep(place, { ...unsent, state: stateAfter(error) })
  } finally {
    underWay.delete(place)
  }
}

/** Counts a sent message as seen by the person's later answers, because they wrote those with it in view. */
function seenBy(sent: string, conversationId: string, messageId: number): void {
  newest.set(conversationId, messageId)
  for (const place of placesOf(operatorOf(sent))) {
    const later = read(place)
    if (place <= sent || later?.conversationId !== conversationId || later.after === null) continue
    keep(place, { ...later, after: Math.max(later.after, messageId) })
  }
}

/** Returns the state after an error. An answer waits for the connection, the service, or the person's sign-in. */
function stateAfter(error: unknown): Unsent['state'] {
  if (!(error instanceof Refusal)) return 'waiting'
  const { code, status, message, param } = error
  const isPassing = code === 'unreachable' || code === 'no_session' || status === 429 || status >= 500
  return isPassing ? 'waiting' : { code, message, param }
}

/** Tries an answer again. One that was held because others had answered is now sent anyway. */
export function retry(place: string): void {
  const unsent = read(place)
  if (!unsent) return
  const isHeld = typeof unsent.state === 'object' && unsent.state.code === 'conversation_moved'
  keep(place, { ...unsent, state: 'waiting', ...(isHeld ? { after: null } : {}) })
  void sendUnsent(operatorOf(place), unsent.conversationId)
}

export function discard(place: string): void {
  setKept(place, null)
}

/** Sends a person's answers whenever they may get through. Answers of other people in this browser are forgotten. */
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

/** Discards kept answers. @param except the person whose answers stay; undefined discards all */
export function forgetUnsent(except?: number): void {
  for (const place of placesOf()) if (operatorOf(place) !== except) discard(place)
}

/** Returns a person's waiting or refused answers in a conversation, in order, each with its place. */
export function useUnsent(
  operatorId: number,
  conversationId: string,
): readonly (Unsent & { place: string })[] {
  const shown = useSyncExternalStore(onKept, () => {
    const kept = placesOf(operatorId).map((place) => ({ place, ...read(place) }))
    return JSON.stringify(
      kept.filter((one) => one.conversationId === conversationId && one.state !== 'sending'),
    )
  })
  return useMemo(() => JSON.parse(shown), [shown])
}

/** Tells whether answers of a person in a conversation are being sent, wait or were refused. */
export function hasUnsent(operatorId: number, conversationId: string): boolean {
  return placesOf(operatorId).some((place) => read(place)?.conversationId === conversationId)
}

/** Tells the same, and draws the component anew when it changes. */
export function useHasUnsent(operatorId: number, conversationId: string): boolean {
  return useSyncExternalStore(onKept, () => hasUnsent(operatorId, conversationId))
}

function keep(place: string, unsent: Unsent): void {
  setKept(place, JSON.stringify(unsent))
}

function read(place: string): Unsent | null {
  return JSON.parse(localStorage.getItem(place) ?? 'null')
}

/** Returns the places of a person's answers, or of everybody's, oldest first. */
function placesOf(operatorId?: number): string[] {
  const prefix = operatorId === undefined ? `${PLACE} ` : `${PLACE} ${operatorId} `
  return Object.keys(localStorage)
    .filter((place) => place.startsWith(prefix))
    .sort()
}

function operatorOf(place: string): number {
  return Number(place.split(' ')[1])
}
