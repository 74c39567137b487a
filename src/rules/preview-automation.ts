import type { Kysely } from 'kysely'
import { z } from 'zod'
import { presentSteps, previewActions, stepSchema } from '../actions/steps.ts'
import { readAgent } from '../agents/agent.ts'
import { fieldsOf } from '../conditions/evaluators-of.ts'
import { explainCondition } from '../conditions/explain-condition.ts'
import type { LockAssignee } from '../desk/assign.ts'
import type { Clock } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { hoursOf } from '../transcripts/conversations/hours-of.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { factsAtDesk } from './facts-at-desk.ts'
import type { AutomationSettings } from './schemas.ts'
import type { RuleRow } from './tables.ts'

export const automationPreview = z
  .object({
    automation: z.object({ id: z.int(), name: z.string() }),
    condition: z
      .looseObject({ held: z.boolean().nullable() })
      .nullable()
      .describe(
        'The condition with a `held` at each part, as it is now; null where that depends on an evaluator, which is not asked. Null: it has none.',
      ),
    actions: z.array(stepSchema),
  })
  .meta({ id: 'AutomationPreview' })

export interface PreviewDependencies {
  db: Kysely<Tables>
  clock: Clock
  lockAssignee: LockAssignee
}

/** Says what an automation would do in a conversation now. */
export async function previewAutomation(
  { db, clock, lockAssignee }: PreviewDependencies,
  conversation: ConversationRow,
  { id, name, settings }: RuleRow,
): Promise<z.output<typeof automationPreview>> {
  const { condition, actions } = JSON.parse(settings) as AutomationSettings
  const agent = await readAgent(db, conversation.agent_id)
  const nowMs = clock()
  const { facts } = await factsAtDesk(db, conversation, {
    countsMessages: condition !== null && fieldsOf(condition).includes('message_count'),
    timeZone: agent.settings.time_zone,
    hours: await hoursOf(db, conversation, agent.settings.hours),
    at: nowMs,
  })
  const steps = await previewActions(db, actions, (db) => ({
    db,
    conversation,
    completionId: null,
    person: null,
    lockAssignee,
    nowMs,
    actor: { kind: 'rule', id, name },
  }))
  return {
    automation: { id, name },
    condition: condition && explainCondition(condition, facts),
    actions: presentSteps(steps),
  }
}
