import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { uuidv7 } from '../lib/ids.ts'
import type { ModelMessage } from '../model/model.ts'
import { maskingTriedTurn } from '../privacy/mask/masking-conversation.ts'
import type { AgentRules } from '../rules/rules-of-agent.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { NO_HISTORY } from '../turns/history/read-history.ts'
import { newMessages } from '../turns/prompt.ts'
import { userText } from '../turns/prompt-text.ts'
import { rulesForTurns } from '../turns/rules-for-turn.ts'
import type { TriedAnswer } from '../turns/try/tried-answer.ts'
import { triedHistory } from '../turns/try/tried-history.ts'
import type { TryDependencies } from '../turns/try/try-dependencies.ts'
import { tryPrompt } from '../turns/try/try-prompt.ts'
import { collectUsed, type UsedTokens } from '../usage/used-tokens.ts'
import type { CaseParts, ToolResult } from './case.ts'
import { checkAnswers } from './check-answer.ts'
import type { Exchange } from './exchange.ts'
import { type Failure, failure } from './failure.ts'
import { type DialogueEnd, type DialogueTurn, holdDialogue, presentDialogue } from './hold-dialogue.ts'
import { type Measured, measureAnswers } from './measure-answers.ts'
import { pinnedEvaluators } from './pinned-evaluators.ts'
import { scriptedTools, toolScript } from './scripted-tools.ts'

export interface CaseDependencies extends Omit<TryDependencies, 'rulesFor' | 'isSpent'> {
  db: Kysely<Tables>
  engine: Engine
  evaluators: Evaluators
  rulesOf: (agent: Agent) => Promise<AgentRules | null>
  /** Returns the model that plays customers in the runs of an agent. */
  customerModelFor: (agent: Agent) => NamedModel
}

/** The answer in a test, with the failures that were found in it. */
export interface Said {
  response: string | null
  failures: Failure[]
  citations: { title: string; url: string | null }[]
  tools: { name: string; arguments: string }[]
}

interface CaseOutcome {
  said: Said
  /** Null: the case has no customer. */
  dialogue: Exchange[] | null
  measured: Omit<Measured, 'documents_changed'>
  model: string
  ms: number
}

/** A case, and the agents that take part in it. */
interface TestedCase {
  parts: CaseParts
  tags: Record<string, unknown>
  /** The agent with the settings of the run. */
  agent: Agent
  /** The agent as it is, whose model plays customers. */
  present: Agent
  /** The evaluators that the run has kept. */
  rows: readonly EvaluatorRow[]
}

/** The longest time for one answer, or for one message of a customer. */
const LIMIT_MS = 180_000
const LONGEST_RESPONSE = 8000
const LONGEST_ARGUMENTS = 2000
const MOST_TOOLS = 50

/**
 * Runs one case: answers its prompt as the playground would, or lets a customer talk with the agent, and checks the
 * answers. Nothing is stored, and only models are called: the case has the results of tools, and webhooks of evaluators
 * are left out.
 */
