import { newest } from '../../lib/newest.ts'
import type { TeamHttp } from '../../lib/outbound/outbound.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { McpSettings } from '../schemas.ts'
import { openHeaders } from '../secret-place.ts'
import type { ToolRow } from '../tables.ts'
import { type McpServer, mcpServer } from './mcp-server.ts'

/** The dependencies of one team's tools. */
export interface McpDependencies {
  box: SecretBox
  http: TeamHttp
  /** Called when a server cannot be asked what it offers. */
  mcpFailed?: (failure: { agentId: number; toolId: number; reason: string }) => void
}

const SERVERS_KEPT = 1000

/**
 * Keeps a connection to each server, with the last good list of what it offers, across turns. A changed server gets a
 * new connection; the old one closes by itself when it has been idle.
 */
export function keepMcpServers(): (dependencies: McpDependencies, row: ToolRow) => McpServer {
  const kept = newest<number, { version: string; server: McpServer }>(SERVERS_KEPT)
  return (dependencies, row) => {
    const version = JSON.stringify([row.settings, row.headers])
    const present = kept.get(row.id)
    if (present?.version === version) return present.server
    const server = toMcpServer(dependencies, row)
    kept.set(row.id, { version, server })
    return server
  }
}

/** The server that a row of the kind `mcp` describes. */
export function toMcpServer({ box, http, mcpFailed }: McpDependencies, row: ToolRow): McpServer {
  return mcpServer({
    http,
    url: (JSON.parse(row.settings) as McpSettings).url,
    sealed: openHeaders(box, row),
    failed: (reason) => mcpFailed?.({ agentId: row.agent_id, toolId: row.id, reason }),
  })
}
