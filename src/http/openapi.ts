import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { STATUS_CODES } from '../lib/node-http.ts'
import type { Server } from './server.ts'

/** Both credentials together, as every credentialed endpoint lists them. */
export const credentials = [{ apiKey: [], bearerToken: [] }]

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="0" y="29" ' +
  'font-family="system-ui, sans-serif" font-size="28" font-weight="600" fill="#fff">Parley</text></svg>'

/**
 * Generates the OpenAPI 3.1 document from the schemas of all routes registered after this call, and serves it
 * at /openapi.json and, to be read and tried, at /docs.
 * @param webhooks operations of what the service itself sends, by name
 */
export function serveOpenApi(server: Server, webhooks: Record<string, object>): void {
  server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version: '1.0.0',
        description:
          'A self-hosted conversational-agent service. All credentialed endpoints need both an API key, which ' +
          'names one agent, and a bearer token of the same team.',
      },
      servers: [{ url: '/' }],
      webhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearerToken: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => describeAnswers(jsonSchemaTransformObject(document)),
  })
  server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: {
      'default-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
    uiConfig: { url: '/openapi.json', deepLinking: true },
    theme: { title: 'Parley' },
    logo: { type: 'image/svg+xml', content: Buffer.from(LOGO), href: '/docs', target: '_self' },
  })
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger())
}

interface Described {
  paths?: Record<string, Record<string, { responses?: Record<string, { description: string }> }>>
}

/** Describes by its status each answer that nothing else describes. */
function describeAnswers<Document>(document: Document): Document {
  const operations = Object.values((document as Described).paths ?? {}).flatMap((path) => Object.values(path))
  for (const { responses = {} } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      if (answer.description === 'Default Response') answer.description = STATUS_CODES[status] ?? status
    }
  }
  return document
}
