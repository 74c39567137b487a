import { useEffect, useState } from 'react'
import { onLiveEvent } from '../../../api/live-events.ts'
import { useAgent } from '../../../api/session.ts'
import type { TimelineLine } from '../../../api/types.ts'

/** An answer while it is being generated. */
export interface Streamed {
  completionId: string
  text: string
}

/** The silence after which a streamed answer is dropped: it was broken off, or its end was missed. */
const FORGOTTEN_MS = 60_000
/** The shortest time between two requests for missed pieces. */
const REPLAY_EVERY_MS = 1_000

/** Returns the answers of a conversation that are being generated, until their messages are in the thread. */
export function useStreamed(conversationId: string, lines: readonly TimelineLine[]): readonly Streamed[] {
  const { api } = useAgent()
  const [streamed, setStreamed] = useState<ReadonlyMap<string, string>>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation stays the same
  useEffect(() => {
    let texts: ReadonlyMap<string, string> = new Map()
    let timer: ReturnType<typeof setTimeout>
    let askedMs = Number.NEGATIVE_INFINITY
    const show = (next: ReadonlyMap<string, string>) => {
      texts = next
      setStreamed(next)
    }
    // An answer may have begun before the conversation was opened.
    const replay = () => {
      if (performance.now() - askedMs < REPLAY_EVERY_MS) return
      askedMs = performance.now()
      api.post(`/conversations/${conversationId}/live/replay`).catch(() => {})
    }
    const unlisten = onLiveEvent((event) => {
      if (event.type === 'reset') {
        show(new Map())
        // A replay that was requested before the stream opened was lost, so request it again at once.
        askedMs = Number.NEGATIVE_INFINITY
        replay()
      }
      if (event.type !== 'message_delta' || event.conversation_id !== conversationId) return
      const { completion_id: completionId, offset, content } = event
      clearTimeout(timer)
      timer = setTimeout(() => show(new Map()), FORGOTTEN_MS)
      const before = texts.get(completionId) ?? ''
      if (offset > before.length) return replay()
      const text = before.slice(0, offset) + content + before.slice(offset + content.length)
      show(new Map(texts).set(completionId, text))
    })
    replay()
    return () => {
      clearTimeout(timer)
      unlisten()
    }
  }, [conversationId])
  const done = new Set(lines.map(answered))
  return [...streamed]
    .filter(([completionId]) => !done.has(completionId))
    .map(([completionId, text]) => ({ completionId, text }))
}

/** Returns the completion that a line ends, with an answer or with a failure. */
function answered(line: TimelineLine): string | null {
  if (line.type === 'message') return line.message.role === 'assistant' ? line.message.completion_id : null
  return line.type === 'failed' ? line.completion_id : null
}
