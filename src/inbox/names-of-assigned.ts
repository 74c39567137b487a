import type { NamesOfAssigned } from '../desk/assign.ts'
import { namesOfGroups } from '../groups/store.ts'
import { namesOfOperators } from '../operators/find-operator.ts'

/** Reads who some conversations are assigned to. */
export const namesOfAssigned: NamesOfAssigned = async (db, rows) => {
  const people = await namesOfOperators(db, distinct(rows.map(({ assignee_id }) => assignee_id)))
  const groups = await namesOfGroups(db, distinct(rows.map(({ group_id }) => group_id)))
  return ({ assignee_id, group_id }) => {
    const name = people.get(assignee_id ?? 0)
    return {
      assignee: assignee_id === null || name === undefined ? null : { id: assignee_id, name },
      group: groups.get(group_id ?? 0) ?? null,
    }
  }
}

/** Returns the ids among some values, each once; 0 is none. */
export function distinct(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids)].flatMap((id) => id || [])
}
