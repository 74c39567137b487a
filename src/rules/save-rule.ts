import type { Kysely } from 'kysely'
import type { z } from 'zod'
import {
  checkAddresses,
  keepingSecrets,
  type RuleAction,
  sealActions,
  unsealActions,
} from '../actions/action.ts'
import { changeRules } from '../agents/rules-version.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { evaluatorsOf } from '../conditions/evaluators-of.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import { requireEvaluators } from '../evaluators/find-evaluator.ts'
import { parsePart } from '../http/schemas.ts'
import { refuseOutdated } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import {
  deskEventOf,
  type RuleKind,
  type RulePatch,
  ruleSchemas,
  ruleVersion,
  secretPlace,
} from './schemas.ts'
import { deleteRule, insertRule, lockRule, selectRule, updateRule, writeRuleEvaluators } from './store.ts'
import type { RuleRow } from './tables.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

type Rule = z.output<(typeof ruleSchemas)[RuleKind]>

const NOT_FOUND: Record<RuleKind, ErrorCode> = {
  guardrail: 'guardrail_not_found',
  cta: 'cta_not_found',
  automation: 'automation_not_found',
}

/** Reads a rule of an agent. @throws ApiError if there is none, or if it is another agent's */
export async function readRule(
  db: Kysely<Tables>,
  agentId: number,
  kind: RuleKind,
  id: string,
): Promise<RuleRow> {
  const row = await selectRule(db, agentId, kind, rowId(id))
  if (!row) throw new ApiError(NOT_FOUND[kind])
  return row
}

/** Returns a rule as a request for a new one would have it, with its secrets. */
export function wholeRule(row: RuleRow, box: SecretBox): Rule {
  return patched(row, {}, box)
}

/** Creates a rule. @throws ApiError invalid_request if an evaluator does not exist or an address is not allowed */
export async function createRule(
  { db, box, outbound }: SaveDependencies,
  agentId: number,
  kind: RuleKind,
  rule: Rule,
  now: string,
  by: TeamBy,
): Promise<RuleRow> {
  if ('actions' in rule) await checkAddresses(rule.actions, outbound)
  return db.transaction().execute(async (db) => {
    await changeRules(db, agentId)
    const { name, active, position, ...settings } = rule
    const id = await insertRule(db, {
      agent_id: agentId,
      kind,
      name,
      active: active ? 1 : 0,
      position,
      settings: '{}',
      on_event: deskEventOf(kind, settings),
      created_at: now,
      updated_at: now,
    })
    await keepEvaluators(db, agentId, id, rule)
    await record(db, { ...by, agentId, at: now, action: 'rule.created', target: `${kind} ${id}` })
    return updateRule(db, id, { settings: JSON.stringify(seal(settings, id, box)) })
  })
}

/**
 * Changes fields of a rule. The result is checked like a new rule.
 * @throws ApiError invalid_request, version_outdated, or the kind's `not_found` if the rule does not exist
 */
export async function changeRule(
  { db, box, outbound }: SaveDependencies,
  present: RuleRow,
  { version, ...patch }: RulePatch,
  now: string,
  by: TeamBy,
): Promise<RuleRow> {
  const wanted = patched(present, patch, box)
  if ('actions' in wanted) await checkAddresses(wanted.actions, outbound)
  return db.transaction().execute(async (db) => {
    await changeRules(db, present.agent_id)
    const locked = await lockRule(db, present.id)
    if (!locked) throw new ApiError(NOT_FOUND[present.kind])
    refuseOutdated(version, ruleVersion(locked))
    const rule = patched(locked, patch, box)
    const { name, active, position, ...settings } = rule
    await keepEvaluators(db, present.agent_id, present.id, rule)
    await record(db, {
      ...by,
      agentId: present.agent_id,
      at: now,
      action: 'rule.changed',
      target: `${present.kind} ${present.id}`,
      details: { changed: Object.keys(patch) },
    })
    return updateRule(db, present.id, {
      name,
      active: active ? 1 : 0,
      position,
      settings: JSON.stringify(seal(settings, present.id, box)),
      on_event: deskEventOf(present.kind, settings),
      updated_at: now,
    })
  })
}

/** Deletes a rule. @throws ApiError the kind's `not_found` if the rule does not exist */
export async function removeRule(
  db: Kysely<Tables>,
  { agent_id, id, kind }: RuleRow,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await changeRules(db, agent_id)
    if (!(await lockRule(db, id))) throw new ApiError(NOT_FOUND[kind])
    await deleteRule(db, id)
    const target = `${kind} ${id}`
    await record(db, { ...by, agentId: agent_id, at: now, action: 'rule.removed', target })
  })
}

/** Returns the rule with some of its fields changed. @throws ApiError invalid_request */
function patched(row: RuleRow, patch: Record<string, unknown>, box: SecretBox): Rule {
  const settings = unseal(JSON.parse(row.settings), row.id, box)
  const rule = parsePart(ruleSchemas[row.kind], {
    name: row.name,
    active: row.active === 1,
    position: row.position,
    ...settings,
    ...patch,
  })
  return 'actions' in rule && 'actions' in settings
    ? { ...rule, actions: keepingSecrets(rule.actions, settings.actions as typeof rule.actions) }
    : rule
}

/** Stores the evaluators that a rule uses, so that they cannot be deleted. They must exist. */
async function keepEvaluators(db: Kysely<Tables>, agentId: number, ruleId: number, rule: Rule) {
  const own = 'evaluator_id' in rule && rule.evaluator_id !== null ? [rule.evaluator_id] : []
  const inCondition = 'condition' in rule && rule.condition ? evaluatorsOf(rule.condition) : []
  await requireEvaluators(db, agentId, own, 'evaluator_id')
  await requireEvaluators(db, agentId, inCondition, 'condition')
  await writeRuleEvaluators(db, ruleId, [...new Set([...own, ...inCondition])])
}

function seal(settings: object, ruleId: number, box: SecretBox): object {
  return 'actions' in settings
    ? { ...settings, actions: sealActions(settings.actions as RuleAction[], box, secretPlace(ruleId)) }
    : settings
}

function unseal(settings: object, ruleId: number, box: SecretBox): object {
  return 'actions' in settings
    ? { ...settings, actions: unsealActions(settings.actions as RuleAction[], box, secretPlace(ruleId)) }
    : settings
}
