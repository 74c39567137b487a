import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Hours } from '../lib/hours/hours.ts'
import { countRows } from '../storage/count-rows.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { type Group, type GroupName, presentGroup, readGroupHours } from './group.ts'
import type { GroupRow } from './tables.ts'

type Db = Kysely<Tables>

/** Reads the groups of a team, by their ids. */
export async function listGroups(db: Db, teamId: number): Promise<Group[]> {
  const rows = await db
    .selectFrom('groups')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const members = await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where('groups.team_id', '=', teamId)
    .select(['group_members.group_id', 'group_members.operator_id'])
    .orderBy('group_members.operator_id')
    .execute()
  const membersOf = Map.groupBy(members, ({ group_id }) => group_id)
  return rows.map((row) =>
    presentGroup(
      row,
      (membersOf.get(row.id) ?? []).map(({ operator_id }) => operator_id),
    ),
  )
}

/** Reads a group of a team and locks its row until the transaction ends. */
export async function lockGroup(db: Db, teamId: number, id: number): Promise<GroupRow | undefined> {
  return db
    .selectFrom('groups')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Reads the ids of the members of a group, in order. */
export async function membersOf(db: Db, groupId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_members')
    .select('operator_id')
    .where('group_id', '=', groupId)
    .orderBy('operator_id')
    .execute()
  return rows.map(({ operator_id }) => operator_id)
}

const selectGroupsOf = prepared((db, param: ParamOf<{ operator_id: number }>) =>
  db
    .selectFrom('group_members')
    .select('group_id')
    .where('operator_id', '=', param('operator_id'))
    .orderBy('group_id'),
)

/** Reads the ids of the groups of a person, in order. */
export async function groupsOf(db: Db, operatorId: number): Promise<number[]> {
  return (await selectGroupsOf(db, { operator_id: operatorId })).map(({ group_id }) => group_id)
}

/** Returns SQL for the ids of the groups of the person whom a column names, as text for `parseGroups`. */
export function groupsText(operatorId: string): RawBuilder<string | null> {
  return sql`(select string_agg(cast(group_id as text), ',') from group_members
    where operator_id = ${sql.ref(operatorId)})`
}

export function parseGroups(text: string | null): number[] {
  return text === null ? [] : text.split(',').map(Number)
}

/** Reads the groups that give their conversations to people by themselves. */
export async function assigningGroups(db: Db): Promise<GroupRow[]> {
  return db
    .selectFrom('groups')
    .selectAll()
    .where('assignment', '!=', 'off')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Notes who was given a conversation of a group last. */
export async function assignedTo(db: Db, id: number, operatorId: number): Promise<void> {
  await updateGroup(db, id, { last_operator_id: operatorId })
}

/** Reads the names of groups by their ids; those that no longer exist are absent. */
export async function namesOfGroups(db: Db, ids: readonly number[]): Promise<Map<number, GroupName>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const selectGroupsFor = prepared((db, param: ParamOf<{ team_id: number; agent: string }>) =>
  db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('team_id', '=', param('team_id'))
    .where('deleted_at', 'is', null)
    .where(({ or, eb }) =>
      // The parameter is not the whole pattern: if it were, SQLite would compile the statement anew for each value.
      or([eb('agents', '=', ''), sql<boolean>`${sql.ref('agents')} like '%' || ${param('agent')}`]),
    )
    .limit(2),
)

/** Returns the group for the conversations of an agent, if there is exactly one; else null. */
export async function groupFor(db: Db, teamId: number, agentId: number): Promise<GroupName | null> {
  const [group, another] = await selectGroupsFor(db, { team_id: teamId, agent: `,${agentId},%` })
  return group && !another ? group : null
}

const selectHours = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('groups').select('hours').where('id', '=', param('id')).where('deleted_at', 'is', null),
)

/** Reads the hours of a group; null: it has none of its own, or no longer exists. */
export async function hoursOfGroup(db: Db, id: number): Promise<Hours | null> {
  const [row] = await selectHours(db, { id })
  return readGroupHours(row?.hours ?? null)
}

export function countGroups(db: Db, teamId: number): Promise<number> {
  return countRows(db.selectFrom('groups').where('team_id', '=', teamId).where('deleted_at', 'is', null))
}

type Values = Omit<GroupRow, 'id' | 'last_operator_id' | 'deleted_at'>

export async function insertGroup(db: Db, values: Values): Promise<GroupRow> {
  return db.insertInto('groups').values(values).returningAll().executeTakeFirstOrThrow()
}

type Change = { [Column in keyof Omit<GroupRow, 'id'>]?: GroupRow[Column] | undefined }

/** @param values undefined leaves a column unchanged */
export async function updateGroup(db: Db, id: number, values: Change): Promise<GroupRow> {
  return db.updateTable('groups').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Reads the groups that were deleted and may still have conversations. */
export async function deletedGroups(db: Db): Promise<Pick<GroupRow, 'id' | 'team_id' | 'deleted_at'>[]> {
  return db
    .selectFrom('groups')
    .select(['id', 'team_id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .execute()
}

export async function deleteGroup(db: Db, id: number): Promise<void> {
  await db.deleteFrom('groups').where('id', '=', id).execute()
}

/** Puts other members in the place of those of a group. */
export async function writeMembers(db: Db, groupId: number, operators: readonly number[]): Promise<void> {
  await db.deleteFrom('group_members').where('group_id', '=', groupId).execute()
  if (operators.length === 0) return
  const rows = operators.map((operator_id) => ({ group_id: groupId, operator_id }))
  await db.insertInto('group_members').values(rows).execute()
}
