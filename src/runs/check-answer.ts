import type { Agent } from '../agents/agent.ts'
import { factsOf } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { foldText } from '../language/words/find-words.ts'
import { REQUEST_PERSON } from '../model/built-in-tools.ts'
import type { TriedAnswer } from '../turns/try/tried-answer.ts'
import type { Expectation } from './case.ts'
import { type Failure, failure } from './failure.ts'
import { asksOthers } from './pinned-evaluators.ts'
import { type Finds, rankPage } from './rank-page.ts'

interface Checking {
  evaluators: Evaluators
  /** The evaluators that the run has kept. */
  rows: readonly EvaluatorRow[]
  agent: Agent
  prompt: string
  tags: Record<string, unknown>
  at: number
  signal: AbortSignal
}

/** The answers of a case: one, or those of a conversation with a customer. */
interface Answers {
  all: readonly TriedAnswer[]
  last: TriedAnswer
  /** False if the customer had no turn left before it was done. */
  isDone: boolean
}

/** Finds the expectations that the answers of a case do not meet, and the reasons. */
export async function checkAnswers(
  expectations: readonly Expectation[],
  answers: Answers,
  checking: Checking,
): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const expectation of expectations) {
    const why = await whyNot(expectation, answers, checking)
    if (why !== null) failures.push({ ...why, expectation })
  }
  return failures
}

/** Returns why an expectation does not hold; null: it does. */
async function whyNot(
  expectation: Expectation,
  { all, last, isDone }: Answers,
  checking: Checking,
): Promise<Failure | null> {
  switch (expectation.kind) {
    case 'contains':
      return contain(expectation.answer === 'last' ? [last] : all, expectation.value)
        ? null
        : failure('not_contained')
    case 'not_contains':
      return contain(expectation.answer === 'last' ? [last] : all, expectation.value)
        ? failure('contained')
        : null
    case 'cites':
      return whyNotCited(expectation.value, all)
    case 'finds':
      return whyNotFound(expectation, all)
    case 'tool':
      return whyNotCalled(expectation.value, all)
    case 'asked_person':
      if (all.some(({ person_asked }) => person_asked) === expectation.value) return null
      return failure(expectation.value ? 'no_person_asked' : 'person_asked')
    case 'turns':
      if (isDone && all.length <= expectation.value) return null
      return failure('too_many_turns', { turns: String(Math.min(all.length, expectation.value)) })
    case 'abstains':
      if (abstains(last) === expectation.value) return null
      return failure(expectation.value ? 'answered' : 'not_answered')
    case 'evaluator':
      return whyNotPassed(expectation.value, last, checking)
  }
}

function contain(answers: readonly TriedAnswer[], wanted: string): boolean {
  return answers.some(({ response }) => foldText(response ?? '').includes(foldText(wanted)))
}

function whyNotCited(wanted: string, answers: readonly TriedAnswer[]): Failure | null {
  const citations = answers.flatMap((answer) => answer.citations)
  const names = citations.flatMap(({ title, url }) => (url === null ? [title] : [title, url]))
  if (names.some((name) => foldText(name).includes(foldText(wanted)))) return null
  const titles = citations.map(({ title }) => title.slice(0, 200))
  return titles.length === 0
    ? failure('cites_nothing')
    : failure('cites_others', { titles: titles.join(', ') })
}

function whyNotFound(wanted: Finds, answers: readonly TriedAnswer[]): Failure | null {
  if (rankAmong(wanted, answers) !== null) return null
  const titles = new Set(
    answers.flatMap(({ trace }) => trace.passages.map(({ title }) => title.slice(0, 200))),
  )
  if (titles.size === 0) return failure('nothing_given')
  return failure('others_given', { titles: [...titles].slice(0, 5).join(', ') })
}

/** Finds the best place that an expected page had for any of the answers. */
export function rankAmong(wanted: Finds, answers: readonly TriedAnswer[]): number | null {
  const ranks = answers.flatMap(({ trace }) => rankPage(wanted, trace.passages) ?? [])
  return ranks.length === 0 ? null : Math.min(...ranks)
}

function whyNotCalled(wanted: string, answers: readonly TriedAnswer[]): Failure | null {
  const tools = answers.flatMap(({ trace }) => trace.tools)
  if (tools.some(({ name }) => name === wanted)) return null
  const names = [...new Set(tools.map(({ name }) => name))]
  return names.length === 0
    ? failure('no_tool_called')
    : failure('other_tools_called', { names: names.join(', ') })
}

/**
 * Tells whether the agent had no answer. The built-in answerer says so itself; other models cite nothing then. It
 * has not abstained where the user asked for a person.
 */
function abstains({ answered, citations, person_asked, trace: { tools } }: TriedAnswer): boolean {
  if (person_asked && !tools.some(({ name }) => name === REQUEST_PERSON)) return false
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
    hours: agent.settings.hours,
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
