import type { z } from 'zod'
import type { storedHours } from '../http/hours.ts'
import { versionOf } from '../http/version.ts'
import type { GroupRow } from './tables.ts'

type StoredHours = z.output<typeof storedHours>

/** A group of a team as the API returns it. */
export interface Group {
  id: number
  name: string
  operators: number[]
  agents: number[]
  assignment: GroupRow['assignment']
  at_once: number | null
  hours: StoredHours | null
  created_at: string
  version: string
}

/** A group by its id and name. */
export interface GroupName {
  readonly id: number
  readonly name: string
}

/** @param operators the ids of its members, in order */
export function presentGroup(row: GroupRow, operators: number[]): Group {
  const { id, name, assignment, at_once, created_at } = row
  const agents = readAgents(row.agents)
  return {
    id,
    name,
    operators,
    agents,
    assignment,
    at_once,
    hours: readGroupHours(row.hours),
    created_at,
    version: groupVersion(row, operators),
  }
}

export function groupVersion(
  { name, agents, assignment, at_once, hours }: GroupRow,
  operators: number[],
): string {
  return versionOf(name, agents, assignment, at_once, operators, hours)
}

/** Reads the hours of a group from its row. */
export function readGroupHours(hours: string | null): StoredHours | null {
  return hours === null ? null : (JSON.parse(hours) as StoredHours)
}

/** Writes the agents of a group as its row holds them, so that SQL can look for one. */
export function writeAgents(ids: readonly number[]): string {
  return ids.length === 0 ? '' : `,${inOrder(ids).join(',')},`
}

export function readAgents(agents: string): number[] {
  return agents.split(',').flatMap((id) => (id === '' ? [] : Number(id)))
}

/** Returns ids once each, in order. */
export function inOrder(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
