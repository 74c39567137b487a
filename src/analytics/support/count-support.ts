import type { Kysely } from 'kysely'
import { readAgents } from '../../agents/agent.ts'
import { keepAgent } from '../../agents/keep-agent.ts'
import { hoursOfGroup } from '../../groups/store.ts'
import { timestamp } from '../../lib/clock.ts'
import { type Hours, openBetween } from '../../lib/hours/hours.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { type TargetsKept, targetsKept } from '../../targets/store.ts'
import { readSupportRecords, type SupportRecord } from '../../transcripts/doors/support-records.ts'
import { Changes } from './counts.ts'
import { countAlone, forgetRetries, holdTogether, retryQueue } from './retry-store.ts'
import type { SupportRetryRow, SupportRow } from './tables.ts'

type Db = Kysely<Tables>

/** The purpose of the lock under which an agent's figures of support are written. */
const SUPPORT = 35

/** The number of changes that one transaction counts. */
const AT_ONCE = 200

interface Dependencies {
  db: Db
  engine: Pick<Engine, 'lock' | 'isLocked' | 'isAway'>
}

/**
 * Locks an agent's figures for writing until the transaction ends, and keeps the agent from being deleted.
 * @returns false when it was deleted: then nothing more may be written for it
 */
export async function lockSupport(db: Db, engine: Pick<Engine, 'lock'>, agentId: number): Promise<boolean> {
  const isThere = await keepAgent(db, agentId)
  await engine.lock(db, SUPPORT, agentId)
  return isThere
}

/**
 * Counts what has changed in some conversations of an agent. When that fails, or the process ends meanwhile, each is
 * counted alone, so that one which cannot be counted does not hold up the others.
 */
export async function countPending(
  { db, engine, presence }: Dependencies & { presence: { id: string } },
  agentId: number,
  nowMs: number,
): Promise<void> {
  const locked = <T>(work: (db: Db, isThere: boolean) => Promise<T>) =>
    db.transaction().execute(async (db) => work(db, await lockSupport(db, engine, agentId)))
  const ids = await locked(async (db, isThere) => {
    const pending = await takePending(db, agentId)
    return isThere ? holdTogether(db, agentId, pending, { holder: presence.id, nowMs }) : []
  })
  if (ids.length === 0) return
  try {
    await locked(async (db, isThere) => {
      if (isThere) await countAnew(db, agentId, ids)
      await forgetRetries(db, ids)
    })
  } catch (error) {
    // Once nobody holds them any more, they are counted alone.
    if (engine.isAway(error) || engine.isLocked(error)) throw error
    await locked(async (db, isThere) => {
      if (isThere) await countAlone(db, agentId, ids, timestamp(nowMs))
    })
  }
}

/** Counts a conversation by itself, after counting it in a batch has failed. */
export async function countRetry(
  { db, engine }: Dependencies,
  row: Pick<SupportRetryRow, 'id' | 'lease' | 'agent_id' | 'conversation_id'>,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const isThere = await lockSupport(db, engine, row.agent_id)
    await retryQueue.end(db, row)
    if (isThere) await countAnew(db, row.agent_id, [row.conversation_id])
    await forgetRetries(db, [row.conversation_id])
  })
}

/** Takes changes out of the queue. @returns the ids of their conversations */
async function takePending(db: Db, agentId: number): Promise<string[]> {
  const pending = await db
    .selectFrom('support_pending')
    .select(['id', 'conversation_id'])
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  if (pending.length === 0) return []
  // A change that commits after this leaves a row of its own, which is counted later.
  await db
    .deleteFrom('support_pending')
    .where('agent_id', '=', agentId)
    .where(
      'id',
      'in',
      pending.map(({ id }) => id),
    )
    .execute()
  return [...new Set(pending.map(({ conversation_id }) => conversation_id))]
}

/**
 * Reads the facts of conversations from the record, and corrects the counts of those whose facts have changed. The
 * transaction holds the lock of `lockSupport`.
 * @returns the number of conversations whose facts had changed
 */
