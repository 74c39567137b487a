import type { Kysely } from 'kysely'
import type { Server } from '../http/server.ts'
import { bindScope } from '../lib/agent-scope.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { findTeamAgent } from './team.ts'

/** Binds the routes of a scope to the agent of `agent_id` in their path, which must belong to the caller's team. */
export function bindAgent(scope: Server, db: Kysely<Tables>): void {
  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request) => {
    const { agent_id } = request.params as { agent_id: string }
    const { member } = request
    const { id: agentId } = await findTeamAgent(db, member.teamId, rowId(agent_id))
    request.caller = { ...member, agentId }
    bindScope(agentId)
  })
}
