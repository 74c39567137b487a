import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

type Json = Record<string, unknown>

interface Operation {
  responses: Record<string, { content?: { 'application/json'?: { schema: Json } } }>
}

/** The part of an OpenAPI document that answers are checked against. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

let document: Promise<OpenApiDocument> | undefined
const compiled = new WeakMap<Operation, Map<number, z.ZodType>>()
/** The patterns of a document's paths, those with fewest parameters first. */
const matchersOf = new WeakMap<
  OpenApiDocument,
  { pattern: RegExp; operations: Record<string, Operation> }[]
>()

/**
 * Asserts that an answer is one that the service's own OpenAPI document promises: the status is listed for the endpoint
 * and the body is valid by its schema. Streams, and paths that are not endpoints, are not checked.
 * @param path the path without a query string
 */
export async function assertConforms(
  url: string,
  method: string,
  path: string,
  status: number,
  body: unknown,
): Promise<void> {
  if (body === undefined) return
  const document = await documentOf(url)
  const operation = findOperation(document, method, path)
  if (!operation) return
  const name = `${method} ${path} ${status}`
  const present = compiled.get(operation) ?? new Map<number, z.ZodType>()
  compiled.set(operation, present)
  let schema = present.get(status)
  if (!schema) {
    const promised = operation.responses[status]?.content?.['application/json']?.schema
    assert.ok(promised, `${name}: this status is not in the OpenAPI document`)
    schema = compile(promised, document)
    present.set(status, schema)
  }
  const checked = schema.safeParse(body)
  assert.ok(checked.success, `${name}: ${checked.error?.message} in ${JSON.stringify(body)}`)
}

/** Finds the endpoint of a concrete path: a path without parameters goes before one with them. */
function findOperation(document: OpenApiDocument, method: string, path: string): Operation | undefined {
  let matchers = matchersOf.get(document)
  if (!matchers) {
    matchers = Object.entries(document.paths)
      .sort(([a], [b]) => a.split('{').length - b.split('{').length)
      .map(([template, operations]) => ({
        pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        operations,
      }))
    matchersOf.set(document, matchers)
  }
  return matchers.find(({ pattern }) => pattern.test(path))?.operations[method.toLowerCase()]
}

const COMPONENT = /#\/components\/schemas\/([\w.-]+)/g

/** Turns a schema of the document into a zod schema, with the schemas that it refers to. */
export function compile(schema: Json, document: OpenApiDocument): z.ZodType {
  const $defs: Record<string, Json> = {}
  const waiting = [schema]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(COMPONENT)) {
      const component = document.components.schemas[name]
      if (!component || name in $defs) continue
      $defs[name] = component
      waiting.push(component)
    }
  }
  const whole = JSON.stringify({ ...schema, $defs })
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')))
}

/** Reads the document once for a run of the tests: all applications share it, and it takes a third of a second. */
export function documentOf(url: string): Promise<OpenApiDocument> {
  document ??= readDocument(new URL(url).origin)
  return document
}

async function readDocument(origin: string): Promise<OpenApiDocument> {
  const kept = process.env.PARLEY_TEST_OPENAPI
  if (kept && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as OpenApiDocument
  const response = await fetch(`${origin}/openapi.json`)
  assert.equal(response.status, 200)
  const text = await response.text()
  if (kept) {
    writeFileSync(`${kept}.${process.pid}`, text)
    renameSync(`${kept}.${process.pid}`, kept)
  }
  return JSON.parse(text) as OpenApiDocument
}

/** Tells whether an operation of the document needs a key and a token, as the endpoints for callers do. */
export function needsCredentials({ security = [] }: { security?: readonly object[] }): boolean {
  return security.some((scheme) => 'apiKey' in scheme)
}
