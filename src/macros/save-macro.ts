import type { Kysely } from 'kysely'
import { type Action, checkAddresses, keepingSecrets, sealActions, unsealActions } from '../actions/action.ts'
import { lockAgent } from '../agents/pause-state.ts'
import { requireRoom } from '../agents/require-room.ts'
import type { Actor, TeamBy } from '../audit/record.ts'
import { recordShared } from '../audit/record-shared.ts'
import { lockAssignment, MISSING } from '../desk/assign.ts'
import { ApiError, foundOr, invalidField } from '../errors.ts'
import { keeperOf, personOf } from '../http/operator-of.ts'
import { includes, type Right } from '../http/rights.ts'
import { refuseOutdated } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { lockActiveOperator } from '../operators/find-operator.ts'
import { keeperAfter } from '../operators/keeper-after.ts'
import type { Tables } from '../storage/tables.ts'
import { actionsOf, macroVersion, type NewMacro, secretPlace } from './macro.ts'
import { countMacros, deleteMacro, insertMacro, selectMacro, updateMacro } from './store.ts'
import type { MacroRow } from './tables.ts'

interface MacroDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

/** The person or program that saves macros of an agent. */
interface Keeper {
  readonly agentId: number
  readonly right: Right
  readonly actor: Actor
}

/** A change of a macro: the fields to change, and the version that was read. */
type MacroPatch = { [Field in keyof NewMacro]?: NewMacro[Field] | undefined } & {
  version?: string | undefined
}

/** Reads a macro that the caller has. @throws ApiError macro_not_found */
export async function readMacro(
  db: Kysely<Tables>,
  keeper: Pick<Keeper, 'agentId' | 'actor'>,
  id: string,
): Promise<MacroRow> {
  return foundOr(await selectMacro(db, keeper.agentId, personOf(keeper), rowId(id)), 'macro_not_found')
}

/** Tells whether somebody may change a macro: their own, a shared one that they made, or with the right `manage` any shared one. */
export function mayChange(
  keeper: Pick<Keeper, 'right' | 'actor'>,
  { operator_id, maker_id }: MacroRow,
): boolean {
  const person = personOf(keeper)
  if (operator_id !== null) return operator_id === person
  return (person !== null && maker_id === person) || includes(keeper.right, 'manage')
}

function refuseOthers(keeper: Keeper, macro: MacroRow): void {
  if (mayChange(keeper, macro)) return
  throw new ApiError('insufficient_right', {
    message:
      "Only the person who made a shared macro may change or delete it, or somebody with the right 'manage'.",
  })
}

/** Returns the actions of a macro with their secrets. */
export function wholeActions(row: MacroRow, box: SecretBox): Action[] {
  return unsealActions(actionsOf(row), box, secretPlace(row.id))
}

/** @throws ApiError too_many_macros, invalid_request, insufficient_right; operator_needed for a program's own one */
export async function createMacro(
  { db, box, outbound }: MacroDependencies,
  keeper: Keeper,
  { name, actions, shared }: NewMacro,
  now: string,
  by: TeamBy,
): Promise<MacroRow> {
  const operator_id = keeperOf(keeper, shared)
  await checkActions(keeper, actions, outbound)
  return db.transaction().execute(async (db) => {
    await requireRoom(db, keeper.agentId, 'macros', () => countMacros(db, keeper.agentId, operator_id))
    await requireAssignees(db, actions, by.teamId)
    const row = { agent_id: keeper.agentId, operator_id, maker_id: personOf(keeper), name, actions: '[]' }
    const { id } = await insertMacro(db, { ...row, created_at: now, updated_at: now })
    const sealed = JSON.stringify(sealActions(actions, box, secretPlace(id)))
    const made = await updateMacro(db, id, { actions: sealed })
    await recordShared(db, 'macro', 'added', made, now, by)
    return made
  })
}

/** @throws ApiError macro_not_found, insufficient_right, version_outdated, too_many_macros, invalid_request, operator_needed */
export async function changeMacro(
  { db, box, outbound }: MacroDependencies,
  keeper: Keeper,
  id: string,
  { version, name, actions, shared }: MacroPatch,
  now: string,
  by: TeamBy,
): Promise<MacroRow> {
  if (actions) await checkActions(keeper, actions, outbound)
  return db.transaction().execute(async (db) => {
    await lockAgent(db, keeper.agentId)
    const present = await readMacro(db, keeper, id)
    refuseOthers(keeper, present)
    refuseOutdated(version, macroVersion(present))
    const operator_id = await keeperAfter(db, by.teamId, keeper, shared, present)
    if (operator_id !== present.operator_id)
      await requireRoom(db, keeper.agentId, 'macros', () => countMacros(db, keeper.agentId, operator_id))
    if (actions) await requireAssignees(db, actions, by.teamId)
    const row = await updateMacro(db, present.id, {
      operator_id,
      maker_id: operator_id ?? present.maker_id,
      name: name ?? present.name,
      actions: actions
        ? JSON.stringify(
            sealActions(keepingSecrets(actions, wholeActions(present, box)), box, secretPlace(present.id)),
          )
        : present.actions,
      updated_at: now,
    })
    await recordShared(db, 'macro', 'changed', present.operator_id === null ? present : row, now, by)
    return row
  })
}

/** @throws ApiError macro_not_found, insufficient_right */
export async function removeMacro(
  db: Kysely<Tables>,
  keeper: Keeper,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockAgent(db, keeper.agentId)
    const macro = await readMacro(db, keeper, id)
    refuseOthers(keeper, macro)
    await deleteMacro(db, macro.id)
    await recordShared(db, 'macro', 'removed', macro, now, by)
  })
}

/** @throws ApiError insufficient_right for a webhook, which sends what users say elsewhere; invalid_request */
async function checkActions(
  { right }: Keeper,
  actions: readonly Action[],
  outbound: Outbound,
): Promise<void> {
  if (actions.some(({ type }) => type === 'call_webhook') && !includes(right, 'manage'))
    throw new ApiError('insufficient_right', {
      message: "A macro with a webhook requires the right 'manage'.",
    })
  await checkAddresses(actions, outbound)
}

async function requireAssignees(
  db: Kysely<Tables>,
  actions: readonly Action[],
  teamId: number,
): Promise<void> {
  const assigned = actions.flatMap((one) => (one.type === 'assign' ? [one] : []))
  // All groups before all people, each in the order of their ids, as every transaction locks them.
  for (const field of ['group_id', 'operator_id'] as const)
    for (const one of assigned.toSorted((a, b) => (a[field] ?? 0) - (b[field] ?? 0))) {
      const found = await lockAssignment(db, lockActiveOperator, teamId, { [field]: one[field] })
      if ('missing' in found)
        throw invalidField(`actions.${actions.indexOf(one)}.${found.missing}`, MISSING[found.missing])
    }
}
