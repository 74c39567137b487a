import { toObjects } from '../../lib/untrusted-json.ts'
import type { ModelRequest } from '../model.ts'
import { textOf } from '../parse-answer.ts'
import { under, withPath } from './addresses.ts'
import type { Exchange, Protocol, ServerAddress } from './protocol.ts'

/** OpenAI's chat completions, which most other servers speak as well. */
export function openaiProtocol({ url, apiKey }: ServerAddress): Protocol {
  const base = withPath(url, (path) => path.replace(/\/chat\/completions$/, ''))
  return {
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    list: {
      url: under(base, 'models'),
      // Anthropic has another list at the same address.
      names: ({ data, models, object, has_more }) =>
        object === undefined && has_more !== undefined
          ? null
          : toObjects(data ?? models).flatMap(({ id, name }) => textOf(id) ?? textOf(name) ?? []),
    },
    ask: (request, isStream) => chatExchange(under(base, 'chat/completions'), request, isStream),
  }
}

/** A chat completion as it is: nothing is translated. */
export function chatExchange(
  url: URL,
  { model, messages, parameters }: ModelRequest,
  isStream: boolean,
): Exchange {
  const streaming = isStream
    ? { stream: true, stream_options: { include_usage: true } }
    : { stream: undefined, stream_options: undefined }
  return {
    url,
    body: { ...parameters, model, messages, ...streaming },
    answer: (completion) => completion,
    chunks: (chunk) => [chunk],
  }
}
