import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { refusal } from '../../src/http/schemas.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const said = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  assert.ok(error)
  const { message, param } = refusal(error)
  return `${param} | ${message}`
}
const field = (schema: z.ZodType, value: unknown) => said(z.strictObject({ f: schema }), { f: value })

for (const [schema, value, expected] of [
  [z.string(), undefined, 'is missing'],
  [z.string(), 7, 'must be a text'],
  [z.number(), 'hunter2', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'true', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.strictObject({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), 'x', 'must be an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), 'x', 'must have at least 2 characters'],
  [z.string().max(1), 'hunter2', 'must have at most 1 character'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.array(z.string()).max(2), ['', '', ''], 'must have at most 2 items'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().gt(1), 1, 'must be greater than 1'],
  [z.number().max(5), 6, 'must be at most 5'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.enum(['a', 'b']), 'hunter2', 'must be one of a, b'],
  [z.literal('a'), 'hunter2', 'must be a'],
  [z.string().regex(/^a$/), 'hunter2', 'does not have the form that is needed'],
  [z.string().regex(/^a$/, 'must be the letter a'), 'hunter2', 'must be the letter a'],
  [z.url(), 'hunter2', 'must be a URL'],
  [z.custom(() => false), 'hunter2', 'is not valid'],
  [z.union([z.string(), z.number()]), true, 'must be a text or a number'],
  [z.union([z.string(), z.array(z.string())]), undefined, 'is missing'],
  [z.union([z.string().max(3), z.null()]), 'hunter2', 'must have at most 3 characters'],
] as const)
  it(`a field that is wrong: ${expected}`, () => {
    assert.equal(field(schema, value), `f | f: ${expected}`)
  })

it('of a union, the form that was meant is named, to the field that is wrong in it', () => {
  const form = z.union([z.string(), z.strictObject({ type: z.literal('text'), text: z.string() })])
  assert.equal(field(form, { type: 'text', text: 7 }), 'f.text | f.text: must be a text')
  const kinds = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b') }),
  ])
  assert.equal(field(kinds, { kind: 'hunter2' }), 'f.kind | f.kind: must be one of a, b')
})

interface Described {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Json }> } }>>
  components: { schemas: Record<string, Json> }
}
type Json = { $ref?: string; properties?: Record<string, Json>; anyOf?: Json[] }

onBothEngines('400', (service) => {
  it('no field of any endpoint is refused in the words of the library that checks', async () => {
    const document = (await (await fetch(`${service.app.url}/openapi.json`)).json()) as Described
    const resolve = ({ $ref, ...schema }: Json): Json =>
      $ref ? resolve(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema
    let asked = 0
    for (const [path, operations] of Object.entries(document.paths)) {
      if (!path.startsWith('/api/v1/') || path.includes('messenger') || path.endsWith('/helpdesk')) continue
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema
        if (!schema) continue
        const { properties = {}, anyOf = [] } = resolve(schema)
        const names = Object.keys({
          ...properties,
          ...anyOf.map(resolve).find((one) => one.properties)?.properties,
        })
        const bodies = [
          [],
          {},
          ...names.flatMap((name) => [{ [name]: { a: 1 } }, { [name]: 'hunter2' }, { [name]: [[]] }]),
        ]
        for (const body of bodies) {
          const address = path.slice('/api/v1'.length).replaceAll(/\{\w+\}/g, '1')
          const answer = await service.app.agent.call(method.toUpperCase(), address, JSON.stringify(body))
          asked++
          assert.ok(answer.status < 500, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
          if (answer.status !== 400) continue
          assert.doesNotMatch(
            answer.body.error.message,
            /Invalid|Too (small|big)|expected|received|Unrecognized|hunter2/,
            `${method} ${path} ${JSON.stringify(body)}`,
          )
        }
      }
    }
    assert.ok(asked > 100)
  })
})
