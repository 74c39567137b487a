import type { JsonObject } from '../../lib/untrusted-json.ts'
import type { ServerSaid } from '../context-exceeded.ts'
import { under, withPath } from './addresses.ts'
import { chatExchange } from './openai.ts'
import type { Protocol, ServerAddress } from './protocol.ts'

/**
 * OpenAI's models on Azure: chat completions under other addresses, with the key in `api-key`. The name of the model is
 * that of a deployment.
 * @see https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle (`/openai/v1`)
 * @see https://learn.microsoft.com/azure/foundry/openai/reference (`/openai/deployments/…?api-version=`)
 */
export function azureProtocol({ url, apiKey }: ServerAddress): Protocol {
  return {
    headers: apiKey === null ? {} : { 'api-key': apiKey },
    // `/openai/v1/models` lists the models of the region, not the deployments.
    list: null,
    ask: (request, isStream) => ({
      ...chatExchange(completionsAddress(url, request.model), request, isStream),
      answerOf: filtered,
    }),
  }
}

/** The address of a deployment's completions: its own where the query names a dated version of the API, otherwise v1. */
function completionsAddress(url: URL, deployment: string): URL {
  const base = withPath(url, (path) => path.replace(/\/chat\/completions$/, ''))
  const isWhole = /\/deployments\/[^/]+$|\/v1$/.test(base.pathname)
  const isDated = /^\d{4}-/.test(base.searchParams.get('api-version') ?? '')
  const surface = isDated ? `deployments/${encodeURIComponent(deployment)}` : 'v1'
  const root = isWhole
    ? base
    : under(
        withPath(base, (path) => path.replace(/\/openai$/, '')),
        `openai/${surface}`,
      )
  return under(root, 'chat/completions')
}

/** A prompt that the content filter refuses has the same outcome as an answer that it cuts off. */
function filtered(status: number, { code }: ServerSaid): JsonObject | null {
  if (status !== 400 || code !== 'content_filter') return null
  return { choices: [{ index: 0, message: { content: null }, finish_reason: 'content_filter' }] }
}
