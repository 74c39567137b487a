import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { byCaller } from '../audit/by-caller.ts'
import { ApiError, invalidField } from '../errors.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { rights } from '../http/rights.ts'
import { boundedText, errors, idParam, optionalBody, single, time, timeFilter } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import type { Credentials } from './credentials.ts'
import { selectKeysPage, selectTokensPage } from './store.ts'
import type { ApiKeysTable, BearerTokensTable } from './tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  credentials: Credentials
}

const tags = ['credentials']
const config = { right: 'own' } as const
const agent = idParam('Agent id.')
const name = boundedText(200).trim().min(1)

export const keySchema = z
  .object({ id: z.int(), name: z.string(), created_at: time, revoked_at: time.nullable() })
  .meta({ id: 'ApiKey' })
export const tokenSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    right: z.enum(rights),
    created_at: time,
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .meta({ id: 'BearerToken' })
export const newKey = optionalBody(z.strictObject({ name: name.default('key') }))
export const newToken = optionalBody(
  z.strictObject({
    name: name.default('token'),
    right: z.enum(rights).default('manage'),
    expires_at: timeFilter.nullish().describe('Null or absent: it does not expire.'),
  }),
)
const shownOnce = z.string().describe('Shown this once.')
/** A new key or token with its text. */
export const newKeySchema = keySchema.extend({ api_key: shownOnce })
export const newTokenSchema = tokenSchema.extend({ bearer_token: shownOnce })

/** Adds the routes of a team's keys and tokens, for its owners. */
export function credentialRoutes(server: Server, { db, clock, credentials }: Dependencies): void {
  server.get(
    '/agents/:id/keys',
    {
      config,
      schema: {
        summary: "An agent's API keys, newest first",
        tags,
        params: agent,
        querystring: listQuery,
        response: { 200: listOf(keySchema), ...errors('agent_not_found') },
      },
    },
    async ({ member, params, query }) => {
      const agentId = await ownAgent(member.teamId, params.id)
      return presentPage(await selectKeysPage(db, agentId, query), presentKey)
    },
  )

  server.post(
    '/agents/:id/keys',
    {
      config,
      schema: {
        summary: 'Make an API key of an agent',
        tags,
        params: agent,
        body: newKey,
        response: { 201: single(newKeySchema), ...errors('agent_not_found') },
      },
    },
    async (request, reply) => {
      const { member, params, body } = request
      const agentId = await ownAgent(member.teamId, params.id)
      const made = await db.transaction().execute(async (db) => {
        const issued = await credentials.issueKey(db, agentId, body.name, byCaller(request))
        const keys = (await credentials.listKeys(agentId, db)) ?? []
        const row = keys.find(({ id }) => id === issued?.key_id)
        if (!issued || !row) throw new ApiError('agent_not_found')
        return { ...presentKey(row), api_key: issued.api_key }
      })
      return reply.code(201).send({ data: made })
    },
  )

  server.delete(
    '/agents/:id/keys/:key_id',
    {
      config,
      schema: {
        summary: 'Revoke an API key at once',
        tags,
        params: agent.extend({ key_id: z.string() }),
        response: { 204: z.null().describe('Revoked.'), ...errors('agent_not_found', 'key_not_found') },
      },
    },
    async (request, reply) => {
      const { member, params } = request
      const agentId = await ownAgent(member.teamId, params.id)
      const key = { id: rowId(params.key_id), agentId }
      if (!(await credentials.revokeKey(key, byCaller(request)))) throw new ApiError('key_not_found')
      return reply.code(204).send(null)
    },
  )

  server.get(
    '/tokens',
    {
      config,
      schema: {
        summary: "The team's bearer tokens, newest first",
        tags,
        querystring: listQuery,
        response: { 200: listOf(tokenSchema) },
      },
    },
    async ({ member, query }) => presentPage(await selectTokensPage(db, member.teamId, query), presentToken),
  )

  server.post(
    '/tokens',
    {
      config,
      schema: {
        summary: 'Make a bearer token of the team',
        tags,
        body: newToken,
        response: { 201: single(newTokenSchema) },
      },
    },
    async (request, reply) => {
      const { name, right, expires_at } = request.body
      const { teamId } = request.member
      const expiresAt = expires_at == null ? null : Date.parse(expires_at)
      if (expiresAt !== null && expiresAt <= clock())
        throw invalidField('expires_at', 'must be in the future')
      const made = await db.transaction().execute(async (db) => {
        const wish = { name, right, expiresAt }
        const issued = await credentials.issueToken(db, teamId, wish, byCaller(request))
        const tokens = (await credentials.listTokens(teamId, db)) ?? []
        const row = tokens.find(({ id }) => id === issued?.token_id)
        if (!issued || !row) throw new Error('a team that asks is not there')
        return { ...presentToken(row), bearer_token: issued.bearer_token }
      })
      return reply.code(201).send({ data: made })
    },
  )

  server.delete(
    '/tokens/:id',
    {
      config,
      schema: {
        summary: 'Revoke a bearer token at once',
        tags,
        params: idParam('Token id.'),
        response: { 204: z.null().describe('Revoked.'), ...errors('token_not_found') },
      },
    },
    async (request, reply) => {
      const token = { id: rowId(request.params.id), teamId: request.member.teamId }
      if (!(await credentials.revokeToken(token, byCaller(request)))) throw new ApiError('token_not_found')
      return reply.code(204).send(null)
    },
  )

  async function ownAgent(teamId: number, id: string): Promise<number> {
    const agentId = rowId(id)
    if ((await teamOfAgent(db, agentId)) !== teamId) throw new ApiError('agent_not_found')
    return agentId
  }
}

function presentKey({ id, name, created_at, revoked_at }: Selectable<ApiKeysTable>) {
  return { id, name, created_at, revoked_at }
}

function presentToken(row: Selectable<BearerTokensTable>): z.output<typeof tokenSchema> {
  const { id, name, created_at, expires_at, revoked_at } = row
  return { id, name, right: z.enum(rights).parse(row.right), created_at, expires_at, revoked_at }
}
