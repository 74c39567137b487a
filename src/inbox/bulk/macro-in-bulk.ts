import type { Kysely } from 'kysely'
import type { Actor } from '../../audit/record.ts'
import { personOf } from '../../http/operator-of.ts'
import { isUndoable, stepsOf } from '../../macros/macro.ts'
import { type RunDependencies, runMacro, undoRun } from '../../macros/run-macro.ts'
import { selectMacro, selectRunOfBulk } from '../../macros/store.ts'
import { displayNameById } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { findConversation } from '../../transcripts/conversations/find-conversation.ts'
import type { Lease } from '../../work/lease.ts'
import type { BulkActRow } from '../tables.ts'
import type { BulkWork, SkipReason } from './bulk-action.ts'
import { isSeen } from './seen-by-actor.ts'

/** The work of macros in bulk acts. It takes several transactions in each conversation. */
export type MacroWork = Extract<BulkWork, { type: 'macro' | 'undo_macro' }>

export function isOfMacro(action: BulkWork): action is MacroWork {
  return action.type === 'macro' || action.type === 'undo_macro'
}

interface Ran {
  /** The reason for which the conversation was left as it was; null: it changed. */
  reason: SkipReason | null
  /** True if the macro did something there that can be undone. */
  isUndoable: boolean
}

/** Runs a macro in one conversation, or undoes it. It goes on where an earlier worker has left it. */
export async function macroInBulk(
  dependencies: RunDependencies,
  act: BulkActRow,
  action: MacroWork,
  conversationId: string,
  lease: Lease,
): Promise<Ran> {
  const { db } = dependencies
  const { agent_id: agentId, team_id: teamId } = act
  const actor = JSON.parse(act.actor) as Actor
  if (!(await isSeen(db, agentId, actor, conversationId))) return left('outside_scope')
  const person = personOf({ actor })
  const conversation = await findConversation(db, { agentId, teamId }, conversationId)
  const displayName = person === null ? null : await displayNameById(db, person)
  const runner = { actor, teamId, displayName }
  const bulk = { id: act.id, hold: (db: Kysely<Tables>) => lease.hold(db) }
  if (action.type === 'macro') {
    const macro = await selectMacro(db, agentId, person, action.macro_id)
    if (!macro) return left('macro_deleted')
    const run = await runMacro(dependencies, conversation, macro, runner, null, bulk)
    const isDone = stepsOf(run).some(({ outcome }) => outcome === 'done')
    const reason = run.failed > 0 ? 'macro_failed' : isDone ? null : 'macro_unneeded'
    return { reason, isUndoable: isUndoable(run) }
  }
  const run = await selectRunOfBulk(db, action.bulk_act, conversationId)
  // It may also have been forgotten meanwhile.
  if (!run || !isUndoable(run)) return left('nothing_to_undo')
  const undone = await undoRun(dependencies, conversation, String(run.id), runner, null, bulk)
  return left(stepsOf(undone).some(({ undone }) => undone === false) ? 'changed_since' : null)
}

/** The outcome in a conversation of which nothing can be undone. @param reason null: it changed */
export function left(reason: SkipReason | null): Ran {
  return { reason, isUndoable: false }
}
