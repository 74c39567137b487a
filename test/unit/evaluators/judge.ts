import { type Agent, toAgent } from '../../../src/agents/agent.ts'
import { defaultSettings } from '../../../src/agents/settings.ts'
import type { Facts } from '../../../src/conditions/condition.ts'
import { factsOf, withFacts } from '../../../src/conditions/facts.ts'
import { createEvaluators, type Evaluators } from '../../../src/evaluators/create-evaluators.ts'
import type { Evaluation, EvaluatorInput, JudgeDependencies } from '../../../src/evaluators/evaluator.ts'
import { type KindName, kindOf } from '../../../src/evaluators/kinds.ts'
import { secretPlace } from '../../../src/evaluators/secret-place.ts'
import type { EvaluatorRow } from '../../../src/evaluators/tables.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'

const now = '2026-11-20T12:00:00.000Z'
const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'))

export const agent: Agent = toAgent({
  id: 1,
  team_id: 1,
  name: 'Guide',
  settings: JSON.stringify(defaultSettings),
  is_paused: 0,
  paused_at: null,
  resumed_at: null,
  rules_version: 0,
  deleted_at: null,
  rows_erased: 0,
  created_at: now,
})

/** An evaluator as it is stored; its settings are read as a request's are. A secret is sealed. */
export function evaluatorRow(
  kind: KindName,
  settings: Record<string, unknown>,
  row: Partial<EvaluatorRow> = {},
): EvaluatorRow {
  const id = row.id ?? 1
  const parsed = kindOf(kind).settings.parse(settings) as Record<string, unknown>
  const { secret } = parsed
  if (typeof secret === 'string') parsed.secret = box.sealFor(parsed.url as string, secret, secretPlace(id))
  return {
    id,
    agent_id: agent.id,
    name: 'An evaluator',
    kind,
    settings: JSON.stringify(parsed),
    threshold: kindOf(kind).threshold,
    invert: 0,
    on_error: 'fail',
    created_at: now,
    updated_at: now,
    ...row,
  }
}

type Dependencies = Pick<JudgeDependencies, 'modelFor' | 'modelFailed' | 'outbound' | 'redactionWork'>

/** Cheap evaluators call no server: these dependencies fail when they are called. */
const nobody: Dependencies = {
  modelFor: fail,
  modelFailed: () => {},
  outbound: { of: fail },
  redactionWork: startRedactionWork(),
}

function fail(): never {
  throw new Error('nobody may be called')
}

interface Around extends Partial<Dependencies> {
  facts?: Facts
  signal?: AbortSignal
}

/** Evaluators as the service makes them; dependencies that are not given fail when they are called. */
export function makeEvaluators(dependencies: Partial<Dependencies> = {}): Evaluators {
  return createEvaluators({ ...nobody, ...dependencies, box })
}

/** The input that the service gives evaluators for a text. */
export function inputOf(text: string, facts: Facts = {}): EvaluatorInput {
  return {
    text,
    facts: withFacts(factsOf({ prompt: text, timeZone: 'UTC', hours: null, at: Date.parse(now) }), facts),
    agent,
  }
}

/** Scores a text as the service does. */
export function evaluate(
  evaluator: EvaluatorRow,
  text: string,
  { facts = {}, signal = new AbortController().signal, ...dependencies }: Around = {},
): Promise<Evaluation> {
  return makeEvaluators(dependencies).evaluate(evaluator, inputOf(text, facts), signal)
}
