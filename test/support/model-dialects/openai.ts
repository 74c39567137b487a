import type { Answer, Piece, RequestBody } from '../model-server.ts'
import { type Asked, type Dialect, SECRET_DETAIL, type Told, USAGE } from './dialect.ts'

/** OpenAI's chat completions. */
export const openaiDialect: Dialect = {
  base: '/v1',
  models: {
    path: '/v1/models',
    list: { object: 'list', data: [{ id: 'test-model', object: 'model', created: 1, owned_by: 'test' }] },
  },
  isAsked: (path) => path.split('?')[0] === '/v1/chat/completions',
  isStream: ({ body }) => body.stream === true,
  refusal: () => null,
  lastUserTexts(body: RequestBody) {
    const content = body.messages.findLast((message) => message.role === 'user')?.content
    const parts: { text?: string }[] = Array.isArray(content) ? content : [{ text: String(content ?? '') }]
    return parts.map(({ text = '' }) => text)
  },
  error: (_, message) => ({ error: { message, type: 'server_error', param: null, code: null } }),

  whole({ body }: Asked, answer: Told) {
    const { text, tool_calls, thoughts, citations } = answer
    const message = {
      role: 'assistant',
      content: text,
      ...(thoughts ? { reasoning_content: thoughts } : {}),
      ...(tool_calls ? { tool_calls } : {}),
      ...(citations ? { annotations: citations.map(annotation) } : {}),
    }
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
      usage: answer.usage ?? USAGE,
    }
  },

  stream({ body }, answer) {
    const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model }
    const event = (chunk: object) => `data: ${JSON.stringify({ ...base, ...chunk })}\n\n`
    const choice = (delta: object, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta, finish_reason }] })
    const { thoughts, citations } = answer
    return {
      begin: () =>
        (answer.without_role ? '' : choice({ role: 'assistant', content: '' })) +
        (thoughts ? choice({ reasoning_content: thoughts }) : ''),
      piece: (piece: Piece) => choice(typeof piece === 'string' ? { content: piece } : piece),
      end: () =>
        (citations ? choice({ annotations: citations.map(annotation) }) : '') +
        choice({}, finishReason(answer)) +
        (body.stream_options?.include_usage ? event({ choices: [], usage: answer.usage ?? USAGE }) : '') +
        'data: [DONE]\n\n',
      error: () => `data: ${JSON.stringify(openaiDialect.error(500, SECRET_DETAIL(500)))}\n\n`,
    }
  },
}

function annotation({ url, title }: NonNullable<Answer['citations']>[number]) {
  return { type: 'url_citation', url_citation: { url, title, start_index: 0, end_index: 0 } }
}

function finishReason(answer: Told): string {
  return answer.finish_reason ?? (answer.tool_calls ? 'tool_calls' : 'stop')
}
