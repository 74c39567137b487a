import { REQUEST_PERSON, SEARCH_DOCUMENTS } from './built-in-tools.ts'
import { doingWithout } from './doing-without.ts'
import { type Model, ModelError, type ModelRequest } from './model.ts'

/** A model whose server may take no tools. */
interface ToolTaker {
  model: Model
  /** Tells whether the server takes tools, as far as it is known. */
  takesTools(): boolean
}

/** The tools that a model can do without. */
const BUILT_IN: readonly unknown[] = [SEARCH_DOCUMENTS, REQUEST_PERSON]
/** The statuses with which servers refuse a field of a request. Other failures have to name tools. */
const OF_FIELDS = new Set([400, 422, 501])
const NAMES_TOOLS = /\btool|function[ _-]?call/i

/**
 * A model that is asked without the built-in tools when its server refuses tools, then and for an hour. A request with
 * other tools needs them, and fails.
 * @param now returns milliseconds from any fixed moment
 */
export function withoutTools(model: Model, now: () => number = () => performance.now()): ToolTaker {
  const mayRefuse = (error: unknown) => (mayRefuseTools(error) ? 'all' : false)
  const tools = { isIn: hasOnlyBuiltIn, leaveOut, mayRefuse, differs: false }
  const { model: asked, takes } = doingWithout(model, tools, now)
  return { model: asked, takesTools: takes }
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
