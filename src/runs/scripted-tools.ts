import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../lib/untrusted-json.ts'
import { type Tool, ToolError, type Toolset } from '../tools/tool.ts'
import type { ToolResult } from './case.ts'

const NO_RESULT = 'the test case has no result for this call.'

/**
 * Offers the tools of an agent to a model, but calls none of them: a call gets the result that the case has for it.
 * @param missed is called with the name of a tool that was called without a result
 */
export function scriptedTools(
  toolset: Toolset,
  results: readonly ToolResult[],
  missed: (name: string) => void,
): Toolset {
  const given = new Set<ToolResult>()

  /** Finds the result of a call. Results are given in their order, and the last again and again. */
  function resultOf(name: string, args: JsonObject): ToolResult | undefined {
    const fitting = results.filter((one) => one.name === name && fits(one, args))
    return fitting.find((one) => !given.has(one)) ?? fitting.at(-1)
  }

  return {
    list: async () =>
      (await toolset.list()).map((tool: Tool) => ({
        ...tool,
        // No tool is really called, so none requires a user.
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

/** Tells whether a call has the arguments that a result is for. */
function fits({ arguments: wanted = {} }: ToolResult, args: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(args[name], value))
}