export async function runCase(
  { evaluators: all, rulesOf, customerModelFor, ...dependencies }: CaseDependencies,
  { parts, tags, agent, present, rows }: TestedCase,
  stopped: AbortSignal,
): Promise<CaseOutcome> {
  const { messages, customer, expectations, tool_results } = parts
  const evaluators = pinnedEvaluators(all, rows)
  const missed = new Set<string>()
  let tooLong: AbortSignal | undefined
  const conversationId = uuidv7(dependencies.clock())
  const started = performance.now()
  const trying: TryDependencies = {
    ...dependencies,
    // A budget does not stop a run, because half a run cannot be compared with others.
    isSpent: async () => false,
    rulesFor: rulesForTurns(dependencies, rulesOf, evaluators),
    toolsOf: scriptedFor(dependencies.toolsOf, tool_results, (name) => missed.add(name)),
  }
  const ofCustomer: ModelMessage = { role: 'user', content: JSON.stringify(customer ?? {}) }
  const told = [...messages, ofCustomer]
  const used: UsedTokens[] = []
  const turns: DialogueTurn[] = []
  const ended = (failures: Failure[]): CaseOutcome => {
    const answers = turns.map(({ answer }) => answer)
    return {
      said: saidIn(answers, failures),
      dialogue: customer ? presentDialogue(turns) : null,
      measured: measureAnswers(answers, expectations, used, agent.settings.prices),
      model: answers.at(-1)?.model ?? '',
      ms: Math.round(performance.now() - started),
    }
  }
  try {
    return await maskingTriedTurn(
      { agent, conversationId, history: NO_HISTORY, messages: told },
      async () => {
        const talked = await collectUsed(used, talk)
        return ended(await collectUsed(used, () => failuresOf(talked)))
      },
    )
  } catch (error) {
    if (stopped.aborted || !tooLong?.aborted) throw error
    return ended([failure('too_slow', { seconds: String(LIMIT_MS / 1000) })])
  }

  function limited(): AbortSignal {
    tooLong = AbortSignal.timeout(LIMIT_MS)
    return AbortSignal.any([stopped, tooLong])
  }

  async function talk(): Promise<DialogueEnd> {
    if (customer) {
      const found = customerModelFor(present)
      const player = found.isBuiltIn ? null : found
      return holdDialogue(customer, turns, { ask: askNext, player, signal: limited })
    }
    if (messages.length === 0) return { isDone: false, failure: failure('nothing_asked') }
    const prompt = { messages, tags, pageUrl: null, callsTools: true }
    const answer = await tryPrompt(trying, agent, prompt, limited())
    turns.push({ prompt: userText(newMessages(messages)), answer, ms: 0 })
    return { isDone: true, failure: null }
  }

  /** Answers the next message of a customer. */
  async function askNext(content: string): Promise<TriedAnswer> {
    const history = triedHistory(turns, agent.settings.history_limit)
    const prompt = {
      messages: [{ role: 'user' as const, content }],
      tags,
      pageUrl: null,
      callsTools: true,
      conversation: { id: conversationId, history },
    }
    return tryPrompt(trying, agent, prompt, limited())
  }

  async function failuresOf({ isDone, failure: why }: DialogueEnd): Promise<Failure[]> {
    if (why) return [why]
    const last = turns.at(-1)
    if (!last) return [failure('customer_silent')]
    const { error } = last.answer
    if (error) return [failure('model_failed', { message: error.message, reason: error.reason })]
    const answers = { all: turns.map(({ answer }) => answer), last: last.answer, isDone }
    const asked = turns.map(({ prompt }) => prompt).join('\n')
    const checking = {
      evaluators,
      rows,
      agent,
      prompt: asked,
      tags,
      at: dependencies.clock(),
      signal: limited(),
    }
    return [...withoutResult(missed), ...(await checkAnswers(expectations, answers, checking))]
  }
}

/** Offers the tools of an agent, which answer what the case says throughout its conversation. */
function scriptedFor(
  toolsOf: CaseDependencies['toolsOf'],
  results: readonly ToolResult[],
  missed: (name: string) => void,
): CaseDependencies['toolsOf'] {
  const script = toolScript(results, missed)
  return async (agent) => {
    const toolset = await toolsOf(agent)
    return toolset && scriptedTools(toolset, script)
  }
}

function withoutResult(names: ReadonlySet<string>): Failure[] {
  return [...names].map((name) => failure('no_result', { name }))
}

function saidIn(answers: readonly TriedAnswer[], failures: Failure[]): Said {
  const response = answers.at(-1)?.response ?? null
  const citations = answers.flatMap((answer) => answer.citations.map(({ title, url }) => ({ title, url })))
  const different = new Map(citations.map((one) => [JSON.stringify(one), one]))
  return {
    response: response === null ? null : response.slice(0, LONGEST_RESPONSE).toWellFormed(),
    failures,
    citations: [...different.values()],
    tools: answers
      .flatMap(({ trace }) => trace.tools)
      .slice(0, MOST_TOOLS)
      .map(({ name, arguments: args }) => ({
        name,
        arguments: args.slice(0, LONGEST_ARGUMENTS).toWellFormed(),
      })),
  }
}
