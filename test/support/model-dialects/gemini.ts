import { createHash } from 'node:crypto'
import type { Answer, Piece } from '../model-server.ts'
import { type Dialect, SECRET_DETAIL, type Told, unknownFields } from './dialect.ts'

interface Part {
  text?: string
  functionCall?: { id?: string; name: string; args: object }
  functionResponse?: { id?: string; name: string; response: object }
  thoughtSignature?: string
  [field: string]: unknown
}
interface Body {
  contents: { role: string; parts: Part[] }[]
  tools?: { functionDeclarations?: { name: string; parametersJsonSchema?: object }[] }[]
  generationConfig?: object
}

const FIELDS =
  'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent'.split(' ')
const GENERATION =
  'stopSequences responseMimeType responseSchema responseJsonSchema responseModalities candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs speechConfig thinkingConfig mediaResolution'.split(
    ' ',
  )
const PARTS = 'text thought thoughtSignature inlineData fileData functionCall functionResponse'.split(' ')
const STATUS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}
const DUMMY = 'skip_thought_signature_validator'

/**
 * Google's Gemini API. It refuses what the real one does; the shapes are those of the types of `@google/genai` 2.32.0 and
 * of https://ai.google.dev/api/generate-content. Models from Gemini 3 on sign calls and want them signed:
 * https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
export const geminiDialect: Dialect = {
  base: '/v1beta',
  models: {
    path: '/v1beta/models',
    list: { models: [{ name: 'models/test-model', supportedGenerationMethods: ['generateContent'] }] },
  },
  isAsked: (path) =>
    /^\/v1beta\/models\/[\w.-]+:(?:generateContent|streamGenerateContent\?alt=sse)$/.test(path),
  isStream: ({ path }) => path.includes(':stream'),

  refusal({ headers, body }) {
    const request = body as unknown as Body
    if (headers.authorization)
      return { status: 401, message: 'Request had invalid authentication credentials.' }
    const why = wrongFields(request) ?? wrongContents(request)
    return why === null ? null : { status: 400, message: why }
  },

  lastUserTexts(body) {
    const { contents } = body as unknown as Body
    const said = contents.findLast(({ role, parts }) => role === 'user' && parts.some(({ text }) => text))
    return said?.parts.map(({ text = '' }) => text) ?? []
  },

  error: (status, message) => ({ error: { code: status, message, status: STATUS[status] ?? 'INTERNAL' } }),

  whole({ path }, answer) {
    const parts = [
      ...thoughts(answer),
      ...(answer.text === null ? [] : [{ text: answer.text }]),
      ...calls(answer.tool_calls ?? [], 0),
    ]
    return response(path, [{ content: { role: 'model', parts }, ...ended(answer) }], answer)
  },

  stream({ path }, answer) {
    let called = 0
    const event = (candidate: object) =>
      `data: ${JSON.stringify(response(path, [{ index: 0, ...candidate }], answer))}\r\n\r\n`
    const said = (parts: Part[]) => event({ content: { role: 'model', parts } })
    return {
      begin: () => (answer.thoughts ? said(thoughts(answer)) : ''),
      piece(piece: Piece) {
        if (typeof piece === 'string') return said([{ text: piece }])
        const { content, tool_calls = [] } = piece as {
          content?: string
          tool_calls?: NonNullable<Answer['tool_calls']>
        }
        const parts = calls(tool_calls, called)
        called += parts.length
        return (content ? said([{ text: content }]) : '') + (parts.length > 0 ? said(parts) : '')
      },
      end: () => event({ content: { role: 'model', parts: [{ text: '' }] }, ...ended(answer) }),
      error: () => `data: ${JSON.stringify(geminiDialect.error(503, SECRET_DETAIL(503)))}\r\n\r\n`,
    }
  },
}

/** The answer to a prompt that is refused. */
export const GEMINI_BLOCKED = {
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
  usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
  modelVersion: 'test-model',
}

function wrongFields(request: Body): string | null {
  const [extra] = [
    ...unknownFields(request, FIELDS),
    ...unknownFields(request.generationConfig ?? {}, GENERATION),
    ...request.contents.flatMap(({ parts }) => parts.flatMap((part) => unknownFields(part, PARTS))),
  ]
  return extra ? `Invalid JSON payload received. Unknown name "${extra}": Cannot find field.` : null
}

/** Returns what the API says of contents that it refuses; null if it takes them. */
function wrongContents({ contents, tools = [] }: Body): string | null {
  const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name))
  const newest = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some(({ text }) => text),
  )
  for (const [at, { role, parts }] of contents.entries()) {
    if (role !== (at % 2 === 0 ? 'user' : 'model'))
      return 'Please ensure that multiturn requests alternate between user and model.'
    if (parts.length === 0)
      return 'Unable to submit request because it must include at least one parts field.'
    if (parts.some(({ text, thoughtSignature }) => text === '' && !thoughtSignature))
      return 'Unable to submit request because it must have a text parameter.'
    const asked = parts.flatMap(({ functionCall }) => functionCall ?? [])
    if (asked.length === 0) continue
    if (asked.some(({ name }) => !names.includes(name))) return 'Function call is of no declared function.'
    const results = (contents[at + 1]?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? [])
    if (results.length !== asked.length)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    if (results.some(({ id, name }, n) => name !== asked[n]?.name || id !== asked[n]?.id))
      return 'Please ensure that function responses match the function calls.'
    const [first] = parts.filter(({ functionCall }) => functionCall)
    const { thoughtSignature: signature } = first ?? {}
    if (at > newest && !signature)
      return `Function call is missing a thought_signature in functionCall parts.`
    if (signature && signature !== DUMMY && signature !== signatureOf(first?.functionCall?.name ?? ''))
      return 'Corrupted thought signature.'
  }
  return null
}

/** Calls with ids of the server; only the first of an answer is signed. */
function calls(given: NonNullable<Answer['tool_calls']>, before: number): Part[] {
  return given.map(({ id, function: { name, arguments: args } }, at) => ({
    functionCall: { id, name, args: JSON.parse(args) },
    ...(before + at === 0 ? { thoughtSignature: signatureOf(name) } : {}),
  }))
}

function thoughts({ thoughts: text }: Told): Part[] {
  return text ? [{ text, thought: true }] : []
}

function signatureOf(name: string): string {
  return createHash('sha256').update(name).digest('base64')
}

function ended({ finish_reason, citations }: Told) {
  const reasons: Record<string, string> = { length: 'MAX_TOKENS', content_filter: 'SAFETY' }
  return {
    finishReason: reasons[finish_reason ?? ''] ?? 'STOP',
    ...(citations
      ? {
          groundingMetadata: {
            groundingChunks: citations.map((web) => ({ web: { uri: web.url, title: web.title } })),
          },
        }
      : {}),
  }
}

function response(path: string, candidates: object[], { usage, thoughts }: Told) {
  const { prompt_tokens = 3, completion_tokens = 5 } = usage ?? {}
  const thoughtsTokenCount = thoughts ? 1 : 0
  return {
    candidates,
    usageMetadata: {
      promptTokenCount: prompt_tokens,
      candidatesTokenCount: completion_tokens - thoughtsTokenCount,
      ...(thoughts ? { thoughtsTokenCount } : {}),
      cachedContentTokenCount: 1,
      totalTokenCount: prompt_tokens + completion_tokens,
    },
    modelVersion: /models\/([^:]+):/.exec(path)?.[1],
    responseId: 'r1',
  }
}
