import { runTool } from './run-tool.ts'
import type { ToolTry, TriedTool } from './schemas.ts'
import type { ToolRow } from './tables.ts'
import { type ToolDependencies, toHttpTool } from './tools-of-agent.ts'

export const TRY_LIMIT_MS = 30_000

/** Calls a tool as a model would. Nothing is stored. Null when the client went away. */
export async function tryTool(
  dependencies: Omit<ToolDependencies, 'db'>,
  row: ToolRow,
  { arguments: args, user_id }: ToolTry,
  signal: AbortSignal,
): Promise<TriedTool | null> {
  const started = performance.now()
  const context = { signal, timeoutMs: TRY_LIMIT_MS, userId: async () => user_id }
  try {
    const outcome = await runTool(toHttpTool(dependencies, row), JSON.stringify(args), context)
    return { ...outcome, duration_ms: Math.round((performance.now() - started) * 10) / 10 }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
