import { useRef } from 'react'
import { newId } from '../../../../browser/new-id.ts'

/**
 * Returns a function that gives each content its idempotency key. The same content gets the same key, so that a repeat
 * sends nothing twice.
 */
export function useSentOnce(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (text !== last.current.content) last.current = { content: text, key: newId() }
    return last.current.key
  }
}
