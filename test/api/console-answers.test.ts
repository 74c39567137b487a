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
import { agentAnswers, teamAnswers } from '../../src/app/console-answers.ts'
import { startApp } from '../support/app.ts'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  components: { schemas: Record<string, object> }
}

interface Answer {
  content?: Record<string, { schema: object }>
}

it("The console's types of answers are those of the routes", async () => {
  await using app = await startApp('sqlite')
  const routes = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document
  const served = new Map(
    Object.entries(routes.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => {
        const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
        const call = `${method.toUpperCase()} ${path.replace(/^\/api\/v1|^\/console\/api/, '')}`
        return [unnamed(call), schemaOf(responses[success], routes)] as const
      }),
    ),
  )
  const answers = Object.entries<z.ZodType>({ ...teamAnswers, ...agentAnswers })
  const described = await describe(answers.map(([, schema]) => schema))
  for (const [at, [call, schema]] of answers.entries()) {
    assert.ok(served.has(unnamed(call)), `no route serves ${call}`)
    if (!(schema instanceof z.ZodUnknown)) assert.deepEqual(described[at], served.get(unnamed(call)), call)
  }
})

/** Takes the names of parameters out of a path. */
function unnamed(call: string): string {
  return call.replace(/\{\w+\}/g, '{}')
}

/** Describes schemas as the service's document does. */
async function describe(schemas: z.ZodType[]): Promise<unknown[]> {
  const server = Fastify()
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  await server.register(swagger, {
    openapi: { openapi: '3.1.0' },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  for (const [at, schema] of schemas.entries())
    server.get(`/${at}`, { schema: { response: { 200: schema } } }, () => null)
  await server.ready()
  const document = server.swagger() as unknown as Document
  return schemas.map((_, at) => schemaOf(document.paths[`/${at}`]?.get?.responses[200], document))
}

/** Parts that are not compared: those that say nothing of the type, and `required`, since the console knows fields that are never left out. */
const NO_SHAPE = new Set(['required', 'id', 'description', 'default'])

/** Returns the schema of an answer in one piece. */
function schemaOf(answer: Answer | undefined, { components }: Document): unknown {
  const { schema } = answer?.content?.['application/json'] ?? {}
  return whole(schema)
  function whole(part: unknown, within: string[] = []): unknown {
    if (Array.isArray(part)) return part.map((item) => whole(item, within))
    if (typeof part !== 'object' || part === null) return part
    if ('$ref' in part) {
      const name = String(part.$ref).replace('#/components/schemas/', '')
      return within.includes(name) ? name : whole(components.schemas[name], [...within, name])
    }
    const fields = Object.entries(part).filter(([name]) => !NO_SHAPE.has(name))
    return Object.fromEntries(fields.map(([name, value]) => [name, whole(value, within)]))
  }
}
