import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../lib/untrusted-json.ts'
import { type Tool, ToolError, type Toolset } from '../tools/tool.ts'
import type { ToolResult } from './case.ts'

const NO_RESULT = 'the test case has no result for this call.'

/** Returns the result that a case has for a call; undefined: it has none. */
type ToolScript = (name: string, args: JsonObject) => string | undefined

/**
 * Gives the results of a case to the calls of its whole conversation: in their order, and the last again and again.
 * @param missed is called with the name of a tool that was called without a result
 */
export function toolScript(results: readonly ToolResult[], missed: (name: string) => void): ToolScript {
  const given = new Set<ToolResult>()
  return (name, args) => {
    const fitting = results.filter((one) => one.name === name && fits(one, args))
    const next = fitting.find((one) => !given.has(one)) ?? fitting.at(-1)
    if (next) given.add(next)
    else missed(name)
    return next?.result
  }
}

/** Offers the tools of an agent to a model, but calls none of them: a call gets the result that a script has for it. */
export function scriptedTools(toolset: Toolset, script: ToolScript): Toolset {
  return {
    list: async () =>
      (await toolset.list()).map((tool: Tool) => ({
        ...tool,
        // No tool is really called, so none requires a user.
        requires: 'none',
        async call(args) {
          const result = script(tool.name, args)
          if (result === undefined) throw new ToolError(NO_RESULT)
          return result
        },
      })),
  }
}

/** Tells whether a call has the arguments that a result is for. */
function fits({ arguments: wanted = {} }: ToolResult, args: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(args[name], value))
}
