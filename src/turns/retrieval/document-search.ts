import type { RetrievedContext } from '../../knowledge/search/retrieve-context.ts'
import { toObjects } from '../../lib/untrusted-json.ts'
import { SEARCH_DOCUMENTS } from '../../model/built-in-tools.ts'
import type { MarkedCitations } from '../../model/cite-marked.ts'
import { nameOf } from '../../model/only-offered.ts'
import { type Tool, ToolError } from '../../tools/tool.ts'
import type { AnswerDependencies, Answering } from '../answer/answering.ts'
import { wordFurther } from '../prompt/word-passages.ts'
import { MOST_QUERIES, SEARCH_QUERIES, SEARCH_QUERY, SEARCH_TOOL } from '../prompt/wording.ts'

/** The searches that a model makes by itself in one turn. */
export interface DocumentSearch {
  /** The built-in tool by which the model searches. */
  tool: Tool
  /** Tells whether a passage was found that is likely to fit. */
  fits(): boolean
  /** Returns the fit of the best passage that was found, from 0 to 1. */
  score(): number
}

/** The first passages of a turn, and what the model is asked beside them. */
interface FirstPassages {
  context: RetrievedContext
  parameters: Record<string, unknown>
  /** Gets the passages that are found, so that the answer can cite them. */
  marked: MarkedCitations
  /** The code of the marks around each passage. */
  code: string
}

/** The context from which there is room for the description of the tool, and for what it finds. */
const LEAST_CONTEXT = 2000
/** The most searches of a turn. Numbers of passages have two digits. */
const MOST_SEARCHES = 6
const LONGEST_QUERY = 500

const QUERIES = {
  type: 'object',
  properties: {
    query: { type: 'string', description: SEARCH_QUERY },
    queries: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MOST_QUERIES,
      description: SEARCH_QUERIES,
    },
  },
}

/** Prepares the searches of a turn; null: the model may not search. */
export function documentSearch(
  { searchFurther }: Pick<AnswerDependencies, 'searchFurther'>,
  answering: Answering,
  { context, parameters, marked, code }: FirstPassages,
): DocumentSearch | null {
  if (!maySearch(answering, context, parameters)) return null
  const { agent } = answering.turn
  const numbers = new Map(context.passages.map(({ id }, at) => [id, at + 1]))
  let score = 0
  let fits = false
  let left = MOST_SEARCHES
  let before: Promise<unknown> = Promise.resolve()

  async function search(queries: readonly string[]): Promise<string> {
    // The last of the first passages may have been left out for want of room, so the model has not seen them.
    const found = await searchFurther(agent, queries, (id) => marked.isShown(numbers.get(id) ?? 0))
    const first = marked.add(found.citations)
    for (const [at, { id }] of found.passages.entries()) numbers.set(id, first + at)
    score = Math.max(score, found.score)
    fits ||= found.fits
    const known = found.known.flatMap((id) => numbers.get(id) ?? [])
    return wordFurther(found, known, code, first)
  }

  return {
    fits: () => fits,
    score: () => score,
    tool: {
      name: SEARCH_DOCUMENTS,
      description: SEARCH_TOOL,
      parameters: QUERIES,
      idempotent: true,
      restore: true,
      requires: 'none',
      async call(args) {
        const queries = queriesOf(args)
        if (queries.length === 0) throw new ToolError('`query` is missing. Nothing was searched for.')
        if (left === 0) throw new ToolError('no more searches are made for this question.')
        left--
        // One after the other, so that no passage is given twice.
        const found = before.then(() => search(queries))
        before = found.catch(() => {})
        return found
      },
    },
  }
}

/**
 * Tells whether the model may search: there is more to be found than it is given, and the request leaves it the choice
 * of tools and brings none of the same name.
 */
function maySearch(
  { turn: { agent }, named }: Answering,
  { isWhole }: RetrievedContext,
  { tools, tool_choice, functions, function_call }: Record<string, unknown>,
): boolean {
  const { search_tool, context_tokens } = agent.settings
  if (!search_tool || context_tokens < LEAST_CONTEXT || !named.takesTools() || isWhole) return false
  if ((tool_choice ?? 'auto') !== 'auto' || functions !== undefined || function_call !== undefined)
    return false
  return !toObjects(tools).some((tool) => nameOf(tool) === SEARCH_DOCUMENTS)
}

function queriesOf({ query, queries = [] }: Record<string, unknown>): string[] {
  return [query, ...(queries as unknown[])]
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, LONGEST_QUERY).trim())
    .filter((text) => text !== '')
    .slice(0, MOST_QUERIES)
}
