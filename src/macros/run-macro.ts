import type { Kysely } from 'kysely'
import type { ActionType } from '../actions/action.ts'
import type { ActionContext, Person } from '../actions/action-context.ts'
import { carryOut, hasFailed, pass } from '../actions/carry-out.ts'
import { pendingSteps, previewActions, type Step } from '../actions/steps.ts'
import { undoAction } from '../actions/undo.ts'
import { type Actor, record, type TeamBy } from '../audit/record.ts'
import { foundOr } from '../errors.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { lockActiveOperator } from '../operators/find-operator.ts'
import { fillReply, variablesOf } from '../replies/fill-reply.ts'
import type { Tables } from '../storage/tables.ts'
import { addHappening, recordMacroOutcome } from '../transcripts/conversations/happenings.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { selectKnownUser } from '../users/known-users.ts'
import { userOfConversation } from '../users/user-key.ts'
import { actionsOf, secretPlace, stepsOf } from './macro.ts'
import { insertRun, selectRun, selectRunOfBulk, updateRun } from './store.ts'
import type { MacroRow, MacroRunRow } from './tables.ts'

export interface RunDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
  clock: Clock
  lessons: Lessons
}

/** The person or program that runs a macro. */
interface Runner {
  readonly actor: Actor
  readonly teamId: number
  /** The name that end users see; null: a program runs it. */
  readonly displayName: string | null
}

/** The bulk act that runs a macro, or undoes it. */
interface PartOfBulk {
  id: number
  /** Called first in each transaction. @throws LeaseLost */
  hold: (db: Kysely<Tables>) => Promise<void>
}

/**
 * Runs a macro in a conversation, or goes on with a run of a bulk act that was taken up again.
 * @param act recorded in the audit; null for a part of a bulk act, which is recorded itself
 */
export async function runMacro(
  dependencies: RunDependencies,
  conversation: ConversationRow,
  macro: MacroRow,
  runner: Runner,
  act: TeamBy | null,
  bulk: PartOfBulk | null,
): Promise<MacroRunRow> {
  const { db, box, outbound, clock } = dependencies
  let run = await begin()
  const steps = stepsOf(run)
  // A macro that was changed since its run began may have more.
  const actions = actionsOf(macro).slice(0, steps.length)
  const progress = { action: 0 }
  for (const { outcome } of steps) if (outcome !== 'pending') pass(actions, progress, outcome)
  const caller = { box, http: outbound.of(runner.teamId), clock, userAgent: 'Parley-Macros/1.0' }
  await carryOut(caller, progress, {
    actions,
    placeOf: secretPlace(macro.id),
    name: `macro_${run.id}`,
    told: async () => ({
      macro: { id: macro.id, name: macro.name },
      agent: { id: conversation.agent_id },
      conversation: { id: conversation.id },
    }),
    contextIn: (db) => contextIn(dependencies, db, conversation, runner, { ...runner.actor, run: run.id }),
    store: (index, act) =>
      within(async (db) => {
        Object.assign(steps[index] ?? {}, await act(db))
        await write(db)
      }),
  })
  for (const step of steps) if (step.outcome === 'pending') step.outcome = 'skipped'
  await within((db) => write(db, timestamp(clock())))
  return run

  async function begin(): Promise<MacroRunRow> {
    const known = bulk && (await selectRunOfBulk(db, bulk.id, conversation.id))
    if (known) return known
    const now = timestamp(clock())
    const { id: conversation_id, agent_id } = conversation
    return within(async (db) => {
      await lockConversation(db, conversation_id)
      const begun = await insertRun(db, {
        agent_id,
        macro_id: macro.id,
        macro_name: macro.name,
        conversation_id,
        bulk_id: bulk?.id ?? null,
        actions: JSON.stringify(pendingSteps(actionsOf(macro))),
        created_at: now,
        finished_at: null,
        undone_at: null,
      })
      const by = { ...runner.actor, run: begun.id }
      await addHappening(db, {
        agent_id,
        conversation_id,
        kind: 'macro',
        by,
        at: now,
        details: detailsOf(begun),
      })
      if (act) {
        const target = `conversation ${conversation_id}`
        const details = { macro: macro.id }
        await record(db, { ...act, agentId: agent_id, at: now, action: 'macro.run', target, details })
      }
      return begun
    })
  }

  function within<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (db) => {
      await bulk?.hold(db)
      return work(db)
    })
  }

  async function write(db: Kysely<Tables>, finished_at: string | null = null): Promise<void> {
    await lockConversation(db, conversation.id)
    const failed = steps.filter(({ outcome }) => hasFailed(outcome)).length
    run = await updateRun(db, run.id, { actions: JSON.stringify(steps), failed, finished_at })
    await recordMacroOutcome(db, conversation.id, run.id, detailsOf(run))
  }
}

