import { useRef } from 'react'

/**
 * Returns a function that gives the same content the same idempotency key, so that a repeat after a lost answer sends
 * nothing twice, and other content another one.
 */
export function useSentOnce(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (text !== last.current.content) last.current = { content: text, key: crypto.randomUUID() }
    return last.current.key
  }
}
