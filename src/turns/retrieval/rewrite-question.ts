import { createHash } from 'node:crypto'
import type { Agent } from '../../agents/agent.ts'
import type { NamedModel } from '../../agents/model-of-agent.ts'
import type { DocumentLanguages } from '../../knowledge/search/document-languages.ts'
import { newest } from '../../lib/newest.ts'
import { completeInSpan } from '../../model/complete-in-span.ts'
import { ModelError, type ModelMessage, refusesParameters } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { type AskedQuestion, gainsByRewrite } from './gains-by-rewrite.ts'
import { queriesIn, rewriteRequest, TITLES_READ } from './rewrite-request.ts'

/** The outcome of putting a question into queries. */
export interface Rewriting {
  /** None if the question is searched for as it stands. */
  queries: string[]
  /** The reason why there are no queries; null: there are. */
  failure: RewriteFailure | null
}

export const rewriteFailures = ['failed', 'timeout', 'empty', 'resting'] as const

type RewriteFailure = (typeof rewriteFailures)[number]

/** Puts a question into queries for the search; null: there is nothing to gain, or the agent does not want it. */
export type RewriteQuestion = (
  asked: AskedQuestion & { agent: Agent },
  signal: AbortSignal,
) => Promise<Rewriting | null>

interface Dependencies {
  /** The model that answers for the agent. */
  modelFor: (agent: Agent) => Pick<NamedModel, 'takesTools'>
  /** The same model, for this purpose. */
  rewriterFor: (agent: Agent) => NamedModel
  languagesOf: DocumentLanguages
  /** Lists titles of the agent's documents. */
  titlesOf: (agentId: number, most: number) => Promise<string[]>
  modelFailed: (agentId: number, error: ModelError) => void
  /** Returns milliseconds from any fixed moment. */
  now?: () => number
  timeoutMs?: number
}

/** The longest time for which an answer waits for queries. */
const TIMEOUT_MS = 5000
/** The time for which a model that failed is not asked, so that it delays few answers. */
const REST_MS = 60_000
const KEPT = 1000
/** The time for which queries are kept: they say again what was said, which may be redacted meanwhile. */
const KEPT_MS = 10 * 60_000
/** The most tokens of queries, with room for the thoughts of some models. */
const MOST_TOKENS = 400

/**
 * Creates the rewriter. Queries are kept in memory for minutes, for the same end of a conversation. When the model fails
 * or is slow, the question is searched for as it stands.
 */
export function rewritesQuestions({
  modelFor,
  rewriterFor,
  languagesOf,
  titlesOf,
  modelFailed,
  now = () => performance.now(),
  timeoutMs = TIMEOUT_MS,
}: Dependencies): RewriteQuestion {
  const kept = newest<string, string[]>(KEPT)
  const keep = (key: string, queries: string[]) => kept.set(key, queries, KEPT_MS)
  const resting = newest<number, number>(KEPT)
  /** Agents whose model takes no bound of its tokens under this name. */
  const unbounded = newest<number, true>(KEPT)

  async function ask(agent: Agent, messages: ModelMessage[], signal: AbortSignal): Promise<string> {
    const rewriter = rewriterFor(agent)
    const isBounded = !unbounded.get(agent.id)
    const parameters = isBounded ? { temperature: 0, max_tokens: MOST_TOKENS } : {}
    try {
      const request = { model: rewriter.name, messages, parameters }
      return textOfContent((await completeInSpan(rewriter, request, signal)).content)
    } catch (error) {
      if (!refusesParameters(error) || !isBounded) throw error
      unbounded.set(agent.id, true)
      return ask(agent, messages, signal)
    }
  }

  return async (asked, signal) => {
    const { agent } = asked
    const { rewrite } = agent.settings
    if (rewrite === 'off' || (rewrite === 'auto' && modelFor(agent).takesTools())) return null
    const languages = await languagesOf(agent.id)
    if (!gainsByRewrite(asked, languages)) return null
    const messages = rewriteRequest(asked, languages, await titlesOf(agent.id, TITLES_READ))
    // The key holds the conversation only as a hash.
    const key = createHash('sha256')
      .update(`${agent.id} ${JSON.stringify(messages)}`)
      .digest('base64url')
    const known = kept.get(key)
    if (known) return { queries: known, failure: null }
    if (now() < (resting.get(agent.id) ?? Number.NEGATIVE_INFINITY))
      return { queries: [], failure: 'resting' }
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const queries = queriesIn(await ask(agent, messages, AbortSignal.any([signal, timeout])))
      if (queries.length === 0) return { queries, failure: 'empty' }
      keep(key, queries)
      return { queries, failure: null }
    } catch (error) {
      signal.throwIfAborted()
      if (!timeout.aborted && !(error instanceof ModelError)) throw error
      resting.set(agent.id, now() + REST_MS)
      if (error instanceof ModelError) modelFailed(agent.id, error)
      return { queries: [], failure: timeout.aborted ? 'timeout' : 'failed' }
    }
  }
}
