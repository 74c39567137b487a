import { createHash } from 'node:crypto'
import type { Piece } from '../model-server.ts'
import { type Dialect, type Refusal, SECRET_DETAIL, type Told, unknownFields } from './dialect.ts'

interface Block {
  type: string
  [field: string]: unknown
}
interface Message {
  role: string
  content: Block[]
}
interface Body {
  model: string
  max_tokens: number
  messages: Message[]
  system?: Block[]
  tools?: { name: string; input_schema: { type: string } }[] | undefined
  tool_choice?: { type: string }
  thinking?: { type: string; budget_tokens?: number }
  stream?: boolean
}

const FIELDS =
  'model max_tokens messages system tools tool_choice temperature top_p top_k stop_sequences stream thinking output_config metadata service_tier container inference_geo'.split(
    ' ',
  )
const BLOCKS: Record<string, string[]> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
}
const STATUS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/**
 * Anthropic's Messages API. It refuses what the real one does; the shapes are those of the types of `@anthropic-ai/sdk`
 * 1.14.0 and of the recorded streams in https://platform.claude.com/docs/en/build-with-claude/streaming.
 */
export const anthropicDialect: Dialect = {
  base: '/v1',
  models: {
    path: '/v1/models',
    list: { data: [{ type: 'model', id: 'test-model', display_name: 'Test' }], has_more: false },
  },
  isAsked: (path) => path === '/v1/messages',
  isStream: ({ body }) => body.stream === true,

  refusal({ headers, body }) {
    const request = body as unknown as Body
    const why = (message: string, status = 400): Refusal => ({ status, message })
    if (headers.authorization) return why('x-api-key header is required', 401)
    if (headers['anthropic-version'] !== '2023-06-01') return why('anthropic-version: header is required')
    const [unknown] = unknownFields(request, FIELDS)
    if (unknown) return why(`${unknown}: Extra inputs are not permitted`)
    if (!Number.isInteger(request.max_tokens)) return why('max_tokens: Field required')
    const marked = JSON.stringify(request).split('"cache_control"').length - 1
    if (marked > 4) return why(`A maximum of 4 blocks with cache_control may be provided. Found ${marked}.`)
    const tools = request.tools ?? []
    if (tools.some((tool) => tool.input_schema?.type !== 'object'))
      return why('tools.0.input_schema.type: Field required')
    if (request.tool_choice && tools.length === 0)
      return why('tool_choice may only be specified while providing tools')
    const wrong = wrongMessages(request)
    return wrong === null ? null : why(wrong)
  },

  lastUserTexts(body) {
    const { messages } = body as unknown as Body
    const said = messages.findLast(
      ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'),
    )
    return said?.content.map(({ text }) => String(text ?? '')) ?? []
  },

  error: (status, message) => ({
    type: 'error',
    error: { type: STATUS[status] ?? 'api_error', message },
    request_id: 'req_1',
  }),

  whole({ body }, answer) {
    return {
      ...message(body as unknown as Body),
      content: blocksOf(body as unknown as Body, answer),
      ...ended(answer),
      usage: usage(answer),
    }
  },

  stream({ body }, answer) {
    const request = body as unknown as Body
    let index = -1
    let open: string | null = null
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const stop = () => {
      const stopped = open === null ? '' : event('content_block_stop', { index })
      open = null
      return stopped
    }
    const start = (name: string, content_block: object) => {
      if (open === name) return ''
      const before = stop()
      open = name
      index++
      return before + event('content_block_start', { index, content_block })
    }
    const delta = (given: object) => event('content_block_delta', { index, delta: given })
    const block = (given: Block): string => {
      const { type, thinking, signature, text, citations } = given
      if (type === 'thinking')
        return (
          start('thinking', { type, thinking: '', signature: '' }) +
          delta({ type: 'thinking_delta', thinking }) +
          delta({ type: 'signature_delta', signature }) +
          stop()
        )
      if (type === 'text')
        return (
          start('text', { type, text: '' }) +
          delta({ type: 'text_delta', text }) +
          ((citations ?? []) as object[])
            .map((citation) => delta({ type: 'citations_delta', citation }))
            .join('')
        )
      return start('other', given) + stop()
    }
    return {
      begin: () =>
        event('message_start', {
          message: {
            ...message(request),
            content: [],
            stop_reason: null,
            usage: { ...usage(answer), output_tokens: 1 },
          },
        }) +
        event('ping', {}) +
        thoughtsOf(request, answer).map(block).join(''),
      piece(piece: Piece) {
        if (typeof piece === 'string')
          return start('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text: piece })
        const { content, tool_calls = [] } = piece as {
          content?: string
          tool_calls?: { id: string; function: { name: string; arguments: string } }[]
        }
        const calls = tool_calls.map(({ id, function: { name, arguments: given } }) => {
          const half = given.length / 2
          return (
            start(`tool ${id}`, { type: 'tool_use', id, name, input: {} }) +
            // A call without arguments streams only an empty piece.
            (given === '{}' ? [''] : ['', given.slice(0, half), given.slice(half)])
              .map((partial_json) => delta({ type: 'input_json_delta', partial_json }))
              .join('') +
            stop()
          )
        })
        return (content ? this.piece(content) : '') + calls.join('')
      },
      end: () =>
        (answer.citations ? citedBlocks(answer).map(block).join('') : '') +
        stop() +
        event('message_delta', {
          delta: { ...ended(answer) },
          usage: { output_tokens: usage(answer).output_tokens },
        }) +
        event('message_stop', {}),
      error: () => event('error', anthropicDialect.error(529, SECRET_DETAIL(529))),
    }
  },
}

/** Returns what the API says of messages that it refuses; null if it takes them. */
function wrongMessages({ messages, tools, thinking, ...request }: Body): string | null {
  const ids = new Set<string>()
  for (const [at, { role, content }] of messages.entries()) {
    const place = `messages.${at}`
    if (role !== (at % 2 === 0 ? 'user' : 'assistant'))
      return `${place}: roles must alternate between "user" and "assistant"`
    if (content.length === 0) return `${place}: all messages must have non-empty content`
    for (const [n, block] of content.entries()) {
      const { type, cache_control: _, ...fields } = block
      const known = BLOCKS[type]
      if (!known)
        return `${place}.content.${n}: Input tag '${type}' found using 'type' does not match any of the expected tags`
      const [extra] = unknownFields(fields, known)
      if (extra) return `${place}.content.${n}.${type}.${extra}: Extra inputs are not permitted`
      if (type === 'text' && String(block.text).trim() === '')
        return `${place}: text content blocks must be non-empty`
      if (
        type === 'thinking' &&
        block.signature !==
          signatureOf({ ...request, tools, messages: messages.slice(0, at) }, String(block.thinking))
      )
        return `${place}.content.${n}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`
    }
    const uses = content.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
    for (const id of uses) {
      if (ids.has(id) || !/^[\w-]+$/.test(id)) return `${place}: \`tool_use\` ids must be unique`
      ids.add(id)
    }
    if (uses.length > 0 && !tools?.length) return 'Requests which have `tool_use` blocks must define tools'
    const results = (messages[at + 1]?.content ?? []).slice(0, uses.length)
    if (
      uses.some(
        (id) => !results.some(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === id),
      )
    )
      return `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${uses.join(', ')}`
    const used = (messages[at - 1]?.content ?? []).flatMap(({ type, id }) =>
      type === 'tool_use' ? [id] : [],
    )
    if (content.some(({ type, tool_use_id }) => type === 'tool_result' && !used.includes(tool_use_id)))
      return `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`
  }
  const goesOn = messages.at(-1)?.content[0]?.type === 'tool_result'
  if (thinking?.type === 'enabled' && goesOn && messages.at(-2)?.content[0]?.type !== 'thinking')
    return `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`.`
  return null
}

/** A signature of thoughts and all that was before them. */
function signatureOf(
  { system, tools, messages }: Pick<Body, 'system' | 'tools' | 'messages'>,
  thinking: string,
): string {
  const before = JSON.stringify([system, tools, messages]).replaceAll(
    ',"cache_control":{"type":"ephemeral"}',
    '',
  )
  return createHash('sha256').update(before).update(thinking).digest('base64')
}

function message({ model }: Body) {
  return { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null }
}

function blocksOf(request: Body, answer: Told): Block[] {
  const calls = (answer.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
    type: 'tool_use',
    id,
    name,
    input: JSON.parse(given),
  }))
  const text = answer.text === null ? [] : [{ type: 'text', text: answer.text }]
  return [...thoughtsOf(request, answer), ...text, ...citedBlocks(answer), ...calls]
}

function citedBlocks({ citations }: Told): Block[] {
  if (!citations) return []
  const cited = citations.map(({ url, title }) => ({
    type: 'web_search_result_location',
    url,
    title,
    cited_text: 'Said there.',
    encrypted_index: 'x',
  }))
  return [{ type: 'text', text: ' (as they say)', citations: cited }]
}

function thoughtsOf(request: Body, { thoughts }: Told): Block[] {
  return thoughts ? [{ type: 'thinking', thinking: thoughts, signature: signatureOf(request, thoughts) }] : []
}

function ended(answer: Told) {
  const reasons: Record<string, string> = {
    stop: 'end_turn',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
  }
  const reason = answer.finish_reason ?? (answer.tool_calls ? 'tool_calls' : 'stop')
  return { stop_reason: reasons[reason] ?? reason, stop_sequence: null }
}

/** The tokens of an answer. Of those read, one came from the cache and one was put into it. */
function usage({ usage: given }: Told) {
  const { prompt_tokens = 3, completion_tokens = 5 } = given ?? {}
  return {
    input_tokens: prompt_tokens - 2,
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 1,
    output_tokens: completion_tokens,
    service_tier: 'standard',
  }
}
