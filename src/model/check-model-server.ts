import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { readPeerJsonOrNull } from '../lib/outbound/read-peer-json.ts'
import { isObject } from '../lib/untrusted-json.ts'
import { askModelServer, LOADING_MS, type ModelServer, refusalOfTools } from './ask-model-server.ts'
import type { ServerSaid } from './context-exceeded.ts'
import { ModelError } from './model.ts'
import { otherKindOf } from './other-kind.ts'
import { openProtocol } from './protocols/protocols.ts'
import { cleanServerSaid, readServerError } from './server-said.ts'
import { type TranscriptionServer, tryTranscriptionServer } from './transcriber.ts'

const LISTED = 10

/**
 * Asks a model server for its models. If the list does not settle the matter, asks the configured model for the
 * shortest possible answer.
 * @param hasTools true if agents offer it tools, which it then has to take
 * @returns a sentence that says what works
 * @throws Error with a sentence that says what is wrong and what the server answered
 */
export async function checkModelServer(
  server: ModelServer,
  http: TeamHttp,
  hasTools: boolean,
): Promise<string> {
  const { name } = server
  let listed: string[] | null = null
  try {
    listed = await listModels(server, http)
    if (hasTools) {
      const refusal = await refusalOfTools(server, http)
      if (!refusal) return `${name} answers and takes tools`
      throw new Error(`${name} answers but refuses tools, which agents offer it${inWords(refusal.said)}`)
    }
    if (listed?.includes(name)) return `the server lists ${name}`
    await askModelServer(server, http)
    return `${name} answers`
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const others = listed?.length ? `; it lists ${listed.slice(0, LISTED).join(', ')}` : ''
    const kind = await otherKindOf(server, error, http)
    const advice = kind ? `; it is a server of the kind ${kind}: set PARLEY_MODEL_KIND or model.kind` : ''
    throw new Error(`${error.message}${inWords(error.said)}${others}${advice}`)
  }
}

/**
 * Asks a transcription server to write down a sound.
 * @returns a sentence that says what works
 * @throws Error with a sentence that says what is wrong and what the server answered
 */
export async function checkTranscriptionServer(server: TranscriptionServer, http: TeamHttp): Promise<string> {
  try {
    await tryTranscriptionServer(server, http)
    return `${server.name} writes down a sound`
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new Error(`${error.message}${inWords(error.said)}`)
  }
}

/**
 * The names of a server's models; null when the server does not list them.
 * @throws ModelError when it refuses the key
 * @throws Error when it is not a model server
 */
async function listModels(server: ModelServer, http: TeamHttp): Promise<string[] | null> {
  const { kind, url, apiKey, trusted } = server
  const { list, headers } = openProtocol(kind, url, apiKey)
  if (!list) return null
  const { status, body } = await http.request(list.url, {
    headers,
    trusted,
    timeoutMs: LOADING_MS,
    maxResponseBytes: 4 * 1024 * 1024,
  })
  const text = body.toString()
  const answer = readPeerJsonOrNull(text)
  if (isParley(answer)) {
    throw new Error('this is the address of a Parley server, not of a model server')
  }
  if (status === 401 || status === 403) {
    const said = cleanServerSaid(readServerError(text), [apiKey ?? ''], [])
    throw new ModelError('status', `the model server refuses the key (status ${status})`, { status, said })
  }
  if (status < 200 || status > 299 || !isObject(answer)) return null
  return list.names(answer)
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
