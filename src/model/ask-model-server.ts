import type { ModelKind } from '../lib/model-kinds.ts'
import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { ModelError } from './model.ts'
import { servedModel } from './served-model.ts'
import { mayRefuseTools } from './without-tools.ts'

export interface ModelServer {
  /** The protocol that it speaks. */
  kind: ModelKind
  url: string
  apiKey: string | null
  /** The name of the model to check. */
  name: string
  /** True if the operator set the address in the environment. */
  trusted: boolean
}

/** A long limit, because the model may have to be loaded first. */
export const LOADING_MS = 60_000

const SOME_TOOL = {
  type: 'function',
  function: {
    name: 'look_up',
    description: 'Looks something up.',
    parameters: { type: 'object', properties: {} },
  },
}

/**
 * Asks a model server for the shortest possible answer.
 * @throws ModelError
 */
export async function askModelServer(
  { name, ...server }: ModelServer,
  http: TeamHttp,
  timeoutMs = LOADING_MS,
  fields: Record<string, unknown> = {},
): Promise<void> {
  const model = servedModel({ ...server, http, timeouts: { firstByteMs: timeoutMs } })
  const complete = (parameters: Record<string, unknown>) =>
    model.complete(
      { model: name, messages: [{ role: 'user', content: 'Hi' }], parameters },
      AbortSignal.timeout(timeoutMs),
    )
  try {
    await complete({ ...fields, max_tokens: 1 })
  } catch (error) {
    // Some models have another name for the limit on an answer's length.
    if (!(error instanceof ModelError) || error.status !== 400) throw error
    await complete(fields)
  }
}

/**
 * Offers a model server a tool, with a request for the shortest possible answer.
 * @returns the failure with which it refuses tools; null: it takes them
 * @throws ModelError when it does not answer without one either
 */
export async function refusalOfTools(server: ModelServer, http: TeamHttp): Promise<ModelError | null> {
  try {
    await askModelServer(server, http, LOADING_MS, { tools: [SOME_TOOL] })
    return null
  } catch (error) {
    if (!(error instanceof ModelError) || !mayRefuseTools(error)) throw error
    await askModelServer(server, http)
    return error
  }
}
