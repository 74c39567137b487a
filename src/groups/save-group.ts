import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr, invalidField } from '../errors.ts'
import { refuseOutdated } from '../http/version.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { unlessTaken } from '../storage/unless-taken.ts'
import { wake } from '../storage/waking-db.ts'
import {
  type Group,
  groupVersion,
  inOrder,
  presentGroup,
  readAgents,
  readGroupHours,
  writeAgents,
} from './group.ts'
import { QUEUES } from './queues-topic.ts'
import { countGroups, insertGroup, lockGroup, membersOf, updateGroup, writeMembers } from './store.ts'
import type { GroupRow } from './tables.ts'

/** The topic of wake-ups after groups were deleted, whose conversations now have none. */
export const DELETED_GROUPS = 'deleted groups'

export type NewGroup = Pick<Group, 'name' | 'operators' | 'agents' | 'assignment' | 'at_once' | 'hours'>

/** Reads the ids of what a team has. */
type IdsOf = (db: Kysely<Tables>, teamId: number) => Promise<readonly number[]>

export interface GroupDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
  /** The people and the agents of a team. */
  operatorsOf: IdsOf
  agentsOf: IdsOf
  /** Refuses one group more than a team may have, and keeps others from adding one meanwhile. */
  requireRoom: (
    db: Kysely<Tables>,
    teamId: number,
    what: 'groups',
    count: () => Promise<number>,
  ) => Promise<void>
  /** Runs in the transaction of a change of hours, for the agents of the team. */
  hoursChange: (db: Kysely<Tables>, agentIds: readonly number[], now: string) => Promise<void>
}

/** @throws ApiError group_name_taken, too_many_groups, invalid_request */
export async function createGroup(
  dependencies: GroupDependencies,
  group: NewGroup,
  now: string,
  by: TeamBy,
): Promise<Group> {
  return saving(dependencies, async (db) => {
    await dependencies.requireRoom(db, by.teamId, 'groups', () => countGroups(db, by.teamId))
    await refuseUnknown(db, dependencies, by.teamId, group, [])
    const { operators, agents, hours, ...values } = group
    const row = await insertGroup(db, {
      ...values,
      hours: hours && JSON.stringify(hours),
      agents: writeAgents(agents),
      team_id: by.teamId,
      created_at: now,
    })
    return keepMembers(db, row, operators, 'group.added', now, by)
  })
}

/** @throws ApiError group_not_found, group_name_taken, version_outdated, invalid_request */
export async function changeGroup(
  dependencies: GroupDependencies,
  id: number,
  {
    version,
    operators,
    agents,
    hours,
    ...values
  }: { [Field in keyof NewGroup]?: NewGroup[Field] | undefined } & { version?: string | undefined },
  now: string,
  by: TeamBy,
): Promise<Group> {
  return saving(dependencies, async (db) => {
    const present = foundOr(await lockGroup(db, by.teamId, id), 'group_not_found')
    const members = await membersOf(db, id)
    refuseOutdated(version, groupVersion(present, members))
    await refuseUnknown(db, dependencies, by.teamId, { operators, agents }, readAgents(present.agents))
    const row = await updateGroup(db, id, {
      ...values,
      hours: hours && JSON.stringify(hours),
      agents: agents === undefined ? present.agents : writeAgents(agents),
    })
    if (row.hours !== present.hours)
      await dependencies.hoursChange(db, await dependencies.agentsOf(db, by.teamId), now)
    return keepMembers(db, row, operators ?? members, 'group.changed', now, by)
  })
}

/**
 * Deletes a group. Its conversations lose it in the background, and keep their assignees.
 * @throws ApiError group_not_found
 */
export async function removeGroup(db: Kysely<Tables>, id: number, now: string, by: TeamBy): Promise<void> {
  await db.transaction().execute(async (db) => {
    const present = foundOr(await lockGroup(db, by.teamId, id), 'group_not_found')
    await updateGroup(db, id, { deleted_at: now })
    wake(db, DELETED_GROUPS)
    const details = { name: present.name }
    await record(db, { ...by, at: now, action: 'group.deleted', target: `group ${id}`, details })
  })
}

function saving<Saved>(
  { db, engine }: GroupDependencies,
  save: (db: Kysely<Tables>) => Promise<Saved>,
): Promise<Saved> {
  return unlessTaken(engine, 'group_name_taken', 'name', () => db.transaction().execute(save))
}

async function keepMembers(
  db: Kysely<Tables>,
  row: GroupRow,
  operators: readonly number[],
  action: 'group.added' | 'group.changed',
  now: string,
  by: TeamBy,
): Promise<Group> {
  const members = inOrder(operators)
  await writeMembers(db, row.id, members)
  wake(db, QUEUES)
  const { id, name, assignment, at_once } = row
  const hours = readGroupHours(row.hours)
  const details = { name, operators: members, agents: readAgents(row.agents), assignment, at_once, hours }
  await record(db, { ...by, at: now, action, target: `group ${id}`, details })
  return presentGroup(row, members)
}

/**
 * Refuses people and agents that the team does not have. The group keeps an agent that was deleted: without it, a group
 * of one agent would become one of all.
 */
async function refuseUnknown(
  db: Kysely<Tables>,
  { operatorsOf, agentsOf }: GroupDependencies,
  teamId: number,
  { operators = [], agents = [] }: { [Field in 'operators' | 'agents']?: number[] | undefined },
  keptAgents: readonly number[],
): Promise<void> {
  const people = await operatorsOf(db, teamId)
  if (!operators.every((id) => people.includes(id)))
    throw invalidField('operators', 'must be people of the team')
  const known = [...(await agentsOf(db, teamId)), ...keptAgents]
  if (!agents.every((id) => known.includes(id))) throw invalidField('agents', 'must be agents of the team')
}
