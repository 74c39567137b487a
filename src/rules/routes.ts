import type { Kysely } from 'kysely'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import type { ErrorCode } from '../errors.ts'
import { listEvaluators } from '../evaluators/find-evaluator.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { activitySince } from '../lib/activity.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { changeRule, createRule, readRule, removeRule, type SaveDependencies } from './save-rule.ts'
import { presentRule, type RuleKind, ruleAnswers, rulePatch, ruleSchemas } from './schemas.ts'
import { selectRuleActivity, selectRulesPage } from './store.ts'
import type { RuleRow } from './tables.ts'

interface RuleDependencies extends SaveDependencies {
  db: Kysely<Tables>
  clock: Clock
}

/** Adds the endpoints of guardrails, calls to action and automations, which are the same for all. */
export function ruleRoutes(server: Server, dependencies: RuleDependencies): void {
  rulesOf(server, dependencies, 'guardrail', '/guardrails', 'guardrail_not_found')
  rulesOf(server, dependencies, 'cta', '/ctas', 'cta_not_found')
  rulesOf(server, dependencies, 'automation', '/automations', 'automation_not_found')
}

function rulesOf(
  server: Server,
  dependencies: RuleDependencies,
  kind: RuleKind,
  path: string,
  notFound: ErrorCode,
): void {
  const { db, box, clock } = dependencies
  const answer = single(ruleAnswers[kind])
  const params = idParam(`Id of the ${kind}.`)
  const evaluatorsOf = async (agentId: number) =>
    kind === 'guardrail' ? await listEvaluators(db, agentId) : []
  const present = async (row: RuleRow) => presentRule(row, box, await evaluatorsOf(row.agent_id))

  server.post(
    path,
    {
      config: { right: 'manage' },
      schema: {
        summary: `Make a rule: ${kind}`,
        body: ruleSchemas[kind],
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = timestamp(clock())
      const rule = await createRule(dependencies, caller.agentId, kind, body, now, byCaller(request))
      return reply.code(201).send({ data: await present(rule) })
    },
  )

  server.get(
    path,
    {
      config: { right: 'read' },
      schema: {
        summary: `The agent's rules, newest first: ${kind}`,
        querystring: listQuery,
        response: { 200: listOf(ruleAnswers[kind]) },
      },
    },
    async ({ caller, query }) => {
      const rules = await selectRulesPage(db, caller.agentId, kind, query)
      const ids = rules.rows.map(({ id }) => id)
      const [evaluators, activity] = await Promise.all([
        evaluatorsOf(caller.agentId),
        selectRuleActivity(db, ids, activitySince(clock())),
      ])
      return presentPage(rules, (row) => ({
        ...presentRule(row, box, evaluators),
        activity: activity.get(row.id),
      }))
    },
  )

  server.get(
    `${path}/:id`,
    {
      config: { right: 'read' },
      schema: {
        summary: `A rule: ${kind}`,
        params,
        response: { 200: answer, ...errors(notFound) },
      },
    },
    async ({ caller, params: { id } }) => ({
      data: await present(await readRule(db, caller.agentId, kind, id)),
    }),
  )

  server.patch(
    `${path}/:id`,
    {
      config: { right: 'manage' },
      schema: {
        summary: `Change a rule field by field: ${kind}`,
        params,
        body: rulePatch,
        response: { 200: answer, ...errors(notFound, 'version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const rule = await readRule(db, caller.agentId, kind, params.id)
      const changed = await changeRule(dependencies, rule, body, timestamp(clock()), byCaller(request))
      return { data: await present(changed) }
    },
  )

  deleteRoute(
    server,
    `${path}/:id`,
    'manage',
    { summary: `Delete a rule: ${kind}`, params, response: errors(notFound) },
    async ({ caller, params }, by) => {
      const rule = await readRule(db, caller.agentId, kind, params.id)
      await removeRule(db, rule, timestamp(clock()), by)
    },
  )
}
