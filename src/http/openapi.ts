import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { STATUS_CODES } from '../lib/node-http.ts'
import { jsonBounds } from './json-bounds.ts'
import { operationId } from './operation-id.ts'
import { rights } from './rights.ts'
import { bodyErrors, commonErrors, errors } from './schemas.ts'
import type { Server } from './server.ts'

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="0" y="29" ' +
  'font-family="system-ui, sans-serif" font-size="28" font-weight="600" fill="#fff">Parley</text></svg>'

/**
 * Generates the OpenAPI 3.1 document from the schemas of all routes registered after this call. Serves it at
 * /openapi.json, and at /docs as a page to read and try.
 * @param webhooks operations that the service itself sends, by name
 * @param groups the tag of routes without one, by the first word of their path, where it is another word
 */
export function serveOpenApi(
  server: Server,
  webhooks: Record<string, object>,
  groups: Readonly<Record<string, string>>,
): void {
  server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version: '1.0.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        description:
          'A self-hosted conversational-agent service. Credentialed endpoints under `/api/v1` need both an API key, which ' +
          'names one agent, and a bearer token of the same team. The token needs the right that `x-right` names, or a ' +
          `higher one of the ladder ${rights.join(', ')}. What stands under \`/api/v1\` also stands under ` +
          '`/console/api/agents/{agent_id}`, and administration under `/console/api`, for people who are signed in. ' +
          `A JSON body may hold ${jsonBounds}; no text in it may hold U+0000. Fields and query parameters that an ` +
          'endpoint does not know are refused with 400.',
      },
      servers: [{ url: '/' }],
      webhooks,
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearerToken: { type: 'http', scheme: 'bearer' },
          visitorToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The `visitor_token` of `beginVisitorSession`, for one widget. The `Origin` must be one that the widget ' +
              'allows. A program that is no web page has to set it itself with every POST.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'parley_session',
            description:
              'Set at signing in; `__Secure-parley_session` where the public address is https. While the team requires ' +
              'a second factor that the person has not set up, all but that is answered 403 `two_factor_required`.',
          },
        },
      },
    },
    transform: ({ schema, url, route, ...rest }) => {
      const { right } = route.config ?? {}
      const [, noun] = /^\/api\/v1\/(\w+)/.exec(url) ?? []
      const tags = noun && { tags: [groups[noun] ?? noun] }
      return jsonSchemaTransform({
        schema: { ...tags, ...schema, ...(right && { 'x-right': right }) },
        url,
        route,
        ...rest,
      })
    },
    transformObject: (document) => completeDocument(jsonSchemaTransformObject(document)),
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

/**
 * Leaves the routes of a scope out of the document, because the same routes are described for key and token. Only the
 * document needs to know their answers.
 */
export function hideFromDocument(scope: Server): void {
  scope.addHook('onRoute', (route) => {
    const { response: _, ...schema } = route.schema ?? {}
    route.schema = { ...schema, hide: true }
  })
}

type Scheme = 'apiKey' | 'bearerToken' | 'session' | 'visitorToken'

/**
 * States in the document what every route of a scope requires of callers, and the errors that follow from that and from
 * its body. Routes state their others.
 * @param schemes all of them are required
 */
export function requireInDocument(scope: Server, ...schemes: Scheme[]): void {
  const security = [Object.fromEntries(schemes.map((scheme) => [scheme, []]))]
  const refusals = errors(...commonErrors)
  const refusalsOfBodies = errors(...commonErrors, ...bodyErrors)
  scope.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as { body?: object; response?: object }
    const refused = schema.body ? refusalsOfBodies : refusals
    route.schema = { security, ...schema, response: { ...refused, ...schema.response } }
  })
}

interface Operation {
  'x-right'?: string
  operationId?: string
  security?: Record<string, string[]>[]
  requestBody?: object
  responses?: Record<string, { description: string; content?: object }>
}

interface Schema {
  type?: string
  description?: string
  default?: unknown
  properties?: Record<string, Schema>
}

interface Described {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, object> }
}

/** Adds facts that routes leave unstated, and removes schemas that nothing refers to. */
function completeDocument<Document>(document: Document): Document {
  const { paths = {}, components } = document as Described
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      operation.operationId ??= operationId({
        method,
        path,
        statuses: Object.keys(operation.responses ?? {}),
        isList: answersList(operation),
      })
      // An empty list states that an operation needs no credentials.
      operation.security ??= []
      operation.responses = { ...operation.responses, ...refusedBodies(method, operation) }
      describeRefusal(operation)
      describeAnswers(operation)
    }
  }
  if (components?.schemas) components.schemas = usedSchemas(document as Described)
  wordDefaults(paths)
  wordDefaults(components)
  return document
}

/**
 * Returns the refusals that sending a body may cause where none is read: a DELETE's body is parsed, others are only
 * measured.
 */
function refusedBodies(method: string, { requestBody }: Operation): Operation['responses'] {
  if (requestBody || method === 'get') return {}
  const refused = method === 'delete' ? ['400', '413', '415'] : ['413']
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(refused.map((status) => [status, { description: NOT_DESCRIBED, content }]))
}

const NOT_DESCRIBED = 'Default Response'

/** States the right that an operation needs, wherever it states that a caller may be refused. */
function describeRefusal({ 'x-right': right, responses = {} }: Operation): void {
  const refused = responses[403]
  if (right === undefined || !refused) return
  refused.description =
    'The credentials are missing or not valid (`invalid_credentials`), or they have less than the right ' +
    `\`${right}\` (\`insufficient_right\`).`
}

function answersList({ responses = {} }: Operation): boolean {
  const schema = jsonSchemaOf(responses[200])
  return schema?.type === 'array' || schema?.properties?.data?.type === 'array'
}

function jsonSchemaOf(answer: { content?: object } | undefined): Schema | undefined {
  return (answer?.content as Record<string, { schema?: Schema }> | undefined)?.['application/json']?.schema
}

/** Describes each answer that has no description by its status. */
function describeAnswers({ responses = {} }: Operation): void {
  for (const [status, answer] of Object.entries(responses)) {
    if (answer.description === NOT_DESCRIBED) answer.description = STATUS_CODES[status] ?? status
  }
}

/**
 * Moves the defaults of fields into their descriptions: generators of clients treat a field with a `default` as one
 * that is always present, and require it in requests. Parameters keep theirs.
 */
function wordDefaults(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { properties } = part as Schema
  for (const field of Object.values(properties ?? {})) {
    if (field.default === undefined) continue
    const words = `Default: \`${JSON.stringify(field.default)}\`.`
    field.description = field.description ? `${field.description} ${words}` : words
    delete field.default
  }
  for (const inner of Object.values(part)) wordDefaults(inner)
}

/** Returns the schemas that the rest of the document refers to, directly or through other schemas. */
function usedSchemas({ components, ...rest }: Described): Record<string, object> {
  const schemas = components?.schemas ?? {}
  const used = new Set<string>()
  const follow = (part: object) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name] ?? {})
    }
  }
  follow({ ...rest, components: { ...components, schemas: {} } })
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
