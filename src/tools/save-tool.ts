import type { Kysely } from 'kysely'
import { requireRoom } from '../agents/require-room.ts'
import { changeRules } from '../agents/rules-version.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr, invalidField } from '../errors.ts'
import { checkAddress } from '../http/check-address.ts'
import { parsePart } from '../http/schemas.ts'
import { refuseOutdated } from '../http/version.ts'
import { originOf } from '../lib/outbound/http-address.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { unlessTaken } from '../storage/unless-taken.ts'
import { idempotenceOf, isSafe } from './idempotence.ts'
import { toolVersion } from './present-tool.ts'
import { requirementFor, requirementOf } from './requirement.ts'
import {
  type HttpSettings,
  httpSettings,
  type McpSettings,
  MOST_HEADERS,
  mcpSettings,
  type NewTool,
  type ToolPatch,
} from './schemas.ts'
import { openHeaders, sealHeaders } from './secret-place.ts'
import { countTools, deleteToolRow, insertTool, lockTool, updateToolRow } from './store.ts'
import type { ToolRow } from './tables.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
  box: SecretBox
  outbound: Outbound
}

/** @throws ApiError tool_name_taken, too_many_tools, invalid_request when its address may not be called */
export async function createTool(
  { db, engine, box, outbound }: SaveDependencies,
  agentId: number,
  wish: NewTool,
  now: string,
  by: TeamBy,
): Promise<ToolRow> {
  await checkTarget(outbound, wish.url)
  const { kind, name, active, headers, requires, restore, ...others } = wish
  const { idempotent: _, ...settings } = { idempotent: undefined, ...others }
  const required = requirementFor(kind, settings, requires)
  return unlessTaken(engine, 'tool_name_taken', 'name', () =>
    db.transaction().execute(async (db) => {
      await requireRoom(db, agentId, 'tools', () => countTools(db, agentId))
      await changeRules(db, agentId)
      const row = await insertTool(db, {
        agent_id: agentId,
        name,
        kind,
        active: active ? 1 : 0,
        idempotent: idempotenceOf(wish) ? 1 : 0,
        requires: required,
        restore: restore ? 1 : 0,
        settings: JSON.stringify(settings),
        headers: null,
        created_at: now,
        updated_at: now,
      })
      await recordAct(db, row, 'tool.created', now, by)
      const sealed = sealHeaders(box, row.id, wish.url, withoutNulls(headers))
      return sealed === null ? row : updateToolRow(db, row.id, { headers: sealed })
    }),
  )
}

/**
 * Merges a patch into a tool. An address of another origin drops the headers that were saved with the present one.
 * @throws ApiError tool_not_found, tool_name_taken, version_outdated, or invalid_request when the result is not valid
 */
export async function updateTool(
  { db, engine, box, outbound }: SaveDependencies,
  agentId: number,
  id: number,
  { version, ...patch }: ToolPatch,
  now: string,
  by: TeamBy,
): Promise<ToolRow> {
  if (patch.url !== undefined) await checkTarget(outbound, patch.url)
  const { name, active, idempotent, headers, requires, restore, ...changes } = patch
  return unlessTaken(engine, 'tool_name_taken', 'name', () =>
    db.transaction().execute(async (db) => {
      await changeRules(db, agentId)
      const row = foundOr(await lockTool(db, agentId, id), 'tool_not_found')
      refuseOutdated(version, toolVersion(row))
      const merged = { ...JSON.parse(row.settings), ...changes }
      const { settings, isIdempotent } = readPatched(row, merged, idempotent)
      const mergedHeaders = withoutNulls({ ...openHeaders(box, row, settings.url), ...headers })
      if (Object.keys(mergedHeaders).length > MOST_HEADERS)
        throw invalidField('headers', `holds more than ${MOST_HEADERS} headers with those that are stored.`)
      const sealed = sealHeaders(box, id, settings.url, mergedHeaders)
      await recordAct(db, row, 'tool.changed', now, by, Object.keys(patch))
      return updateToolRow(db, id, {
        name: name ?? row.name,
        active: active === undefined ? row.active : active ? 1 : 0,
        idempotent: isIdempotent ? 1 : 0,
        requires: requirementFor(row.kind, settings, requires, requirementOf(row)),
        restore: restore === undefined ? row.restore : restore ? 1 : 0,
        settings: JSON.stringify(settings),
        headers: sealed,
        updated_at: now,
      })
    }),
  )
}

/** @throws ApiError tool_not_found */
export async function deleteTool(
  { db }: Pick<SaveDependencies, 'db'>,
  agentId: number,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await changeRules(db, agentId)
    const row = foundOr(await lockTool(db, agentId, id), 'tool_not_found')
    await deleteToolRow(db, id)
    await recordAct(db, row, 'tool.removed', now, by)
  })
}

/**
 * Reads what a patch makes of a tool. A patch of the method makes it as idempotent as the method is.
 * @throws ApiError invalid_request for a field that is not of the tool's kind
 */
function readPatched(
  row: ToolRow,
  merged: object,
  idempotent: boolean | undefined,
): { settings: HttpSettings | McpSettings; isIdempotent: boolean } {
  switch (row.kind) {
    case 'http': {
      const settings = parsePart(httpSettings, merged) as HttpSettings
      const { method } = JSON.parse(row.settings) as HttpSettings
      const unsaid = method === settings.method ? row.idempotent === 1 : isSafe(settings)
      return { settings, isIdempotent: idempotent ?? unsaid }
    }
    case 'mcp': {
      const given = idempotent === undefined ? merged : { ...merged, idempotent }
      return { settings: parsePart(mcpSettings, given), isIdempotent: false }
    }
  }
}

/** Checks the origin of a template, which is literal. The schema refuses a template without one. */
async function checkTarget(outbound: Outbound, url: string): Promise<void> {
  const origin = originOf(url)
  if (origin !== null) await checkAddress(outbound, 'url', origin)
}

function withoutNulls(headers: Record<string, string | null>): Record<string, string> {
  const set = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null)
  return Object.fromEntries(set)
}

async function recordAct(
  db: Kysely<Tables>,
  { id, agent_id }: ToolRow,
  action: 'tool.created' | 'tool.changed' | 'tool.removed',
  at: string,
  by: TeamBy,
  changed?: string[],
): Promise<void> {
  const details = changed === undefined ? {} : { details: { changed } }
  await record(db, { ...by, agentId: agent_id, at, action, target: `tool ${id}`, ...details })
}
