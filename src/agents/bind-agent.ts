import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import type { Server } from '../http/server.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { selectAgent } from './store.ts'

/** Has the routes of a scope work on the agent that `agent_id` in their path names: one of the team of who asks. */
export function bindAgent(scope: Server, db: Kysely<Tables>): void {
  scope.decorateRequest('caller')
  scope.addHook('onRequest', async (request) => {
    const { agent_id } = request.params as { agent_id: string }
    const [agent] = await selectAgent(db, { id: rowId(agent_id) })
    if (!agent || agent.team_id !== request.member.teamId) throw new ApiError('agent_not_found')
    request.caller = { ...request.member, agentId: agent.id }
  })
}
