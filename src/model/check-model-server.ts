import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { isObject, toObjects } from '../lib/untrusted-json.ts'
import type { ServerSaid } from './context-exceeded.ts'
import { ModelError } from './model.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { textOf } from './parse-answer.ts'
import { cleanServerSaid, readServerError } from './server-said.ts'

export interface ModelServer {
  url: string
  apiKey: string | null
  /** The name of the model to check. */
  name: string
  /** True if the operator set the address in the environment. */
  trusted: boolean
}

/** A long limit, because the model may have to be loaded first. */
const TIMEOUT_MS = 60_000
const LISTED = 10

/**
 * Asks a model server for its models. If the list does not settle the matter, asks the configured model for the
 * shortest possible answer.
 * @returns a sentence that says what works
 * @throws Error with a sentence that says what is wrong and what the server answered
 */
export async function checkModelServer(server: ModelServer, http: TeamHttp): Promise<string> {
  const { name } = server
  const listed = await listModels(server, http)
  if (listed?.includes(name)) return `the server lists ${name}`
  try {
    await askModelServer(server, http)
    return `${name} answers`
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const others = listed?.length ? `; it lists ${listed.slice(0, LISTED).join(', ')}` : ''
    throw new Error(`${error.message}${inWords(error.said)}${others}`)
  }
}

/**
 * The names of a server's models; null when the server does not list them.
 * @throws Error when it refuses the key or is not a model server
 */
async function listModels({ url, apiKey, trusted }: ModelServer, http: TeamHttp) {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/models`
  const { status, body } = await http.request(address, {
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    trusted,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: 4 * 1024 * 1024,
  })
  const text = body.toString()
  const answer = readPeerJsonOrNull(text)
  if (isParley(answer)) {
    throw new Error('this is the address of a Parley server, not of a model server')
  }
  if (status === 401 || status === 403) {
    const said = cleanServerSaid(readServerError(text), [apiKey ?? ''], [])
    throw new Error(`the model server refuses the key (status ${status})${inWords(said)}`)
  }
  if (status < 200 || status > 299 || !isObject(answer)) return null
  return toObjects(answer.data ?? answer.models).flatMap(({ id, name }) => textOf(id) ?? textOf(name) ?? [])
}

/**
 * Asks a model server for the shortest possible answer.
 * @throws ModelError
 */
export async function askModelServer({ name, ...server }: ModelServer, http: TeamHttp): Promise<void> {
  const model = openaiCompatible({ ...server, http, timeouts: { firstByteMs: TIMEOUT_MS } })
  const complete = (parameters: Record<string, unknown>) =>
    model.complete(
      { model: name, messages: [{ role: 'user', content: 'Hi' }], parameters },
      AbortSignal.timeout(TIMEOUT_MS),
    )
  try {
    await complete({ max_tokens: 1 })
  } catch (error) {
    // Some models have another name for the limit on an answer's length.
    if (!(error instanceof ModelError) || error.status !== 400) throw error
    await complete({})
  }
}

/** Tells whether an answer has the form of Parley's own errors. */
function isParley(answer: unknown): boolean {
  if (!isObject(answer) || !isObject(answer.error)) return false
  const names = (fields: object) => Object.keys(fields).sort().join()
  return names(answer) === 'error,request_id' && names(answer.error) === 'code,message,param,type'
}

function inWords(said: ServerSaid | null): string {
  if (!said?.message) return ''
  return `: ${said.code ? `${said.code}, ` : ''}${said.message}`
}
