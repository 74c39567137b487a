import { useEffect, useState } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import type { TimelineLine } from '../../../api/types.ts'

/** An answer while it is being made. */
export interface Streamed {
  completionId: string
  text: string
}

/** Nothing was said for so long: the answer was broken off, or its end was missed. */
const FORGOTTEN_MS = 60_000

/** The answers of a conversation that are being made now, until their messages stand in the thread. */
export function useStreamed(conversationId: string, lines: readonly TimelineLine[]): readonly Streamed[] {
  const [streamed, setStreamed] = useState<readonly Streamed[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const unlisten = onLiveEvent((event) => {
      if (event.type === 'reset') setStreamed([])
      if (event.type !== 'message_delta' || event.conversation_id !== conversationId) return
      const { completion_id: completionId, offset, content } = event
      clearTimeout(timer)
      timer = setTimeout(() => setStreamed([]), FORGOTTEN_MS)
      setStreamed((present) => {
        const others = present.filter((answer) => answer.completionId !== completionId)
        const before = present.find((answer) => answer.completionId === completionId)?.text ?? ''
        // Who comes late sees the answer from where it is.
        const text = offset <= before.length ? before.slice(0, offset) + content : `… ${content}`
        return [...others, { completionId, text }]
      })
    })
    return () => {
      clearTimeout(timer)
      unlisten()
    }
  }, [conversationId])
  const done = new Set(lines.map(answered))
  return streamed.filter(({ completionId }) => !done.has(completionId))
}

/** The completion that a line ends: with its answer, or with a failure. */
function answered(line: TimelineLine): string | null {
  if (line.type === 'message') return line.message.role === 'assistant' ? line.message.completion_id : null
  return line.type === 'failed' ? line.completion_id : null
}
