import type { Kysely } from 'kysely'
import { z } from 'zod'
import { operators } from '../conditions/condition.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { readRule } from './save-rule.ts'
import { selectRuleLog } from './store.ts'
import type { RuleLogRow, RuleRow } from './tables.ts'

const kinds = ['guardrail', 'cta', 'automation'] as const satisfies RuleRow['kind'][]
const outcomes = ['fired', 'failed'] as const satisfies RuleLogRow['outcome'][]
const reasons = ['evaluator_failed', 'failed', 'unknown'] as const satisfies RuleLogRow['reason'][]

export const ruleLogEntry = z
  .object({
    id: z.int(),
    at: time,
    outcome: z.enum(outcomes),
    reason: z
      .enum(reasons)
      .nullable()
      .describe(
        '`evaluator_failed`: an evaluator had no result; `failed`: an action failed; `unknown`: it is not known whether one did.',
      ),
    conversation_id: z.string(),
    completion_id: z.string().nullable().describe('Null: it ran on something at the desk.'),
    conditions: z
      .array(
        z.object({
          field: z.string(),
          op: z.enum(operators),
          held: z.boolean().nullable().describe('Null: it made no difference and was not looked at.'),
        }),
      )
      .describe("The comparisons of the rule's condition in their order, as the condition was then."),
    evaluator: z.object({ id: z.int(), name: z.string() }).nullable().describe('The evaluator that decided.'),
    evaluation: z.object({ score: z.number().nullable(), passed: z.boolean().nullable() }).nullable(),
  })
  .meta({ id: 'RuleLogEntry' })

export function ruleLogRoutes(server: Server, { db }: { db: Kysely<Tables> }): void {
  server.get(
    '/rules/:kind/:id/log',
    {
      config: { right: 'read' },
      schema: {
        summary: 'When a rule fired or failed, newest first',
        description: 'Kept for PARLEY_EVENT_DAYS days. Prompts on which a rule did nothing leave no entry.',
        params: z.object({ kind: z.enum(kinds), id: z.string().describe('Id of the rule.') }),
        querystring: listQuery,
        response: {
          200: listOf(ruleLogEntry),
          ...errors(...kinds.map((kind) => `${kind}_not_found` as const)),
        },
      },
    },
    async ({ caller, params, query }) => {
      const rule = await readRule(db, caller.agentId, params.kind, params.id)
      return presentPage(await selectRuleLog(db, rule.id, caller.scope, query), presentEntry)
    },
  )
}

function presentEntry(row: RuleLogRow): z.output<typeof ruleLogEntry> {
  const { id, at, outcome, reason, conversation_id, completion_id, conditions, evaluation } = row
  const said = evaluation === null ? {} : (JSON.parse(evaluation) as Partial<z.output<typeof ruleLogEntry>>)
  return {
    id,
    at,
    outcome,
    reason,
    conversation_id,
    completion_id,
    conditions:
      conditions === null ? [] : (JSON.parse(conditions) as z.output<typeof ruleLogEntry>['conditions']),
    evaluator: said.evaluator ?? null,
    evaluation: said.evaluation ?? null,
  }
}
