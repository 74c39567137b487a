import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import { fieldsOf } from '../conditions/evaluators-of.ts'
import { costOf, fieldsAskedBy } from '../evaluators/create-evaluators.ts'
import { listEvaluators } from '../evaluators/find-evaluator.ts'
import type { EvaluatorRow } from '../evaluators/tables.ts'
import { memo } from '../lib/memo.ts'
import type { Tables } from '../storage/tables.ts'
import type { AutomationSettings, CtaSettings, GuardrailSettings } from './schemas.ts'
import { selectActiveRules } from './store.ts'
import type { RuleRow } from './tables.ts'

/** An active rule with its settings. */
export type Rule<Settings> = Settings & { id: number; name: string }

/** The active rules of an agent, in order. Guardrails with cheap evaluators come first. */
export interface AgentRules {
  guardrails: Rule<GuardrailSettings>[]
  ctas: Rule<CtaSettings>[]
  /** The automations that run after answers. */
  automations: Rule<AutomationSettings>[]
  /** The automations that run on what happens at the desk. */
  deskAutomations: Rule<AutomationSettings>[]
  evaluators: Map<number, EvaluatorRow>
  /** True if any rule asks for the number of messages in a conversation, which takes a while to count. */
  countsMessages: boolean
}

/**
 * Reads the rules of agents, once for each version. A prompt reads nothing if the agent's rules have not changed, or if
 * the agent never had any.
 */
export function keepRules(db: Kysely<Tables>): (agent: Agent) => Promise<AgentRules | null> {
  const cached = memo<number, Promise<AgentRules | null>>()

  async function read(agentId: number): Promise<AgentRules | null> {
    const rows = await selectActiveRules(db, { agent_id: agentId })
    if (rows.length === 0) return null
    const evaluators = new Map((await listEvaluators(db, agentId)).map((row) => [row.id, row]))
    const cost = (guardrail: GuardrailSettings) => (isCostly(guardrail, evaluators) ? 1 : 0)
    const ctas = of<CtaSettings>(rows, 'cta')
    const all = of<AutomationSettings>(rows, 'automation')
    const automations = all.filter(({ on = 'response' }) => on === 'response')
    const fields = [
      ...[...ctas, ...all].flatMap(({ condition }) => (condition ? fieldsOf(condition) : [])),
      ...[...evaluators.values()].flatMap(fieldsAskedBy),
    ]
    return {
      guardrails: of<GuardrailSettings>(rows, 'guardrail').sort((a, b) => cost(a) - cost(b)),
      ctas,
      automations,
      deskAutomations: all.filter((one) => !automations.includes(one)),
      evaluators,
      countsMessages: fields.includes('message_count'),
    }
  }

  return async ({ id, rulesVersion }) =>
    rulesVersion === 0 ? null : cached(id, rulesVersion, () => read(id))
}

/** Tells whether a guardrail's evaluator asks something outside of this process. */
function isCostly({ evaluator_id }: GuardrailSettings, evaluators: AgentRules['evaluators']): boolean {
  const evaluator = evaluators.get(evaluator_id)
  return evaluator !== undefined && costOf(evaluator) === 'costly'
}

function of<Settings>(rows: RuleRow[], kind: RuleRow['kind']): Rule<Settings>[] {
  return rows
    .filter((row) => row.kind === kind)
    .map((row) => ({ ...(JSON.parse(row.settings) as Settings), id: row.id, name: row.name }))
}
