import { REQUEST_PERSON } from '../model/built-in-tools.ts'
import { type McpDependencies, toMcpServer } from './mcp/keep-mcp-servers.ts'
import type { McpServer } from './mcp/mcp-server.ts'
import { isOffered, type Offer } from './mcp/read-offer.ts'
import { modelNameOf } from './mcp/tool-names.ts'
import { requirementOf } from './requirement.ts'
import { runTool } from './run-tool.ts'
import type { McpSettings, ToolKind, ToolTry, TriedTool } from './schemas.ts'
import type { ToolRow } from './tables.ts'
import { type CallContext, ToolError } from './tool.ts'
import { toHttpTool } from './tools-of-agent.ts'

const TRY_LIMIT_MS = 30_000

/**
 * Calls a tool as a model would, or asks an MCP server what it offers. Stores nothing. Null when the client went away.
 */
export async function tryTool(
  dependencies: McpDependencies,
  row: ToolRow,
  wish: ToolTry,
  signal: AbortSignal,
): Promise<TriedTool | null> {
  const started = performance.now()
  const { user_id: id, user_source: source } = wish
  const user = id === null ? null : { source, id, provenId: id }
  const context = { signal, timeoutMs: TRY_LIMIT_MS, user }
  try {
    const ways = {
      http: () => runTool(toHttpTool(dependencies, row), JSON.stringify(wish.arguments), context),
      mcp: () => tryServer(toMcpServer(dependencies, row), row, wish, context),
    } satisfies Record<ToolKind, () => Promise<Tried>>
    const outcome = await ways[row.kind]()
    return { ...outcome, duration_ms: Math.round((performance.now() - started) * 10) / 10 }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

type Tried = Omit<TriedTool, 'duration_ms'>

/** Tries a server over a connection of its own, so that no turn loses its connection. */
async function tryServer(
  server: McpServer,
  row: ToolRow,
  { tool, arguments: args }: ToolTry,
  context: CallContext,
): Promise<Tried> {
  try {
    const offers = await server.list(context)
    if (tool === undefined) return listed(row, offers)
    const offer = offers.find(({ name }) => name === tool)
    if (!offer) return failed('the server offers no such tool.')
    if (offer.problem !== null) return failed(`the tool cannot be used: ${offer.problem}.`)
    const requires = requirementOf(row)
    const called = { ...offer, requires, restore: true, call: server.call.bind(null, offer.name) }
    return await runTool(called, JSON.stringify(args), context)
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ToolError)) throw error
    return failed(error.message)
  } finally {
    server.close()
  }
}

function listed({ name: server, settings }: ToolRow, offers: readonly Offer[]): Tried {
  const { allow } = JSON.parse(settings) as McpSettings
  const taken = new Set([REQUEST_PERSON])
  const shown = offers.map((offer) => {
    const called = modelNameOf(server, offer.name, taken)
    if (isOffered(offer, allow)) taken.add(called)
    return { ...offer, called, allowed: isOffered({ ...offer, problem: null }, allow) }
  })
  const usable = offers.filter((offer) => isOffered(offer, allow))
  return {
    status: 'ok',
    result: `${shown.length} tools are offered, ${usable.length} of them can be called.`,
    offers: shown,
  }
}

function failed(why: string): Tried {
  return { status: 'failed', result: `Error: ${why}` }
}
