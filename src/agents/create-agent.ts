import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { type AgentSettings, defaultSettings } from './settings.ts'
import { insertAgent, insertTeam } from './store.ts'

/** Creates an agent, and a new team of the same name when no team is given. The caller opens the transaction. */
export async function createAgent(
  db: Kysely<Tables>,
  options: {
    name: string
    teamId: number | null
    teamName?: string
    settings?: Partial<AgentSettings>
    nowMs: number
  },
): Promise<{ agentId: number; teamId: number }> {
  const now = timestamp(options.nowMs)
  const teamId = options.teamId ?? (await insertTeam(db, options.teamName ?? options.name, now))
  const settings = JSON.stringify({ ...defaultSettings, ...options.settings })
  const agentId = await insertAgent(db, { team_id: teamId, name: options.name, settings, created_at: now })
  return { agentId, teamId }
}
