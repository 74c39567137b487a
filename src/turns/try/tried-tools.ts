import type { Agent } from '../../agents/agent.ts'
import type { ToolOutcome } from '../../tools/run-tool.ts'
import { type Tool, ToolError, type Toolset } from '../../tools/tool.ts'
import { requestPersonTool } from '../calls/request-person.ts'
import { type CallLog, type TurnTools, turnTools } from '../calls/turn-tools.ts'

/** A call as the trace of the playground shows it. */
export interface TriedCall {
  id: string
  name: string
  arguments: string
  result: string
  status: ToolOutcome['status'] | 'not_called'
  round: number
  ms: number
}

/** A number that is greater than the calls of any round. */
const ROUND_PLACES = 1_000_000

const NOT_CALLED =
  'this tool is not called in the playground, because you may only look: it needs the right to manage, or a person ' +
  'who may respond.'

/**
 * Creates the tools that the model may call in a turn that is not stored, and a record of its calls. Asks no person.
 */
export function triedTools(
  toolset: Toolset | null,
  agent: Agent,
  callsTools: boolean,
  signal: AbortSignal,
): { toolsFor: (search: Tool | null) => TurnTools | null; calls: TriedCall[] } {
  const calls: TriedCall[] = []
  // The calls of a round are listed in the order in which the model made them, not in which they ended.
  const places: number[] = []
  const harmless = (tool: Tool): Tool =>
    callsTools
      ? tool
      : {
          ...tool,
          async call() {
            throw new ToolError(NOT_CALLED)
          },
        }
  const log: CallLog = {
    begin: async (round, begun) => begun.map((_, at) => round * ROUND_PLACES + at),
    async end(round, place, { id, function: { name, arguments: args } }, { status, result }, ms) {
      const isCalled = !result.includes(NOT_CALLED)
      const rounded = Math.round(ms * 10) / 10
      const at = places.filter((other) => other < (place ?? 0)).length
      places.splice(at, 0, place ?? 0)
      calls.splice(at, 0, {
        id,
        name,
        arguments: args,
        result,
        status: isCalled ? status : 'not_called',
        round,
        ms: rounded,
      })
      return true
    },
  }
  return {
    calls,
    toolsFor(search) {
      if (!toolset && !agent.settings.handoff && !search) return null
      return turnTools({
        toolset: toolset && { list: async () => (await toolset.list()).map(harmless) },
        requestPerson: agent.settings.handoff ? requestPersonTool(async () => {}) : null,
        search,
        log,
        earlier: null,
        user: null,
        signal,
      })
    },
  }
}
