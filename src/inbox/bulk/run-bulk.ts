import type { Kysely } from 'kysely'
import type { Actor } from '../../audit/record.ts'
import { lockAssignment, setAssignment } from '../../desk/assign.ts'
import { patchTags } from '../../desk/change-tags.ts'
import { closeConversation } from '../../desk/pause-conversation.ts'
import { setPriority } from '../../desk/set-priority.ts'
import { setSnooze } from '../../desk/snooze/snooze-conversation.ts'
import { ApiError } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import { personOf } from '../../http/operator-of.ts'
import type { Scope } from '../../http/scope.ts'
import { timestamp } from '../../lib/clock.ts'
import { stepsOf } from '../../macros/macro.ts'
import { type RunDependencies, runMacro } from '../../macros/run-macro.ts'
import { selectMacro } from '../../macros/store.ts'
import { lockMailboxOf } from '../../mailboxes/post.ts'
import {
  displayNameById,
  joinedAtOf,
  lockActiveOperator,
  scopeOfOperator,
} from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { findConversation } from '../../transcripts/conversations/find-conversation.ts'
import { isOfBlocked, reopenLocked } from '../../transcripts/conversations/reopen-conversation.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { thoseInScope } from '../../transcripts/doors/by-filter.ts'
import { keysOfPerson } from '../../users/person-store.ts'
import type { Lease } from '../../work/lease.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { InboxQuery, InboxReader } from '../inbox-query.ts'
import { readInbox } from '../read-inbox.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkAction, Skipped, SkipReason } from './bulk-action.ts'
import { BULK_ACTS, type BulkFilter } from './start-bulk.ts'
import { addItems, bulkQueue, deleteItem, selectItems, updateBulkAct } from './store.ts'

interface Dependencies extends QueueDependencies, Pick<RunDependencies, 'box' | 'outbound' | 'lessons'> {}

const ACTS_AT_ONCE = 4
/** The number of conversations gathered in one transaction. */
const GATHERED = 500
/** The number of conversations read at once. Each is changed in its own transaction, so that nobody waits long. */
const READ = 100

/**
 * Carries out bulk acts: stores the conversations that match, then changes each of them once, even if the process dies
 * in between.
 */
export function runBulkActs(dependencies: Dependencies): RunningWork {
  const { database } = dependencies
  const { clock } = dependencies
  const { db } = database
  return runQueue<BulkActRow>(
    {
      name: 'bulk acts',
      queue: bulkQueue,
      topics: [BULK_ACTS],
      atOnce: ACTS_AT_ONCE,
      async work(act, lease) {
        if (act.state === 'gathering') await gather(db, act, lease)
        if (act.starts_at !== null && act.starts_at > timestamp(clock())) {
          const due_at = act.starts_at
          return db.transaction().execute(async (db) => {
            await bulkQueue.end(db, act)
            await updateBulkAct(db, act.id, { due_at })
          })
        }
        await workItems({ ...dependencies, db }, act, lease)
        await db.transaction().execute(async (db) => {
          await bulkQueue.end(db, act)
          await updateBulkAct(db, act.id, ended('done', clock()))
        })
      },
      parked: (db, { id }) => updateBulkAct(db, id, ended('failed', clock())),
      raise,
      about: ({ id, agent_id }) => ({ agent_id, bulk_act: id }),
    },
    dependencies,
  )
}

function ended(state: 'done' | 'failed', nowMs: number) {
  return { state, filter: null, starts_at: null, finished_at: timestamp(nowMs) }
}

/**
 * Stores the conversations that match. A new message moves its conversation to the top, which has already been read, so
 * the top is read again until nothing has moved.
 */
async function gather(db: Kysely<Tables>, act: BulkActRow, lease: Lease): Promise<void> {
  const { user_id, ...filter } = JSON.parse(act.filter ?? '{}') as BulkFilter
  const person = user_id && (await keysOfPerson(db, act.agent_id, user_id))
  const query: InboxQuery = { ...filter, user_id: person, sort: 'latest' }
  const actor = JSON.parse(act.actor) as Actor
  const reader: InboxReader | null =
    actor.kind === 'operator' && actor.id !== null
      ? { operatorId: actor.id, joinedAt: await joinedAtOf(db, actor.id) }
      : null
  const owner = { agentId: act.agent_id, teamId: act.team_id, scope: await scopeOf(db, actor) }
  let matched = act.matched
  let [readTo, newest] = [-1, -1]
  do {
    readTo = newest
    let cursor: string | null = null
    let isNew = true
    do {
      lease.signal.throwIfAborted()
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(db, owner, reader, query, {
        per_page: GATHERED,
        cursor: cursor ?? undefined,
      })
      newest = Math.max(newest, page.rows[0]?.last_message_id ?? -1)
      const moved = page.rows.filter(({ last_message_id }) => last_message_id > readTo)
      isNew = moved.length === page.rows.length
      const ids = moved.map(({ conversation_id }) => conversation_id)
      if (ids.length > 0)
        await db.transaction().execute(async (db) => {
          await lease.hold(db)
          matched += await addItems(db, act.id, ids)
          await bulkQueue.progress(db, act)
          await updateBulkAct(db, act.id, { matched })
        })
      cursor = page.nextCursor
    } while (cursor !== null && isNew)
  } while (newest > readTo)
  await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await updateBulkAct(db, act.id, { state: 'working', filter: null })
  })
}