export async function countAnew(db: Db, agentId: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const before = await rowsOf(db, agentId, ids)
  const records = await readSupportRecords(db, agentId, ids)
  const hoursFor = await hoursOf(
    db,
    agentId,
    records.map(({ group_id }) => group_id),
  )
  const kept = await targetsKept(db, ids)
  const after = new Map(
    records.map((record) => [
      record.id,
      factsOf(agentId, record, hoursFor(record.group_id), kept.get(record.id)),
    ]),
  )
  const changes = new Changes()
  const changed: SupportRow[] = []
  for (const id of ids) {
    const [was, is] = [before.get(id), after.get(id)]
    if (was && is && isSame(was, is)) continue
    if (was) changes.add(was, -1)
    if (is) changes.add(is, 1)
    if (is) changed.push(is)
  }
  const gone = ids.filter((id) => before.has(id) && !after.has(id))
  if (gone.length > 0)
    await db
      .deleteFrom('support_rows')
      .where('agent_id', '=', agentId)
      .where('conversation_id', 'in', gone)
      .execute()
  if (changed.length > 0)
    await db
      .insertInto('support_rows')
      .values(changed)
      .onConflict((conflict) =>
        conflict
          .column('conversation_id')
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(
              Object.keys(changed[0] as SupportRow).map((column) => [
                column,
                ref(`excluded.${column}` as 'excluded.tags'),
              ]),
            ),
          ),
      )
      .execute()
  await changes.write(db, agentId)
  return changed.length + gone.length
}

/** Reads the hours of groups, and those of the agent for a conversation whose group has none. */
async function hoursOf(db: Db, agentId: number, groupIds: readonly (number | null)[]) {
  const ofAgent = (await readAgents(db, [agentId])).get(agentId)?.settings.hours ?? null
  const ofGroups = new Map<number, Hours | null>()
  for (const id of new Set(groupIds)) if (id !== null) ofGroups.set(id, await hoursOfGroup(db, id))
  return (groupId: number | null) => (groupId === null ? null : ofGroups.get(groupId)) ?? ofAgent
}

async function rowsOf(db: Db, agentId: number, ids: readonly string[]): Promise<Map<string, SupportRow>> {
  const rows = await db
    .selectFrom('support_rows')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('conversation_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.conversation_id, row]))
}

function isSame(a: SupportRow, b: SupportRow): boolean {
  return (Object.keys(b) as (keyof SupportRow)[]).every((column) => a[column] === b[column])
}

const SOLVED = ['resolved', 'assumed']

/** @param hours those of the people who look after the agent's conversations; null: they are always there */
function factsOf(
  agentId: number,
  record: SupportRecord,
  hours: Hours | null,
  { met_at = null, missed_at = null }: Partial<TargetsKept> = {},
): SupportRow {
  const { id, channel_id, widget_id, language, group_id, started_at, ended_at, outcome, wait, rating } =
    record
  const solved_by = solverOf(record)
  const answer = wait ? lengthOf(wait.at, record.answered_at, hours) : NO_LENGTH
  const solution = lengthOf(record.reopened_at ?? started_at, solved_by && ended_at, hours)
  return {
    conversation_id: id,
    agent_id: agentId,
    channel_id,
    language,
    group_id,
    operator_id: record.answerer_id ?? record.assignee_id,
    tags: JSON.stringify(record.tags),
    started_at,
    waited_at: wait?.at ?? null,
    reason: wait?.reason ?? null,
    answered_at: record.answered_at,
    answer_ms: answer.all,
    answer_open_ms: answer.open,
    ended_at,
    outcome,
    solved_by,
    solution_ms: solution.all,
    solution_open_ms: solution.open,
    reopened_at: record.reopened_at,
    met_at,
    missed_at,
    // A widget's panel asks whenever a conversation ends, a channel with a message. A user who rated has been asked.
    asked_at: (widget_id === null ? record.asked_at : ended_at) ?? rating?.at ?? null,
    rated_at: rating?.at ?? null,
    score: rating?.score ?? null,
  }
}

function solverOf({ outcome, hasPerson }: SupportRecord): SupportRow['solved_by'] {
  if (outcome === null) return null
  if (hasPerson) return outcome === 'handed_off' || SOLVED.includes(outcome) ? 'person' : null
  return SOLVED.includes(outcome) ? 'agent' : null
}

const NO_LENGTH = { all: null, open: null }

function lengthOf(from: string, to: string | null, hours: Hours | null) {
  if (to === null) return NO_LENGTH
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const all = Math.max(0, end - begin)
  return { all, open: hours ? openBetween(hours, begin, end) : all }
}
