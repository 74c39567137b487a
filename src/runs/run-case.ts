import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import type { AgentRules } from '../rules/rules-of-agent.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { newMessages } from '../turns/prompt.ts'
import { userText } from '../turns/prompt-text.ts'
import { rulesForTurns } from '../turns/rules-for-turn.ts'
import { type TriedAnswer, type TryDependencies, tryPrompt } from '../turns/try-prompt.ts'
import type { CaseParts } from './case.ts'
import { checkAnswer } from './check-answer.ts'
import { type Failure, failure } from './failure.ts'
import { pinnedEvaluators } from './pinned-evaluators.ts'
import { scriptedTools } from './scripted-tools.ts'

export interface CaseDependencies extends Omit<TryDependencies, 'rulesFor' | 'isSpent'> {
  db: Kysely<Tables>
  engine: Engine
  evaluators: Evaluators
  rulesOf: (agent: Agent) => Promise<AgentRules | null>
}

/** The answer in a test, with the failures that were found in it. */
export interface Said {
  response: string | null
  failures: Failure[]
  citations: { title: string; url: string | null }[]
  tools: { name: string; arguments: string }[]
}

export interface CaseOutcome {
  said: Said
  model: string
  ms: number
}

const LIMIT_MS = 180_000
const LONGEST_RESPONSE = 8000
const LONGEST_ARGUMENTS = 2000

/**
 * Runs one case: answers its prompt as the playground would, and checks the answer. Nothing is stored, and only the
 * model is called: the case has the results of tools, and webhooks of evaluators are left out.
 * @param agent with the settings of the run
 * @param rows the evaluators that the run has kept
 */
export async function runCase(
  { evaluators: all, rulesOf, ...dependencies }: CaseDependencies,
  agent: Agent,
  rows: readonly EvaluatorRow[],
  { messages, expectations, tool_results }: CaseParts,
  tags: Record<string, unknown>,
  stopped: AbortSignal,
): Promise<CaseOutcome> {
  const evaluators = pinnedEvaluators(all, rows)
  const missed = new Set<string>()
  const tooLong = AbortSignal.timeout(LIMIT_MS)
  const signal = AbortSignal.any([stopped, tooLong])
  const started = performance.now()
  const trying: TryDependencies = {
    ...dependencies,
    // A budget does not stop a run, because half a run cannot be compared with others.
    isSpent: async () => false,
    rulesFor: rulesForTurns(dependencies, rulesOf, evaluators),
    async toolsOf(agent) {
      const toolset = await dependencies.toolsOf(agent)
      return toolset && scriptedTools(toolset, tool_results, (name) => missed.add(name))
    },
  }
  const ms = () => Math.round(performance.now() - started)
  try {
    const prompt = { messages, tags, pageUrl: null, callsTools: true }
    const answer = await tryPrompt(trying, agent, prompt, signal)
    const asked = userText(newMessages(messages))
    const checking = { evaluators, rows, agent, prompt: asked, tags, at: dependencies.clock(), signal }
    const failures = answer.error
      ? [failure('model_failed', { message: answer.error.message, reason: answer.error.reason })]
      : [...withoutResult(missed), ...(await checkAnswer(expectations, answer, checking))]
    return { said: saidIn(answer, failures), model: answer.model, ms: ms() }
  } catch (error) {
    if (stopped.aborted || !tooLong.aborted) throw error
    const why = failure('too_slow', { seconds: String(LIMIT_MS / 1000) })
    return { said: { response: null, failures: [why], citations: [], tools: [] }, model: '', ms: ms() }
  }
}

function withoutResult(names: ReadonlySet<string>): Failure[] {
  return [...names].map((name) => failure('no_result', { name }))
}

function saidIn({ response, citations, trace }: TriedAnswer, failures: Failure[]): Said {
  return {
    response: response === null ? null : response.slice(0, LONGEST_RESPONSE).toWellFormed(),
    failures,
    citations: citations.map(({ title, url }) => ({ title, url })),
    tools: trace.tools.map(({ name, arguments: args }) => ({
      name,
      arguments: args.slice(0, LONGEST_ARGUMENTS).toWellFormed(),
    })),
  }
}
