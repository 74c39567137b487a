import { eventKeys } from '../events/keys.ts'
import { webhookPayload } from './payload.ts'

const payload = { $ref: `#/components/schemas/${webhookPayload.meta()?.id}` }
const text = { type: 'string' }

const headers = [
  ['X-Webhook-Signature', 'Security `signature`: `sha256=<hex>`, HMAC-SHA256 of `<timestamp>.<raw body>`.'],
  ['X-Webhook-Timestamp', 'Security `signature`: Unix seconds when signed; refuse stale ones.'],
  ['X-Webhook-Secret', 'Security `shared_secret`: the secret itself.'],
  ['webhook-id', 'The same for all replays of a delivery.'],
  ['webhook-timestamp', 'Security `signature`: the same Unix seconds as X-Webhook-Timestamp.'],
  [
    'webhook-signature',
    'Security `signature`, as standardwebhooks.com has it: `v1,<base64>`, HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`. After a rotation a second one, made with the old secret, while its grace lasts.',
  ],
  ['traceparent', 'W3C Trace Context, when the event happened in a trace.'],
  ['tracestate', 'The same, when the request that began it brought one.'],
].map(([name, description]) => ({ name, in: 'header', required: false, description, schema: text }))

/**
 * The requests that the service posts to notifications, as the `webhooks` of the OpenAPI document: an operation for
 * each event key.
 */
export const webhookOperations = Object.fromEntries(
  Object.entries(eventKeys).map(([key, { label, cause }]) => [
    key,
    {
      post: {
        summary: label,
        description: `Sent once when ${cause}, to each notification that listens to \`${key}\`.`,
        operationId: `webhook_${key}`,
        tags: ['webhooks'],
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: payload } },
        },
        responses: {
          '2XX': { description: 'Acknowledged.' },
          default: { description: 'Anything else is logged, and not tried again.' },
        },
      },
    },
  ]),
)
