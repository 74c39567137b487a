import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { memo } from '../lib/memo.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { REQUEST_PERSON } from '../model/built-in-tools.ts'
import type { Tables } from '../storage/tables.ts'
import { httpTool } from './http/http-tool.ts'
import { keepMcpServers, type McpDependencies } from './mcp/keep-mcp-servers.ts'
import type { McpServer } from './mcp/mcp-server.ts'
import { isOffered } from './mcp/read-offer.ts'
import { modelNameOf } from './mcp/tool-names.ts'
import { requirementOf } from './requirement.ts'
import type { HttpSettings, McpSettings, ToolKind } from './schemas.ts'
import { openHeaders } from './secret-place.ts'
import { selectActiveTools } from './store.ts'
import type { ToolRow } from './tables.ts'
import type { Tool, Toolset } from './tool.ts'

interface ToolDependencies extends Omit<McpDependencies, 'http'> {
  db: Kysely<Tables>
  outbound: Pick<Outbound, 'of'>
}

/** Returns the tools of an agent; null when it has none. */
export type ToolsOf = (agent: Agent) => Promise<Toolset | null>

/**
 * Reads the tools of agents, once for each version of their rules. A prompt reads nothing if the agent never had a rule
 * or a tool. MCP servers are asked for their tools in each round, unless a recent list is known.
 */
export function keepTools({ db, outbound, ...others }: ToolDependencies): ToolsOf {
  const cached = memo<number, Promise<Toolset | null>>()
  const serverOf = keepMcpServers()

  async function read({ id, teamId }: Agent): Promise<Toolset | null> {
    const rows = await selectActiveTools(db, { agent_id: id })
    const dependencies = { ...others, http: outbound.of(teamId) }
    if (rows.length === 0) return null
    const serverIn = (row: ToolRow) => {
      const { allow } = JSON.parse(row.settings) as McpSettings
      // A server that was forgotten meanwhile is made anew.
      const server = () => serverOf(dependencies, row)
      return { name: row.name, requires: requirementOf(row), restore: row.restore === 1, allow, server }
    }
    const own: Tool[] = []
    const servers: ReturnType<typeof serverIn>[] = []
    const add: Record<ToolKind, (row: ToolRow) => unknown> = {
      http: (row) => own.push(toHttpTool(dependencies, row)),
      mcp: (row) => servers.push(serverIn(row)),
    }
    for (const row of rows) add[row.kind](row)
    if (servers.length === 0) return { list: async () => own }
    return {
      async list() {
        const offered = await Promise.all(
          servers.map(async ({ allow, server, ...others }) => toMcpTools(server(), allow, others)),
        )
        return withUniqueNames(own, offered.flat())
      },
    }
  }

  return async (agent) =>
    agent.rulesVersion === 0 ? null : cached(agent.id, agent.rulesVersion, () => read(agent))
}

/** The tool that a row of the kind `http` describes. */
export function toHttpTool({ box, http }: McpDependencies, row: ToolRow): Tool {
  return httpTool(http, {
    name: row.name,
    idempotent: row.idempotent === 1,
    requires: requirementOf(row),
    restore: row.restore === 1,
    settings: JSON.parse(row.settings) as HttpSettings,
    sealed: openHeaders(box, row),
  })
}

interface McpTool extends Tool {
  server: string
}

/** Returns the tools that a server offers and the model may call, by the server's own names. */
async function toMcpTools(
  server: McpServer,
  allow: string[] | null,
  { name, ...others }: Pick<Tool, 'name' | 'requires' | 'restore'>,
): Promise<McpTool[]> {
  const offers = (await server.offers()).filter((offer) => isOffered(offer, allow))
  return offers.map((offer) => ({
    ...offer,
    ...others,
    server: name,
    call: (args, context) => server.call(offer.name, args, context),
  }))
}

function withUniqueNames(own: readonly Tool[], offered: readonly McpTool[]): Tool[] {
  const taken = new Set([REQUEST_PERSON, ...own.map(({ name }) => name)])
  const named = offered.map(({ server, name, ...others }) => {
    const called = modelNameOf(server, name, taken)
    taken.add(called)
    return { ...others, name: called }
  })
  return [...own, ...named]
}
