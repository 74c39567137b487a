import { type JsonObject, toObjects } from '../../../lib/untrusted-json.ts'
import { textOf } from '../../parse-answer.ts'
import { under, withPath } from '../addresses.ts'
import { keptSteps } from '../kept-steps.ts'
import type { Protocol, ServerAddress } from '../protocol.ts'
import { readContent, readContentEvents } from './content-answer.ts'
import { contentsRequest } from './contents-request.ts'

/**
 * Google's Gemini API.
 * @see https://ai.google.dev/api/generate-content
 */
export function geminiProtocol({ url, apiKey }: ServerAddress): Protocol {
  const base = withPath(url, (path) => {
    const above = path.replace(/\/(?:models|tunedModels)(?:\/.*)?$/, '')
    return /\/v\d\w*(?:\/|$)/.test(above) ? above : `${above}/v1beta`
  })
  const steps = keptSteps<readonly JsonObject[]>()
  return {
    headers: apiKey === null ? {} : { 'x-goog-api-key': apiKey },
    list: {
      url: under(base, 'models'),
      // The list has them as they stand in addresses.
      names: ({ models }) =>
        toObjects(models).flatMap(({ name }) => textOf(name)?.replace(/^models\//, '') ?? []),
    },
    ask(request, isStream) {
      const { chunks, rest } = readContentEvents(steps.keep)
      return {
        url: contentAddress(base, request.model, isStream),
        body: contentsRequest(request, steps),
        answer: (response) => readContent(response, steps.keep),
        chunks,
        rest,
      }
    },
  }
}

/** The name of the model is part of the address. */
function contentAddress(base: URL, model: string, isStream: boolean): URL {
  const path = model.includes('/') ? model : `models/${model}`
  const name = path.split('/').map(encodeURIComponent).join('/')
  const url = under(base, `${name}:${isStream ? 'streamGenerateContent' : 'generateContent'}`)
  if (isStream) url.searchParams.set('alt', 'sse')
  return url
}
