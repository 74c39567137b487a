import { listAllAgents } from '../agents/agent.ts'
import { createAgent } from '../agents/create-agent.ts'
import { teamExists } from '../agents/team-of-agent.ts'
import { byCommandLine, record } from '../audit/record.ts'
import { openFoundation } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { type Command, requiredId, textOption, UsageError } from './command.ts'

export const agentsCreate: Command = {
  name: 'agents create',
  usage: '--name N [--team ID]',
  summary: 'Make an agent with an API key and a token, in a new team or in the one that --team names',
  options: { name: { type: 'string' }, team: { type: 'string' } },
  async run({ config, options, print }) {
    const name = textOption(options.name, '--name', '')
    if (!name) throw new UsageError('--name must be given')
    const team = options.team === undefined ? null : requiredId(options.team, '--team')
    await using foundation = await openFoundation(config)
    const { database, credentials, clock } = foundation
    const made = await database.db.transaction().execute(async (db) => {
      if (team !== null && !(await teamExists(db, team))) {
        throw new UsageError(`there is no team ${team}`)
      }
      const { agentId, teamId } = await createAgent(db, { name, teamId: team, nowMs: clock() })
      const act = { ...byCommandLine, teamId, agentId, at: timestamp(clock()) }
      await record(db, { ...act, action: 'agent.created', target: `agent ${agentId}` })
      const key = await credentials.issueKey(db, agentId, 'first key', byCommandLine)
      const own = { name: `for agent ${agentId}`, right: 'own', expiresAt: null } as const
      const token = await credentials.issueToken(db, teamId, own, byCommandLine)
      if (!key || !token) throw new Error('the agent got no credentials')
      return { team_id: teamId, agent_id: agentId, api_key: key.api_key, bearer_token: token.bearer_token }
    })
    print(made, [
      `Agent ${made.agent_id} "${name}" of team ${made.team_id}. These credentials are shown only once:`,
      `  API key       ${made.api_key}`,
      `  Bearer token  ${made.bearer_token}`,
    ])
    return 0
  },
}

export const agentsList: Command = {
  name: 'agents list',
  usage: '',
  summary: 'List all agents',
  async run({ config, print }) {
    await using foundation = await openFoundation(config)
    const agents = (await listAllAgents(foundation.database.db)).map((agent) => ({
      agent_id: agent.id,
      team_id: agent.teamId,
      name: agent.name,
      is_paused: agent.isPaused,
      created_at: agent.createdAt,
    }))
    print(
      agents,
      agents.map(({ agent_id, team_id, name, is_paused }) => [
        String(agent_id),
        `team ${team_id}`,
        name,
        ...(is_paused ? ['paused'] : []),
      ]),
    )
    return 0
  },
}
