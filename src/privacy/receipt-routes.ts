import type { Kysely } from 'kysely'
import { z } from 'zod'
import { findTeamAgent } from '../agents/team.ts'
import { ApiError } from '../errors.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { rowId } from '../lib/ids.ts'
import { findUser } from '../profiles/find-user.ts'
import { type Erasures, userSubject } from '../receipts/erasures.ts'
import { type SignedReceipt, signedReceiptSchema } from '../receipts/receipt.ts'
import { type FinishedErasure, selectErasures, selectSigned } from '../receipts/store.ts'
import { subjectText } from '../receipts/subject.ts'
import type { Tables } from '../storage/tables.ts'
import { findCompletion } from '../transcripts/completions/find-completion.ts'
import { COMPLETION_NAMED } from '../transcripts/completions/schemas.ts'
import { keysOfPerson } from '../users/person-store.ts'
import { USER_NAMED } from '../users/schemas.ts'
import { readSourcedId, readUserKey, type UserKey, writeSourcedId } from '../users/user-key.ts'

interface Dependencies {
  db: Kysely<Tables>
  erasures: Erasures
}

export const userErasure = signedReceiptSchema
  .extend({
    subject_key: z
      .string()
      .describe('With it, and the `source:id`, anybody can tell that the receipt is about this end user.'),
  })
  .meta({ id: 'UserErasure' })

/** Adds the routes by which an agent's receipts of erasures are read. */
export function receiptRoutes(server: Server, { db, erasures }: Dependencies): void {
  server.get(
    '/users/:id/erasures',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'The receipts of what was erased of an end user by a call, newest first',
        params: idParam(USER_NAMED),
        querystring: listQuery,
        response: { 200: listOf(userErasure), ...errors('user_not_found', 'user_ambiguous') },
      },
    },
    async ({ caller: { agentId }, params, query }) => {
      const { names, isKnown } = await namesOf(db, agentId, params.id)
      const subjectOf = (named: string) => subjectText(userSubject(erasures, agentId, named))
      const keys = new Map(names.map((named) => [subjectOf(named), erasures.subjectKey(agentId, named)]))
      const listOf = (named: string) => ({ agent_id: agentId, subject: subjectOf(named) })
      const [first, ...others] = names
      const found = await selectErasures(db, [listOf(first), ...others.map(listOf)], query)
      // Receipts outlive the person.
      if (!isKnown && found.total === 0) throw new ApiError('user_not_found')
      return presentPage(found, (row) => ({ ...present(row), subject_key: keys.get(row.subject) as string }))
    },
  )

  server.get(
    '/chat/completions/:id/erasure',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'The receipt of the erasure that redacted a completion last',
        params: idParam(COMPLETION_NAMED),
        response: {
          200: single(signedReceiptSchema),
          ...errors('completion_not_found', 'erasure_not_found'),
        },
      },
    },
    async ({ caller, params }) => {
      const { erasure_id } = await findCompletion(db, caller, params.id)
      const signed = erasure_id === null ? null : await selectSigned(db, erasure_id)
      if (signed === null) throw new ApiError('erasure_not_found')
      return { data: JSON.parse(signed) as SignedReceipt }
    },
  )
}

/** Adds the route by which owners read all receipts of an agent, also when it is deleted. */
export function agentReceiptRoutes(server: Server, { db }: Pick<Dependencies, 'db'>): void {
  server.get(
    '/agents/:id/erasures',
    {
      config: { right: 'own' },
      schema: {
        operationId: 'listAgentErasures',
        summary: 'All receipts of erasures of an agent, newest first; also of a deleted one',
        params: idParam('Agent id.'),
        querystring: listQuery,
        response: { 200: listOf(signedReceiptSchema), ...errors('agent_not_found') },
      },
    },
    async ({ member, params, query }) => {
      const of = { team_id: member.teamId, agent_id: rowId(params.id) }
      const found = await selectErasures(db, [of], query)
      // Receipts outlive the agent.
      if (found.total === 0) await findTeamAgent(db, of.team_id, of.agent_id)
      return presentPage(found, present)
    },
  )
}

function present({ signed }: FinishedErasure): SignedReceipt {
  return JSON.parse(signed as string) as SignedReceipt
}

/** Returns each `source:id` of the person whom an address names, who may not be known any more. */
async function namesOf(db: Kysely<Tables>, agentId: number, named: string) {
  const nameOf = (key: UserKey) => writeSourcedId(readUserKey(key))
  try {
    const [first, ...others] = await keysOfPerson(db, agentId, await findUser(db, { agentId }, named))
    return { names: [nameOf(first), ...others.map(nameOf)] as const, isKnown: true }
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'user_not_found')) throw error
    return {
      names: [writeSourcedId(readSourcedId(named) ?? { source: 'api', id: named })] as const,
      isKnown: false,
    }
  }
}