async function workItems(dependencies: RunDependencies, act: BulkActRow, lease: Lease): Promise<void> {
  const { db, clock, lessons } = dependencies
  const action = JSON.parse(act.action) as BulkAction
  let progress = { done: act.done, changed: act.changed, skipped: act.skipped }
  for (;;) {
    const ids = await selectItems(db, act.id, READ)
    if (ids.length === 0) return
    for (const id of ids) {
      lease.signal.throwIfAborted()
      const ran =
        action.type === 'macro' ? await runInBulk(dependencies, act, action.macro_id, id, lease) : null
      progress = await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await deleteItem(db, act.id, id)
        const reason =
          action.type === 'macro' ? ran : await applyInScope(db, lessons, act, id, action, clock())
        const further = {
          done: progress.done + 1,
          changed: progress.changed + (reason === null ? 1 : 0),
          skipped: reason === null ? progress.skipped : oneMore(progress.skipped, reason),
        }
        await bulkQueue.progress(db, act)
        await updateBulkAct(db, act.id, { ...further, starts_at: null })
        return further
      })
    }
  }
}

/** Runs a macro in one conversation. It goes on where an earlier worker has left it. */
async function runInBulk(
  dependencies: RunDependencies,
  { id: bulkId, agent_id: agentId, team_id: teamId, actor: json }: BulkActRow,
  macroId: number,
  conversationId: string,
  lease: Lease,
): Promise<SkipReason | null> {
  const { db } = dependencies
  const actor = JSON.parse(json) as Actor
  if (!(await isSeen(db, agentId, actor, conversationId))) return 'outside_scope'
  const person = personOf({ actor })
  const macro = await selectMacro(db, agentId, person, macroId)
  if (!macro) return 'macro_deleted'
  const conversation = await findConversation(db, { agentId, teamId }, conversationId)
  const displayName = person === null ? null : await displayNameById(db, person)
  const bulk = { id: bulkId, hold: (db: Kysely<Tables>) => lease.hold(db) }
  const run = await runMacro(dependencies, conversation, macro, { actor, teamId, displayName }, null, bulk)
  if (run.failed > 0) return 'macro_failed'
  return stepsOf(run).some(({ outcome }) => outcome === 'done') ? null : 'macro_unneeded'
}

/** Tells whether the actor may see a conversation now. */
async function isSeen(db: Kysely<Tables>, agentId: number, actor: Actor, id: string): Promise<boolean> {
  const owner = { agentId, scope: await scopeOf(db, actor) }
  return (await thoseInScope(db, owner, [id])).length > 0
}

/** Reads the scope of conversations that the actor may see now; null: all. */
async function scopeOf(db: Kysely<Tables>, { kind, id }: Actor): Promise<Scope | null> {
  return kind === 'operator' && id !== null ? scopeOfOperator(db, id) : null
}

function oneMore(counts: string, reason: SkipReason): string {
  const skipped: Skipped = JSON.parse(counts)
  return JSON.stringify({ ...skipped, [reason]: (skipped[reason] ?? 0) + 1 })
}

/** Applies the act to one conversation, unless who acts may no longer see it. */
async function applyInScope(
  db: Kysely<Tables>,
  lessons: RunDependencies['lessons'],
  { agent_id: agentId, team_id: teamId, actor: json }: BulkActRow,
  id: string,
  action: Exclude<BulkAction, { type: 'macro' }>,
  nowMs: number,
): Promise<SkipReason | null> {
  const actor = JSON.parse(json) as Actor
  if (!(await isSeen(db, agentId, actor, id))) return 'outside_scope'
  return apply(db, lessons, teamId, id, action, timestamp(nowMs), { actor })
}

/** Applies the act to one conversation. Returns the reason if the conversation stays as it was; null if it changed. */
async function apply(
  db: Kysely<Tables>,
  lessons: RunDependencies['lessons'],
  teamId: number,
  id: string,
  action: Exclude<BulkAction, { type: 'macro' }>,
  now: string,
  by: { actor: Actor },
): Promise<SkipReason | null> {
  switch (action.type) {
    case 'assign': {
      const found = await lockAssignment(db, lockActiveOperator, teamId, action)
      if ('missing' in found) return found.missing === 'group_id' ? 'group_deleted' : 'assignee_left'
      const changed = await setAssignment(db, await lockConversation(db, id), found, now, by)
      return changed ? null : 'already_assigned'
    }
    case 'tag':
      try {
        const isChanged = await patchTags(db, await lockConversation(db, id), action.tags, now, by)
        return isChanged ? null : 'already_tagged'
      } catch (error) {
        // Nothing was written.
        if (error instanceof ApiError) return 'too_many_tags'
        throw error
      }
    case 'priority': {
      const conversation = await lockConversation(db, id)
      return (await setPriority(db, conversation, action.priority, now, by)) ? null : 'already_prioritized'
    }
    case 'snooze': {
      const conversation = await lockConversation(db, id)
      if (conversation.ended_at !== null) return 'already_ended'
      if (await setSnooze(db, conversation, action.until, now, by)) return null
      return action.until === null ? 'not_snoozed' : 'already_snoozed'
    }
    case 'end': {
      await lockMailboxOf(db, { conversation_id: id })
      const { ended_at } = await lockConversation(db, id)
      if (ended_at !== null) return 'already_ended'
      await closeConversation(db, id, now, by, lessons)
      return null
    }
    case 'reopen': {
      const conversation = await lockConversation(db, id)
      if (conversation.ended_at === null) return 'already_open'
      if (await isOfBlocked(db, conversation)) return 'user_blocked'
      await reopenLocked(db, conversation, now, by)
      return null
    }
  }
}
