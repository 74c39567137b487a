import type { Kysely } from 'kysely'
import { requireRoomInTeam } from '../agents/require-room.ts'
import { idsOfAgents } from '../agents/team-overview.ts'
import type { TeamBy } from '../audit/record.ts'
import type { GroupName } from '../groups/group.ts'
import { createGroup } from '../groups/save-group.ts'
import { deleteGroup, groupsOf } from '../groups/store.ts'
import { idsOfOperators } from '../operators/find-operator.ts'
import { deleteOperator, insertOperator, updateOperator } from '../operators/store.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Tables } from '../storage/tables.ts'
import { hoursChange } from '../targets/store.ts'
import type { HappeningActor } from '../transcripts/conversations/happenings.ts'
import { keepDemo } from './kept-demo.ts'
import * as shop from './shop.ts'
import type { Texts, Topic } from './texts/texts.ts'

type Db = Kysely<Tables>

/** The shop's people, as those who do something, and its groups. */
export interface People {
  colleagueOf(texts: Texts): HappeningActor & { id: number; name: string }
  groupOf(topic: Topic): GroupName
  groups: readonly GroupName[]
}

/**
 * Adds the shop's people and its two groups. The people are inactive: nobody signs in as one of them, and nothing is
 * mailed to them.
 */
export async function addPeople(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  agentId: number,
  now: string,
  by: TeamBy,
): Promise<People> {
  const ids = await db.transaction().execute(async (db) => {
    const kept = { agentId, isComplete: false }
    // The row is locked before those of people, as everywhere.
    await keepDemo(db, { ...kept, people: [] })
    const added = new Map<string, number>()
    for (const { colleague: name, account } of shop.languages) {
      const email = `${account}@${shop.HOST}`
      const row = await insertOperator(db, {
        team_id: by.teamId,
        name,
        email,
        right: 'respond',
        created_at: now,
      })
      await updateOperator(db, row.id, { active: 0 })
      added.set(name, row.id)
    }
    await keepDemo(db, { ...kept, people: [...added.values()] })
    return added
  })
  const idOf = (name: string) => ids.get(name) ?? 0
  const saving = {
    db,
    engine,
    operatorsOf: idsOfOperators,
    agentsOf: idsOfAgents,
    hoursChange,
    requireRoom: requireRoomInTeam,
  }
  const groups: (GroupName & { topics: readonly Topic[] })[] = []
  for (const { topics, people, ...group } of shop.groups) {
    const wish = { ...group, operators: people.map(idOf), agents: [agentId] }
    const { id, name } = await createGroup(saving, wish, now, by)
    groups.push({ id, name, topics })
  }
  return {
    colleagueOf: ({ colleague: name }) => ({ kind: 'operator', id: idOf(name), name }),
    groupOf(topic) {
      const group = groups.find(({ topics }) => topics.includes(topic))
      if (!group) throw new Error(`no group of the demo looks after ${topic}`)
      return group
    },
    groups,
  }
}

/** Deletes the shop's people and their groups. */
export async function removePeople(db: Db, people: readonly number[]): Promise<void> {
  const groups = new Set<number>()
  for (const id of people) for (const group of await groupsOf(db, id)) groups.add(group)
  for (const id of groups) await deleteGroup(db, id)
  for (const id of people) await deleteOperator(db, id)
}
