import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../lib/untrusted-json.ts'
import { type Tool, ToolError, type Toolset } from '../tools/tool.ts'
import type { ToolResult } from './case.ts'

const NO_RESULT = 'the test case has no result for this call.'

/**
 * The tools of an agent as a model is offered them, none of which is called: what a case says is answered in their
 * place.
 * @param missed is told the name of a tool that was called without a result
 */
export function scriptedTools(
  toolset: Toolset,
  results: readonly ToolResult[],
  missed: (name: string) => void,
): Toolset {
  const given = new Set<ToolResult>()

  /** Results are given in their order, and the last again and again. */
  function resultOf(name: string, args: JsonObject): ToolResult | undefined {
    const fitting = results.filter((one) => one.name === name && fits(one, args))
    return fitting.find((one) => !given.has(one)) ?? fitting.at(-1)
  }

  return {
    list: async () =>
      (await toolset.list()).map((tool: Tool) => ({
        ...tool,
        // Nothing is called for anybody.
        requires: 'none',
        async call(args) {
          const result = resultOf(tool.name, args)
          if (!result) {
            missed(tool.name)
            throw new ToolError(NO_RESULT)
          }
          given.add(result)
          return result.result
        },
      })),
  }
}

/** Whether a call has the arguments that a result is for. */
function fits({ arguments: wanted = {} }: ToolResult, args: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(args[name], value))
}
