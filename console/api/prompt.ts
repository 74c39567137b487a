import { type Api, Refusal } from './client.ts'
import { readEvents } from './read-events.ts'
import type { Completion } from './types.ts'

export interface Answered {
  id: string
  conversation_id: string
  agent_paused: boolean
  citations: Completion['citations']
}

interface Chunk {
  id: string
  conversation_id: string
  agent_paused?: boolean
  citations?: Completion['citations']
  choices: { delta: { content?: string | null } }[]
  error?: { code: Refusal['code']; message: string }
}

interface Prompt {
  content: string
  /** Null for a new conversation. */
  conversationId: string | null
  tags?: Record<string, string>
}

/** Prompts the agent as an end user would, and passes on each piece of its answer. */
export async function prompt(
  api: Api,
  { content, conversationId, tags }: Prompt,
  onPiece: (text: string) => void,
  signal: AbortSignal,
): Promise<Answered> {
  const body = {
    messages: [{ role: 'user' as const, content }],
    stream: true,
    ...(conversationId === null ? {} : { conversation_id: conversationId }),
    ...(tags ? { tags } : {}),
  }
  const response = await api.open('POST', '/chat/completions', { body, signal })
  let answered: Answered | null = null
  let failure: Refusal | null = null
  await readEvents(response, (data) => {
    const chunk = JSON.parse(data) as Chunk
    if (chunk.error) {
      failure = new Refusal(chunk.error.code, chunk.error.message)
      return
    }
    const piece = chunk.choices[0]?.delta.content
    if (piece) onPiece(piece)
    answered = {
      id: chunk.id,
      conversation_id: chunk.conversation_id ?? answered?.conversation_id,
      agent_paused: chunk.agent_paused ?? answered?.agent_paused ?? false,
      citations: chunk.citations ?? answered?.citations ?? [],
    }
  })
  if (failure) throw failure
  if (!answered) throw new Refusal('unreachable', 'The answer broke off.')
  return answered
}
