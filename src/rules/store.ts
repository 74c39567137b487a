import { type Kysely, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import type { Scope } from '../http/scope.ts'
import { ACTIVITY_MOST } from '../lib/activity.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { deleteSome } from '../storage/delete-some.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import { selectEach } from '../storage/select-each.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { namesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import { leasesOf } from '../work/lease.ts'
import { queueOf } from '../work/queue.ts'
import type { AutomationJobRow, RuleLogRow, RuleRow } from './tables.ts'

type Db = Kysely<Tables>

export const selectActiveRules = prepared((db, param: ParamOf<{ agent_id: number }>) =>
  db
    .selectFrom('rules')
    .selectAll()
    .where('agent_id', '=', param('agent_id'))
    .where('active', '=', 1)
    .orderBy('position')
    .orderBy('id'),
)

export async function selectRulesPage(
  db: Db,
  agentId: number,
  kind: RuleRow['kind'],
  request: PageRequest,
): Promise<Page<RuleRow>> {
  const query = db.selectFrom('rules').selectAll()
  return selectPage(db, { query, of: { agent_id: agentId, kind }, key: ['id'], order: 'desc' }, request)
}

export async function selectRule(
  db: Db,
  agentId: number,
  kind: RuleRow['kind'],
  id: number,
): Promise<RuleRow | undefined> {
  return db
    .selectFrom('rules')
    .selectAll()
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** Reads a rule and locks it until the transaction ends. */
export async function lockRule(db: Db, id: number): Promise<RuleRow | undefined> {
  return db.selectFrom('rules').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function insertRule(db: Db, row: Omit<RuleRow, 'id'>): Promise<number> {
  const { id } = await db.insertInto('rules').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateRule(
  db: Db,
  id: number,
  values: Partial<Pick<RuleRow, 'name' | 'active' | 'position' | 'settings' | 'on_event' | 'updated_at'>>,
): Promise<RuleRow> {
  return db.updateTable('rules').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteRule(db: Db, id: number): Promise<void> {
  await db.deleteFrom('rule_evaluators').where('rule_id', '=', id).execute()
  await db.deleteFrom('rules').where('id', '=', id).execute()
}

export async function writeRuleEvaluators(db: Db, ruleId: number, evaluatorIds: number[]): Promise<void> {
  await db.deleteFrom('rule_evaluators').where('rule_id', '=', ruleId).execute()
  if (evaluatorIds.length === 0) return
  await db
    .insertInto('rule_evaluators')
    .values(evaluatorIds.map((evaluator_id) => ({ rule_id: ruleId, evaluator_id })))
    .execute()
}

/** Counts that a CTA is shown in a conversation; returns nothing when it was already shown as often as allowed. */
export const countCta = prepared(
  (db, param: ParamOf<{ conversation_id: string; cta_id: number; most: number; shown_at: string }>) =>
    db
      .insertInto('cta_counts')
      .values({
        conversation_id: param('conversation_id'),
        cta_id: param('cta_id'),
        shown: 1,
        shown_at: param('shown_at'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['conversation_id', 'cta_id'])
          .doUpdateSet({ shown: sql`cta_counts.shown + 1`, shown_at: param('shown_at') })
          .where('cta_counts.shown', '<', param('most')),
      )
      .returning('cta_id'),
)

/** Deletes some of the counts of CTAs that were last shown before a time; returns the number of counts. */
export function deleteOldCtaCounts(db: Db, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('cta_counts')
    .select(['conversation_id', 'cta_id'])
    .where('shown_at', '<', before)
    .limit(limit)
  return deleteSome(db, 'cta_counts', ['conversation_id', 'cta_id'], old)
}

/** Deletes some of the jobs from before a time that are done or parked; returns the number of jobs. */
export function deleteEndedJobs(
  db: Db,
  table: 'automation_jobs' | 'desk_jobs',
  before: string,
  limit: number,
): Promise<number> {
  const ended = db
    .selectFrom(table)
    .select('id')
    .where(sql<boolean>`state <> 'waiting'`)
    .where('created_at', '<', before)
    .limit(limit)
  return deleteSome(db, table, ['id'], ended)
}

export const insertJob = prepared(
  (
    db,
    param: ParamOf<
      Pick<
        AutomationJobRow,
        'agent_id' | 'completion_id' | 'conversation_id' | 'facts' | 'runs' | 'created_at'
      >
    >,
  ) =>
    db.insertInto('automation_jobs').values({
      agent_id: param('agent_id'),
      completion_id: param('completion_id'),
      conversation_id: param('conversation_id'),
      facts: param('facts'),
      runs: param('runs'),
      state: 'waiting',
      due_at: param('created_at'),
      created_at: param('created_at'),
    }),
)

export const jobQueue = queueOf('automation_jobs', {
  ...byAgent,
  open: sql<boolean>`state = 'waiting'`,
  reopened: { state: 'waiting' },
})

const jobLeases = leasesOf('automation_jobs')

/** Claims the job of a response, within the transaction that stores both. */
export async function claimJobOf(
  db: Db,
  completionId: string,
  claim: { holder: string; nowMs: number },
): Promise<AutomationJobRow | undefined> {
  const job = db
    .selectFrom('automation_jobs')
    .select('id')
    .where('completion_id', '=', completionId)
    .where(sql<boolean>`state = 'waiting'`)
  const [claimed] = await jobLeases.claimOf(db, job, { ...claim, limit: 1 })
  return claimed
}

/** Writes the progress of a job. The caller holds its lease. */
export const writeProgress = prepared((db, param: ParamOf<Pick<AutomationJobRow, 'id' | 'runs' | 'state'>>) =>
  db
    .updateTable('automation_jobs')
    .set({ runs: param('runs'), state: param('state') })
    .where('id', '=', param('id')),
)

/** Ends a job that failed too often. The caller holds its lease. */
export async function parkJob(db: Db, { id }: Pick<AutomationJobRow, 'id'>): Promise<void> {
  await db.updateTable('automation_jobs').set({ state: 'parked' }).where('id', '=', id).execute()
}

/** Reads a page of the times when a rule fired or failed, newest first. */
export async function selectRuleLog(
  db: Db,
  ruleId: number,
  scope: Scope | null,
  request: PageRequest,
): Promise<Page<RuleLogRow>> {
  const query = db.selectFrom('rule_log').selectAll()
  const filters = scopeFilter(scope, (scope) => namesOneInScope(scope, 'rule_log.conversation_id'))
  return selectPage(db, { query, of: { rule_id: ruleId }, key: ['id'], order: 'desc', filters }, request)
}

interface RuleActivity {
  fired: number
  last_fired_at: string | null
}

/** Reads when some rules fired last, and how often. @param since the time from which firings are counted */
export function selectRuleActivity(
  db: Db,
  ids: readonly number[],
  since: string,
): Promise<Map<number, RuleActivity>> {
  return selectEach(
    db,
    ids,
    (id) => sql`
      (select cast(count(*) as integer) from (
        select 1 from rule_log where rule_id = ${id} and outcome = 'fired' and at >= ${since}
        limit ${sql.lit(ACTIVITY_MOST)}) as counted) as fired,
      (select max(at) from rule_log where rule_id = ${id} and outcome = 'fired') as last_fired_at`,
  )
}

/** Deletes some of the log of rules from before a time; returns the number of entries. */
export function deleteOldRuleLog(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('rule_log').select('id').where('at', '<', before).limit(limit)
  return deleteSome(db, 'rule_log', ['id'], old)
}
