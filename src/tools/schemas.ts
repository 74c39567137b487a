import { z } from 'zod'
import { boundedText } from '../http/schemas.ts'
import { sentVersion } from '../http/version.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { isObject, type JsonObject } from '../lib/untrusted-json.ts'
import { REQUEST_PERSON } from '../model/built-in-tools.ts'
import { checkSchema } from './check-schema.ts'
import { readBodyTemplate } from './http/body-template.ts'
import { TemplateError, USER_NAMES } from './http/placeholders.ts'
import { readUrlTemplate } from './http/url-template.ts'
import { SCHEMA_LIMIT } from './prepare-schema.ts'
import { requirements, TOOL_NAME } from './tool.ts'

const BODY_LIMIT = 32_768

/** The most headers of a tool. */
export const MOST_HEADERS = 20

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
  .refine((given) => Object.keys(given).length <= MOST_HEADERS, `holds more than ${MOST_HEADERS} headers`)
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

export const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

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

const requires = z
  .enum(requirements)
  .describe(
    'How sure it must be who the end user is, or models are not offered the tool: `verified`: a site or a platform has ' +
      'said it; `identified`: somebody has; `none`: not at all. Without it: `verified` where a template names the user, ' +
      'else `none`.',
  )

const restore = z
  .boolean()
  .describe(
    'Whether calls get the values where the agent masks personal data before the model; false: the placeholders.',
  )

const httpFields = {
  description: boundedText(4000).min(1).describe('Tells the model what the tool does and when to call it.'),
  parameters,
  method,
  url: z
    .string()
    .max(2048)
    .describe(
      'Scheme, host and port are literal. `{argument}` fills one segment of the path or one value of the query, ' +
        'percent-encoded; `{user.id}` is the id of the user, as sure as `requires` says, `{user.source}` where it is from.',
    ),
  body,
}

/** The settings of a tool of the kind `http`. */
export interface HttpSettings {
  description: string
  parameters: JsonObject
  method: z.output<typeof method>
  url: string
  body?: z.output<typeof body> | undefined
}

const mcpFields = {
  url: httpAddress
    .refine((text) => {
      const { username, password, hash } = URL.parse(text) ?? {}
      return !username && !password && !hash
    }, 'must hold no credentials and no fragment: credentials go into `headers`')
    .describe('Address of an MCP server over streamable HTTP, such as `https://mcp.example.com/mcp`.'),
  allow: z
    .array(z.string().min(1).max(200))
    .max(200)
    .nullable()
    .describe("Names of the server's tools that the model may call; null: all that it offers."),
}

/** The settings of a tool of the kind `mcp`: a server that offers tools. */
export interface McpSettings {
  url: string
  allow: string[] | null
}

/** The settings after a patch. */
export const mcpSettings = z.strictObject(mcpFields)

const newMcpTool = z
  .strictObject({
    kind: z.literal('mcp'),
    name: name.describe("Begins the names by which models call the server's tools: `<name>_<tool>`."),
    ...mcpFields,
    allow: mcpFields.allow.default(null),
    headers: headers.default({}),
    requires: requires.optional(),
    restore: restore.default(true),
    active: z.boolean().default(true),
  })
  .meta({ id: 'NewMcpTool' })

const newHttpTool = z
  .strictObject({
    kind: z.literal('http'),
    name,
    ...httpFields,
    parameters: parameters.default({ type: 'object', properties: {} }),
    method: method.default('GET'),
    body: body.default(null),
    headers: headers.default({}),
    idempotent: idempotent.optional(),
    requires: requires.optional(),
    restore: restore.default(true),
    active: z.boolean().default(true),
  })
  .superRefine(checkTemplates)
  .meta({ id: 'NewHttpTool' })

/** The body of `POST /tools`. */
export const newTool = z.discriminatedUnion('kind', [newHttpTool, newMcpTool]).meta({ id: 'NewTool' })

export type NewTool = z.output<typeof newTool>

export type ToolKind = NewTool['kind']

/** The body of `PATCH /tools/{id}`. The kind cannot change, and only fields of the kind can be set. */
export const toolPatch = z
  .strictObject({
    name,
    ...httpFields,
    allow: mcpFields.allow,
    headers,
    idempotent,
    requires,
    restore,
    active: z.boolean(),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'ToolPatch' })

export type ToolPatch = z.output<typeof toolPatch>

/** The settings after a patch. */
export const httpSettings = z.strictObject(httpFields).superRefine(checkTemplates)

function checkTemplates({ url, body, parameters, method }: HttpSettings, context: z.RefinementCtx): void {
  const properties = isObject(parameters.properties) ? parameters.properties : {}
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const check = (field: string, names: () => string[]) => {
    try {
      const unknown = names().find((name) => !USER_NAMES.includes(name) && !Object.hasOwn(properties, name))
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

/** The body of `POST /tools/{id}/try`. */
export const toolTry = z
  .strictObject({
    tool: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "Kind `mcp`: the server's name of the tool to call. Without it the server is asked what it offers.",
      ),
    arguments: z.record(z.string(), z.unknown()).default({}),
    user_id: boundedText(255)
      .nullable()
      .default(null)
      .describe('For whom it is called: what `{user.id}` is filled with. Counts as verified.'),
    user_source: boundedText(30).default('api').describe('What `{user.source}` is filled with.'),
  })
  .meta({ id: 'ToolTry' })

export type ToolTry = z.output<typeof toolTry>

export const triedTool = z
  .object({
    status: z.enum(['ok', 'failed', 'unknown']),
    result: z.string().describe('What the model would read.'),
    duration_ms: z.number(),
    offers: z
      .array(
        z.object({
          name: z.string().describe("The server's own name for it, as in `allow`."),
          called: z.string().describe('The name by which models call it.'),
          description: z.string(),
          parameters: z.record(z.string(), z.unknown()),
          idempotent: z.boolean(),
          allowed: z.boolean(),
          problem: z
            .string()
            .nullable()
            .describe('Why models are not offered it; null: they are, if it is allowed.'),
        }),
      )
      .optional()
      .describe('Kind `mcp`: what the server offers, where no `tool` was named.'),
  })
  .meta({ id: 'ToolTried' })

export type TriedTool = z.output<typeof triedTool>
