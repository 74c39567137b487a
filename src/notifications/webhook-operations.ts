import { eventKeys } from '../events/keys.ts'
import { webhookPayload } from './payload.ts'

const payload = { $ref: `#/components/schemas/${webhookPayload.meta()?.id}` }
const text = { type: 'string' }

const headers = [
  ['X-Webhook-Signature', 'Security `signature`: `sha256=<hex>`, HMAC-SHA256 of `<timestamp>.<raw body>`.'],
  ['X-Webhook-Timestamp', 'Security `signature`: Unix seconds when signed; refuse stale ones.'],
  ['X-Webhook-Secret', 'Security `shared_secret`: the secret itself.'],
  ['webhook-id', 'The same for all replays of a delivery.'],
  [
    'webhook-signature',
    'After a rotation, while the old secret has its grace: `v1,<base64>` of the new and of the old secret, over `<webhook-id>.<timestamp>.<raw body>`.',
  ],
  ['traceparent', 'W3C Trace Context, when the event happened in a trace.'],
  ['tracestate', 'The same, when the request that began it brought one.'],
].map(([name, description]) => ({ name, in: 'header', required: false, description, schema: text }))

/** What the service posts to notifications, as the `webhooks` of the OpenAPI document: an operation an event key. */
export const webhookOperations = Object.fromEntries(
  Object.entries(eventKeys).map(([key, { label, cause }]) => [
    key,
    {
      post: {
        summary: label,
        description: `Sent once when ${cause}, to each notification that listens to \`${key}\`.`,
        operationId: `webhook_${key}`,
        tags: ['webhooks'],
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
