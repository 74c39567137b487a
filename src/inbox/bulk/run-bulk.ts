import type { Kysely } from 'kysely'
import type { Actor } from '../../audit/record.ts'
import { lockAssignment, setAssignment } from '../../desk/assign.ts'
import { patchTags } from '../../desk/change-tags.ts'
import { endAndAskForRating } from '../../desk/end-conversation.ts'
import { setPriority } from '../../desk/set-priority.ts'
import { setSnooze } from '../../desk/snooze/snooze-conversation.ts'
import { ApiError } from '../../errors.ts'
import { raise } from '../../events/raise.ts'
import { timestamp } from '../../lib/clock.ts'
import type { RunDependencies } from '../../macros/run-macro.ts'
import { lockMailboxOf } from '../../mailboxes/post.ts'
import { lockActiveOperator } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { isOfBlocked, reopenLocked } from '../../transcripts/conversations/reopen-conversation.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import type { Lease } from '../../work/lease.ts'
import { leaveOutOf } from '../../work/leave-out.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkWork, Skipped, SkipReason } from './bulk-action.ts'
import { gather } from './gather.ts'
import { isOfMacro, left, type MacroWork, macroInBulk } from './macro-in-bulk.ts'
import { isSeen } from './seen-by-actor.ts'
import { BULK_ACTS } from './start-bulk.ts'
import { bulkQueue, deleteItem, selectItems, updateBulkAct } from './store.ts'

interface Dependencies extends QueueDependencies, Pick<RunDependencies, 'box' | 'outbound' | 'lessons'> {}

const ACTS_AT_ONCE = 4
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
      name: 'bulk_acts',
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

async function workItems(
  dependencies: RunDependencies & Pick<Dependencies, 'logger'>,
  act: BulkActRow,
  lease: Lease,
): Promise<void> {
  const { db, clock, logger, lessons } = dependencies
  const action = JSON.parse(act.action) as BulkWork
  let progress = { done: act.done, changed: act.changed, skipped: act.skipped, undoable: act.undoable }
  const plain = isOfMacro(action) ? null : action
  // What failed while the conversations were gathered is the fault of none of them.
  const isLeftOut = leaveOutOf(act.state === 'gathering' ? { attempts: 0, deaths: 0 } : act, logger)
  for (;;) {
    const ids = await selectItems(db, act.id, READ)
    if (ids.length === 0) return
    for (const id of ids) {
      lease.signal.throwIfAborted()
      const ran = isLeftOut({ agent_id: act.agent_id, bulk_act: act.id, conversation_id: id })
        ? left('failed')
        : isOfMacro(action)
          ? await macroInBulk(dependencies, act, action, id, lease)
          : null
      progress = await lease.transaction(async (db) => {
        await deleteItem(db, act.id, id)
        const { reason, isUndoable } =
          ran ?? left(plain && (await applyInScope(db, lessons, act, id, plain, clock())))
        const further = {
          done: progress.done + 1,
          changed: progress.changed + (reason === null ? 1 : 0),
          skipped: reason === null ? progress.skipped : oneMore(progress.skipped, reason),
          undoable: progress.undoable + (isUndoable ? 1 : 0),
        }
        await bulkQueue.progress(db, act)
        await updateBulkAct(db, act.id, { ...further, starts_at: null })
        return further
      })
    }
  }
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
  action: Exclude<BulkWork, MacroWork>,
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
  action: Exclude<BulkWork, MacroWork>,
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
      await endAndAskForRating(db, id, now, by, { lessons })
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
