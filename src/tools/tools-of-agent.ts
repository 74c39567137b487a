import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { memo } from '../lib/memo.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { httpTool } from './http/http-tool.ts'
import type { HttpSettings } from './schemas.ts'
import { openHeaders } from './secret-place.ts'
import { selectActiveTools } from './store.ts'
import type { ToolRow } from './tables.ts'
import type { Tool, Toolset } from './tool.ts'

export interface ToolDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

/** The tools of an agent; null when it has none. */
export type ToolsOf = (agent: Agent) => Promise<Toolset | null>

const AGENTS_KEPT = 1000

/**
 * Reads the tools of agents, once for each version of their rules. A prompt reads nothing if the agent never had a rule
 * or a tool.
 */
export function keepTools(dependencies: ToolDependencies): ToolsOf {
  const kept = memo<number, Promise<Toolset | null>>(AGENTS_KEPT)

  async function read(agentId: number): Promise<Toolset | null> {
    const rows = await selectActiveTools(dependencies.db, { agent_id: agentId })
    if (rows.length === 0) return null
    const tools = rows.map((row) => toHttpTool(dependencies, row))
    return { list: async () => tools }
  }

  return async ({ id, rulesVersion }) => (rulesVersion === 0 ? null : kept(id, rulesVersion, () => read(id)))
}

/** The tool that a row of the kind `http` describes. */
export function toHttpTool({ box, outbound }: Omit<ToolDependencies, 'db'>, row: ToolRow): Tool {
  return httpTool(outbound, {
    name: row.name,
    idempotent: row.idempotent === 1,
    settings: JSON.parse(row.settings) as HttpSettings,
    sealed: openHeaders(box, row),
  })
}
