import assert from 'node:assert/strict'
import { it } from 'node:test'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { z } from 'zod'
import { agentCalls, teamCalls } from '../../src/app/console-calls.ts'
import { startApp } from '../support/app.ts'

type Call = { query?: z.ZodType; body?: z.ZodType; answer?: z.ZodType }

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

interface Operation {
  parameters?: { in: string; name: string; schema: object }[]
  requestBody?: Content
  responses: Record<string, Content>
}

interface Content {
  content?: Record<string, { schema: object }>
}

it("The console's types of queries, bodies and answers are those of the routes", async () => {
  await using app = await startApp('sqlite')
  const routes = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document
  const served = new Map(
    Object.entries(routes.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const call = `${method.toUpperCase()} ${path.replace(/^\/api\/v1|^\/console\/api/, '')}`
        return [unnamed(call), schemasOf(operation, routes)] as const
      }),
    ),
  )
  const calls = Object.entries<Call>({ ...teamCalls, ...agentCalls })
  const described = await describe(calls.map(([, call]) => call))
  for (const [at, [name, { query, body, answer }]] of calls.entries()) {
    const route = served.get(unnamed(name))
    assert.ok(route, `no route serves ${name}`)
    if (query) assert.deepEqual(described[at]?.query, route.query, name)
    if (answer) assert.deepEqual(described[at]?.answer, route.answer, name)
    // Forms have files, which routes do not describe.
    if (body instanceof z.ZodCustom) continue
    if (body) assert.deepEqual(described[at]?.body, route.body, name)
    else assert.ok(!isNeeded(route.body), `${name} needs a body`)
  }
})

/** Takes the names of parameters out of a path. */
function unnamed(call: string): string {
  return call.replace(/\{\w+\}/g, '{}')
}

/** Describes schemas as the service's document does. */
async function describe(calls: Call[]) {
  const server = Fastify()
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  await server.register(swagger, {
    openapi: { openapi: '3.1.0' },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  for (const [at, { query, body, answer = z.null() }] of calls.entries())
    server.post(
      `/${at}`,
      {
        schema: {
          ...(query ? { querystring: query } : {}),
          ...(body ? { body } : {}),
          response: { 200: answer },
        },
      },
      () => null,
    )
  await server.ready()
  const document = server.swagger() as unknown as Document
  return calls.map((_, at) => schemasOf(document.paths[`/${at}`]?.post, document))
}

/** Parts that are not compared, as they say nothing of the type. */
const NO_SHAPE = ['id', 'description', 'default']

/** Returns the schemas of an operation, each in one piece. */
function schemasOf(operation: Operation | undefined, { components }: Document) {
  const { parameters = [], requestBody, responses = {} } = operation ?? {}
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
  return {
    query: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({ name, schema: whole(schema, NO_SHAPE) })),
    body: whole(schemaIn(requestBody), NO_SHAPE),
    // The console knows fields that are never left out.
    answer: whole(schemaIn(responses[success]), [...NO_SHAPE, 'required']),
  }
  function whole(part: unknown, left: string[], within: string[] = []): unknown {
    if (Array.isArray(part)) return part.map((item) => whole(item, left, within))
    if (typeof part !== 'object' || part === null) return part
    if ('$ref' in part) {
      const name = String(part.$ref).replace('#/components/schemas/', '')
      return within.includes(name) ? name : whole(components.schemas[name], left, [...within, name])
    }
    const fields = Object.entries(part).filter(([name]) => !left.includes(name))
    return Object.fromEntries(fields.map(([name, value]) => [name, whole(value, left, within)]))
  }
}

function isNeeded(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'required' in body
}

function schemaIn(part: Content | undefined): object | undefined {
  return part?.content?.['application/json']?.schema
}
