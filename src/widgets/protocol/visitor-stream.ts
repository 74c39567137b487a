import type { FastifyReply } from 'fastify'
import { type EventStream, openEventStream } from '../../http/server-sent-events.ts'
import type { ModelPiece } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { EndedTurn, StartedTurn } from '../../turns/turn.ts'

/** The stream of one answer to a visitor: OpenAI's chunks without any fields about the model. */
export type VisitorStream = ReturnType<typeof visitorStream>

type Begun = Pick<StartedTurn, 'completionId' | 'conversationId' | 'createdAt' | 'messageIds'>

export function visitorStream(reply: FastifyReply) {
  let stream: EventStream | undefined
  let head = ''
  let hasSaid = false

  const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) => {
    const choice = { index: 0, delta, logprobs: null, finish_reason }
    return `${head}${JSON.stringify({ choices: [choice], ...more }).slice(1)}`
  }
  return {
    isOpen: () => stream !== undefined,
    /** True if a part of an answer was sent. */
    hasSaid: () => hasSaid,
    /** Reports at once that the message is stored. */
    start({ completionId: id, conversationId: conversation_id, createdAt, messageIds }: Begun) {
      const created = Math.floor(Date.parse(createdAt) / 1000)
      head = `${JSON.stringify({ id, object: 'chat.completion.chunk', created, model: 'parley' }).slice(0, -1)},`
      reply.header('x-conversation-id', conversation_id)
      stream = openEventStream(reply)
      const prompt_message_id = messageIds.at(-1) ?? null
      stream.send([chunk({ role: 'assistant', content: '' }, { conversation_id, prompt_message_id })])
    },
    async pieces(pieces: ModelPiece[]) {
      const texts = pieces
        .map(({ delta }) => delta.content || delta.refusal || '')
        .filter((text) => text !== '')
      if (texts.length === 0) return
      hasSaid = true
      if (!stream || reply.raw.destroyed) return
      stream.send(texts.map((content) => chunk({ content })))
      await stream.drained()
    },
    end(ended: EndedTurn) {
      if (!stream || reply.raw.destroyed) return
      const text = ended.messageId === null ? '' : textOfContent(ended.content) || (ended.refusal ?? '')
      const { conversationId: conversation_id, messageId: message_id, agentPaused, citations, ctas } = ended
      const more = { conversation_id, message_id, agent_paused: agentPaused, citations, ctas }
      stream.end([
        ...(hasSaid || text === '' ? [] : [chunk({ content: text })]),
        chunk({}, more, agentPaused ? 'stop' : ended.finish_reason),
        '[DONE]',
      ])
    },
    fail: (data: string) => stream?.end([data]),
  }
}
