import { toObjects } from '../../../lib/untrusted-json.ts'
import { textOf } from '../../parse-answer.ts'
import { under, withPath } from '../addresses.ts'
import { keptSteps } from '../kept-steps.ts'
import type { Protocol, ServerAddress } from '../protocol.ts'
import { type MessageStep, readMessage, readMessageEvents } from './message-answer.ts'
import { messagesRequest } from './messages-request.ts'

/**
 * The version that compatible servers know as well. The next one, of October 2026, takes no temperature, which older
 * models have.
 * @see https://platform.claude.com/docs/en/api/versioning
 */
const VERSION = '2023-06-01'

/**
 * Anthropic's Messages API.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export function anthropicProtocol({ url, apiKey }: ServerAddress): Protocol {
  const base = withPath(url, (path) => `${path.replace(/\/messages$/, '').replace(/\/v1$/, '')}/v1`)
  const steps = keptSteps<MessageStep>()
  return {
    headers: { 'anthropic-version': VERSION, ...(apiKey === null ? {} : { 'x-api-key': apiKey }) },
    list: {
      url: under(base, 'models'),
      // Servers of other kinds have a list at the same address.
      names: ({ data, has_more }) =>
        has_more === undefined ? null : toObjects(data).flatMap(({ id }) => textOf(id) ?? []),
    },
    ask(request, isStream) {
      const { body, prefix } = messagesRequest(request, steps)
      const keep: Parameters<typeof readMessage>[1] = (calls, blocks) =>
        steps.keep(calls, { blocks, prefix: prefix() })
      return {
        url: under(base, 'messages'),
        body: isStream ? { ...body, stream: true } : body,
        answer: (message) => readMessage(message, keep),
        chunks: readMessageEvents(keep),
      }
    },
  }
}
