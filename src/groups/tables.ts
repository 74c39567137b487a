import type { Generated, Selectable } from 'kysely'

/** A group of people of a team, to which conversations are given. */
export interface GroupsTable {
  id: Generated<number>
  team_id: number
  name: string
  /** The ids of the agents whose conversations it is for, as `,3,7,`; empty: of all agents of the team. */
  agents: string
  assignment: 'off' | 'round_robin' | 'least_loaded'
  /** A person with this many conversations in hand is given no more; null: no limit. */
  at_once: number | null
  /** The person who was given a conversation last; 0: nobody. */
  last_operator_id: Generated<number>
  /** JSON: its hours; null: those of the agent. */
  hours: Generated<string | null>
  created_at: string
  /** The time at which it was deleted; the row is kept until no conversation is in it. */
  deleted_at: string | null
}

export interface GroupMembersTable {
  group_id: number
  operator_id: number
}

export type GroupRow = Selectable<GroupsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    groups: GroupsTable
    group_members: GroupMembersTable
  }
}
