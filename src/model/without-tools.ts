import { REQUEST_PERSON, SEARCH_DOCUMENTS } from './built-in-tools.ts'
import { type Model, ModelError, type ModelRequest } from './model.ts'
import { tryingAgain } from './trying-again.ts'

/** A model whose server may take no tools. */
export interface ToolTaker {
  model: Model
  /** Tells whether the server takes tools, as far as it is known. */
  takesTools(): boolean
}

/** The tools that a model can do without. */
const BUILT_IN: readonly unknown[] = [SEARCH_DOCUMENTS, REQUEST_PERSON]
/** The time after which tools are tried again: a server may have learned to take them. */
const REFUSED_MS = 3_600_000
/** The statuses with which servers refuse a field of a request. Other failures have to name tools. */
const OF_FIELDS = new Set([400, 422, 501])
const NAMES_TOOLS = /\btool|function[ _-]?call/i

/**
 * A model that is asked without the built-in tools when its server refuses tools, then and for an hour. A request with
 * other tools needs them, and fails.
 * @param now returns milliseconds from any fixed moment
 */
export function withoutTools(model: Model, now: () => number = () => performance.now()): ToolTaker {
  let refusedUntil = Number.NEGATIVE_INFINITY
  const takesTools = () => now() >= refusedUntil

  const asked = tryingAgain((request) => {
    const canDoWithout = hasOnlyBuiltIn(request)
    let isLeftOut = false
    let before = refusedUntil
    return {
      next() {
        isLeftOut = canDoWithout && !takesTools()
        return [model, isLeftOut ? leaveOut(request) : request]
      },
      failed(error) {
        if (!canDoWithout) throw error
        if (isLeftOut) {
          // The failure had another reason if the request fails without the tools as well.
          refusedUntil = before
          throw error
        }
        if (!mayRefuseTools(error)) throw error
        before = refusedUntil
        refusedUntil = now() + REFUSED_MS
      },
    }
  })
  return { model: asked, takesTools }
}

function hasOnlyBuiltIn({ parameters: { tools } }: ModelRequest): boolean {
  return (
    Array.isArray(tools) && tools.length > 0 && tools.every((tool) => BUILT_IN.includes(tool?.function?.name))
  )
}

function leaveOut({ parameters, ...request }: ModelRequest): ModelRequest {
  const { tools: _, tool_choice: __, parallel_tool_calls: ___, ...others } = parameters
  return { ...request, parameters: others }
}

/** Tells whether a failure of a request with tools may be for them. */
export function mayRefuseTools(error: unknown): boolean {
  if (!(error instanceof ModelError) || error.isContextExceeded) return false
  return OF_FIELDS.has(error.status ?? 0) || NAMES_TOOLS.test(error.said?.message ?? '')
}