/** Says what a macro would do in a conversation. */
export async function previewMacro(
  dependencies: RunDependencies,
  conversation: ConversationRow,
  macro: MacroRow,
  runner: Runner,
): Promise<Step[]> {
  return previewActions(dependencies.db, actionsOf(macro), (db) =>
    contextIn(dependencies, db, conversation, runner, runner.actor),
  )
}

/**
 * Undoes those actions of a run that can be, the last one first. What somebody has changed since stays as it is. A run
 * that was undone stays so.
 * @param act recorded in the audit; null for a part of a bulk act, which is recorded itself
 * @throws ApiError macro_run_not_found
 */
export async function undoRun(
  dependencies: RunDependencies,
  conversation: ConversationRow,
  runId: string,
  runner: Runner,
  act: TeamBy | null,
  bulk: PartOfBulk | null = null,
): Promise<MacroRunRow> {
  const { db, clock } = dependencies
  const { id: conversation_id, agent_id } = conversation
  const run = await readRun(db)
  if (run.undone_at !== null) return run
  const actor = { ...runner.actor, run: run.id }
  const ran = stepsOf(run)
  const replies = ran.filter(({ type, outcome }) => type === 'reply' && outcome === 'done').length
  for (const [index, { undo, undone }] of [...ran.entries()].reverse()) {
    if (!undo || undone !== undefined) continue
    await db.transaction().execute(async (db) => {
      await bulk?.hold(db)
      const context = { ...contextIn(dependencies, db, conversation, runner, actor), replies }
      const isUndone = await undoAction(context, undo)
      // Somebody else may have undone it at the same time: what they found holds.
      const steps = stepsOf(await readRun(db))
      const step = steps[index]
      if (step) step.undone ??= isUndone
      await updateRun(db, run.id, { actions: JSON.stringify(steps) })
    })
  }
  return db.transaction().execute(async (db) => {
    await bulk?.hold(db)
    const now = timestamp(clock())
    await lockConversation(db, conversation_id)
    const present = await readRun(db)
    if (present.undone_at !== null) return present
    const undone = await updateRun(db, run.id, { undone_at: now })
    const target = `conversation ${conversation_id}`
    if (act)
      await record(db, {
        ...act,
        agentId: agent_id,
        at: now,
        action: 'macro.undone',
        target,
        details: { macro: run.macro_id },
      })
    const details = detailsOf(undone)
    await recordMacroOutcome(db, conversation_id, run.id, details)
    const common = { agent_id, conversation_id, by: actor, at: now, details }
    await addHappening(db, { ...common, kind: 'macro_undone' })
    return undone
  })

  async function readRun(db: Kysely<Tables>): Promise<MacroRunRow> {
    return foundOr(await selectRun(db, conversation_id, rowId(runId)), 'macro_run_not_found')
  }
}

/** Returns what the timeline says of a run. */
function detailsOf(run: MacroRunRow): Record<string, unknown> {
  const steps = stepsOf(run)
  const typesOf = (outcome: Step['outcome']): ActionType[] =>
    steps.flatMap((step) => (step.outcome === outcome ? [step.type] : []))
  return {
    macro: { id: run.macro_id, name: run.macro_name },
    run: run.id,
    ...(run.bulk_id === null ? {} : { bulk_act: run.bulk_id }),
    done: typesOf('done'),
    failed: typesOf('failed'),
    can_undo: steps.some(({ undo, undone }) => undo !== undefined && undone === undefined),
  }
}

function contextIn(
  { lessons, clock }: RunDependencies,
  db: Kysely<Tables>,
  conversation: ConversationRow,
  { displayName }: Runner,
  actor: ActionContext['actor'],
): ActionContext {
  const person: Person = {
    displayName,
    lessons,
    async fill(db, text) {
      const key = userOfConversation(conversation)
      const [user] =
        key === null ? [] : await selectKnownUser(db, { agent_id: conversation.agent_id, id: key })
      const tags = conversation.tags === null ? null : JSON.parse(conversation.tags)
      return fillReply(text, variablesOf({ userName: user?.name ?? null, operatorName: displayName, tags }))
    },
  }
  return {
    db,
    conversation,
    completionId: null,
    actor,
    person,
    lockAssignee: lockActiveOperator,
    nowMs: clock(),
  }
}
