import { z } from 'zod'
import { time } from '../http/schemas.ts'
import { presentSecret, storedSecret } from '../http/stored-secret.ts'
import { recordVersion, versionOf } from '../http/version.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { requirementOf } from './requirement.ts'
import { method, type ToolKind } from './schemas.ts'
import { openHeaders } from './secret-place.ts'
import type { ToolRow } from './tables.ts'
import { requirements } from './tool.ts'

const answered = {
  requires: z.enum(requirements),
  restore: z.boolean(),
  headers: z
    .record(z.string(), storedSecret)
    .describe('Of each header only whether it is set, with its last four characters.'),
  version: recordVersion,
  created_at: time,
  updated_at: time,
}

const httpToolSchema = z
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
    ...answered,
  })
  .meta({ id: 'HttpTool' })

const mcpToolSchema = z
  .object({
    id: z.int(),
    kind: z.literal('mcp'),
    name: z.string(),
    active: z.boolean(),
    url: z.string(),
    allow: z.array(z.string()).nullable(),
    ...answered,
  })
  .meta({ id: 'McpTool' })

/** The schema of a tool in answers of the API. */
export const toolSchema = z.discriminatedUnion('kind', [httpToolSchema, mcpToolSchema]).meta({ id: 'Tool' })

type ToolAnswer = z.output<typeof toolSchema>

/** The fields that a kind has beside its settings and those of all tools. */
const ownFields: Record<ToolKind, (row: ToolRow) => object> = {
  http: ({ idempotent }) => ({ idempotent: idempotent === 1 }),
  mcp: () => ({}),
}

/** A tool as the API returns it. */
export function presentTool(row: ToolRow, box: SecretBox): ToolAnswer {
  const { id, kind, name, created_at, updated_at } = row
  const shown = Object.entries(openHeaders(box, row)).map(([name, value]) => [name, presentSecret(value)])
  return {
    id,
    kind,
    name,
    active: row.active === 1,
    ...ownFields[kind](row),
    ...JSON.parse(row.settings),
    requires: requirementOf(row),
    restore: row.restore === 1,
    headers: Object.fromEntries(shown),
    version: toolVersion(row),
    created_at,
    updated_at,
  } as ToolAnswer
}

export function toolVersion({ name, active, idempotent, requires, restore, settings, headers }: ToolRow) {
  return versionOf(name, active, idempotent, requires, restore, settings, headers)
}
