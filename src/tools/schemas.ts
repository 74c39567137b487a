import { z } from 'zod'
import { boundedText, time } from '../http/schemas.ts'
import { presentSecret, storedSecret } from '../http/stored-secret.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { isObject, type JsonObject } from '../lib/untrusted-json.ts'
import { checkSchema } from './check-schema.ts'
import { readBodyTemplate } from './http/body-template.ts'
import { TemplateError, USER_ID } from './http/placeholders.ts'
import { readUrlTemplate } from './http/url-template.ts'
import { openHeaders } from './secret-place.ts'
import type { ToolRow } from './tables.ts'
import { REQUEST_PERSON, TOOL_NAME } from './tool.ts'

const SCHEMA_LIMIT = 32_768
const BODY_LIMIT = 32_768

/** Headers that a tool cannot set, because they belong to the connection or to the body. */
const OWN_HEADERS = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header')
  .transform((name) => name.toLowerCase())
  .refine((name) => !OWN_HEADERS.includes(name), 'is a header that the service sets')

const headerValue = z
  .string()
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]{0,3998}[\x21-\x7e])?$/,
    'must have 1 to 4000 printable ASCII characters, without spaces around them',
  )

const headers = z
  .record(headerName, headerValue.nullable())
  .refine((given) => Object.keys(given).length <= 20, 'holds more than 20 headers')
  .describe(
    'Sent with each call, such as `{"authorization": "Bearer …"}`. Stored sealed, never answered, and sent only to ' +
      'the origin that they were saved with. In a patch each header is set by itself; null removes it.',
  )

const name = z
  .string()
  .regex(TOOL_NAME, 'must have 1 to 64 letters, digits, _ and -')
  .refine((name) => name !== REQUEST_PERSON, 'is the name of a built-in tool')

const parameters = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const wrong = JSON.stringify(schema).length > SCHEMA_LIMIT ? 'is too large' : checkSchema(schema)
    if (wrong !== null) context.addIssue(wrong)
  })
  .describe('JSON Schema of the arguments, of type object.')

const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const body = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .nullable()
  .refine((body) => JSON.stringify(body).length <= BODY_LIMIT, 'is too large')
  .describe(
    'JSON, or its text. `{argument}` in its strings is filled with the argument as text; null: no body.',
  )

const idempotent = z
  .boolean()
  .describe('Whether a call that may have happened can be made again, for example after a crash.')

const httpFields = {
  description: boundedText(4000).min(1).describe('Tells the model what the tool does and when to call it.'),
  parameters,
  method,
  url: z
    .string()
    .max(2048)
    .describe(
      'Scheme, host and port are literal. `{argument}` fills one segment of the path or one value of the query, ' +
        'percent-encoded; `{user.id}` is the id of the user, where it is verified.',
    ),
  body,
}

/** What a tool of the kind `http` does. */
export interface HttpSettings {
  description: string
  parameters: JsonObject
  method: z.output<typeof method>
  url: string
  body?: z.output<typeof body> | undefined
}

/** The body of `POST /tools`. */
export const newTool = z
  .strictObject({
    kind: z.literal('http'),
    name,
    ...httpFields,
    parameters: parameters.default({ type: 'object', properties: {} }),
    method: method.default('GET'),
    body: body.default(null),
    headers: headers.default({}),
    idempotent: idempotent.optional(),
    active: z.boolean().default(true),
  })
  .superRefine(checkTemplates)
  .meta({ id: 'NewTool' })

export type NewTool = z.output<typeof newTool>

/** The body of `PATCH /tools/{id}`. The kind cannot change. */
export const toolPatch = z
  .strictObject({ name, ...httpFields, headers, idempotent, active: z.boolean() })
  .partial()
  .meta({ id: 'ToolPatch' })

export type ToolPatch = z.output<typeof toolPatch>

/** Settings as they are after a patch. */
export const httpSettings = z.strictObject(httpFields).superRefine(checkTemplates)

function checkTemplates({ url, body, parameters, method }: HttpSettings, context: z.RefinementCtx): void {
  const properties = isObject(parameters.properties) ? parameters.properties : {}
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const check = (field: string, names: () => string[]) => {
    try {
      const unknown = names().find((name) => name !== USER_ID && !Object.hasOwn(properties, name))
      if (unknown !== undefined)
        refuse(field, `has {${unknown}}, which is not among the properties of \`parameters\``)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      refuse(field, error.message)
    }
  }
  check('url', () => readUrlTemplate(url).names)
  if (body === null || body === undefined) return
  if (method === 'GET') refuse('body', 'must be null with the method GET')
  check('body', () => readBodyTemplate(body).names)
}

/** A tool as the API answers it. */
export const toolSchema = z
  .object({
    id: z.int(),
    kind: z.literal('http'),
    name: z.string(),
    active: z.boolean(),
    idempotent: z.boolean(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    method,
    url: z.string(),
    body: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]).nullable(),
    headers: z
      .record(z.string(), storedSecret)
      .describe('Of each header only whether it is set, with its last four characters.'),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Tool' })

export type ToolAnswer = z.output<typeof toolSchema>

/** A tool as the API returns it. */
export function presentTool(row: ToolRow, box: SecretBox): ToolAnswer {
  const { id, name, kind, created_at, updated_at } = row
  const shown = Object.entries(openHeaders(box, row).headers).map(([name, value]) => [
    name,
    presentSecret(value),
  ])
  return {
    id,
    kind,
    name,
    active: row.active === 1,
    idempotent: row.idempotent === 1,
    ...JSON.parse(row.settings),
    headers: Object.fromEntries(shown),
    created_at,
    updated_at,
  } as ToolAnswer
}

/** The body of `POST /tools/{id}/try`. */
export const toolTry = z
  .strictObject({
    arguments: z.record(z.string(), z.unknown()).default({}),
    user_id: boundedText(255).nullable().default(null).describe('What `{user.id}` is filled with.'),
  })
  .meta({ id: 'ToolTry' })

export type ToolTry = z.output<typeof toolTry>

export const triedTool = z
  .object({
    status: z.enum(['ok', 'failed', 'unknown']),
    result: z.string().describe('What the model would read.'),
    duration_ms: z.number(),
  })
  .meta({ id: 'ToolTried' })

export type TriedTool = z.output<typeof triedTool>
