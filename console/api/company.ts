import { useSyncExternalStore } from 'react'
import { onLiveEvent } from './live-events.ts'

/** Somebody who writes in a conversation or looks at it. */
interface Companion {
  id: number | undefined
  name: string | null
  isWriting: boolean
}

interface Sign {
  conversationId: string
  type: 'typing' | 'presence'
  id: number | undefined
  name: string | null
}

const nobody: readonly Companion[] = []
const signs = new Map<string, Sign>()
const listeners = new Set<() => void>()
let byConversation = new Map<string, readonly Companion[]>()

onLiveEvent((event) => {
  if (event.type !== 'typing' && event.type !== 'presence') return
  const { type, conversation_id: conversationId, by } = event
  const key = `${type} ${conversationId} ${by.kind} ${by.id} ${by.id === undefined ? by.name : ''}`
  const isOn = event.type === 'typing' ? event.typing : event.present
  if (isOn) signs.set(key, { conversationId, type, id: by.id, name: by.name })
  else signs.delete(key)
  notify()
})

/** Forgets who was there. A stream that begins anew reports it again. */
export function forgetCompany(): void {
  signs.clear()
  notify()
}

/** Returns everyone who writes in a conversation or looks at it now, except the signed-in person. */
export function useCompany(conversationId: string, ownId: number): readonly Companion[] {
  const all = useSyncExternalStore(subscribe, () => byConversation.get(conversationId) ?? nobody)
  return all.some(({ id }) => id === ownId) ? all.filter(({ id }) => id !== ownId) : all
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  const people = new Map<string, Map<string, Companion>>()
  for (const { conversationId, type, id, name } of signs.values()) {
    const here = people.get(conversationId) ?? new Map<string, Companion>()
    const key = `${id} ${id === undefined ? name : ''}`
    const isWriting = type === 'typing' || here.get(key)?.isWriting === true
    here.set(key, { id, name, isWriting })
    people.set(conversationId, here)
  }
  byConversation = new Map([...people].map(([id, here]) => [id, [...here.values()]]))
  for (const listener of listeners) listener()
}
