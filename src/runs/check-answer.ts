import type { Agent } from '../agents/agent.ts'
import { factsOf } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { foldText } from '../lib/words/find-words.ts'
import type { TriedAnswer } from '../turns/try-prompt.ts'
import type { Expectation } from './case.ts'
import { type Failure, failure } from './failure.ts'
import { asksOthers } from './pinned-evaluators.ts'

export interface Checking {
  evaluators: Evaluators
  /** The evaluators that the run has kept. */
  rows: readonly EvaluatorRow[]
  agent: Agent
  prompt: string
  tags: Record<string, unknown>
  at: number
  signal: AbortSignal
}

/** Finds the expectations that an answer does not meet, and the reasons. */
export async function checkAnswer(
  expectations: readonly Expectation[],
  answer: TriedAnswer,
  checking: Checking,
): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const expectation of expectations) {
    const why = await whyNot(expectation, answer, checking)
    if (why !== null) failures.push({ ...why, expectation })
  }
  return failures
}

/** Returns why an expectation does not hold; null: it does. */
async function whyNot(
  expectation: Expectation,
  answer: TriedAnswer,
  checking: Checking,
): Promise<Failure | null> {
  const text = foldText(answer.response ?? '')
  switch (expectation.kind) {
    case 'contains':
      return text.includes(foldText(expectation.value)) ? null : failure('not_contained')
    case 'not_contains':
      return text.includes(foldText(expectation.value)) ? failure('contained') : null
    case 'cites':
      return whyNotCited(expectation.value, answer)
    case 'tool':
      return whyNotCalled(expectation.value, answer)
    case 'abstains':
      if (abstains(answer) === expectation.value) return null
      return failure(expectation.value ? 'answered' : 'not_answered')
    case 'evaluator':
      return whyNotPassed(expectation.value, answer, checking)
  }
}

function whyNotCited(wanted: string, { citations }: TriedAnswer): Failure | null {
  const names = citations.flatMap(({ title, url }) => (url === null ? [title] : [title, url]))
  if (names.some((name) => foldText(name).includes(foldText(wanted)))) return null
  const titles = citations.map(({ title }) => title.slice(0, 200))
  return titles.length === 0
    ? failure('cites_nothing')
    : failure('cites_others', { titles: titles.join(', ') })
}

function whyNotCalled(wanted: string, { trace: { tools } }: TriedAnswer): Failure | null {
  if (tools.some(({ name }) => name === wanted)) return null
  const names = [...new Set(tools.map(({ name }) => name))]
  return names.length === 0
    ? failure('no_tool_called')
    : failure('other_tools_called', { names: names.join(', ') })
}

/** Tells whether the agent had no answer. The built-in answerer says so itself; other models cite nothing then. */
function abstains({ answered, citations }: TriedAnswer): boolean {
  return answered === null ? citations.length === 0 : !answered
}

async function whyNotPassed(
  id: number,
  { response, ...answer }: TriedAnswer,
  { evaluators, rows, agent, prompt, tags, at, signal }: Checking,
): Promise<Failure | null> {
  const row = rows.find((one) => one.id === id)
  if (!row) return failure('evaluator_missing', { id: String(id) })
  if (asksOthers(row)) return failure('evaluator_not_called', { name: row.name })
  const facts = factsOf({
    prompt,
    response,
    answered: answer.answered,
    retrievalScore: answer.trace.retrieval_score,
    finishReason: answer.finish_reason,
    tags,
    startedBy: 'api',
    at,
    timeZone: agent.settings.time_zone,
  })
  const { passed, score, error } = await evaluators.evaluate(
    row,
    { text: response ?? '', facts, agent },
    signal,
  )
  if (error && passed !== true) return failure('evaluator_failed', { name: row.name, reason: error.reason })
  if (passed) return null
  return failure('evaluator_not_found', { name: row.name, score: String(Number(score?.toFixed(3))) })
}
