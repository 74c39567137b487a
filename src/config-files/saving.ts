import { isDeepStrictEqual } from 'node:util'
import { invalidField } from '../errors.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { toObject } from '../lib/untrusted-json.ts'
import { type Item, plain } from './item.ts'
import type { Present } from './section.ts'

/** One page with all that an agent has of a kind. */
const ALL: PageRequest = { page: 1, per_page: 100_000 }

/** Returns the objects of rows, the oldest first. */
export function presentOf<Row extends { id: number }>(
  rows: readonly Row[],
  item: (row: Row) => object,
): Present[] {
  return rows.map((row) => ({ id: row.id, item: plain(item(row)) })).sort((one, other) => one.id - other.id)
}

/** Returns the objects of a list, the oldest first. */
export async function allOf<Row extends { id: number }>(
  select: (request: PageRequest) => Promise<Page<Row>>,
  item: (row: Row) => object,
): Promise<Present[]> {
  return presentOf((await select(ALL)).rows, item)
}

/** Returns the fields of an object that differ from the present ones. */
export function differing(present: Item, item: Item): Item {
  const fields = Object.entries(item).filter(([name, value]) => !isDeepStrictEqual(present[name], value))
  return Object.fromEntries(fields)
}

/** Returns fields for a patch that merges field by field: null takes away those that only the present ones have. */
export function merging(present: unknown, given: unknown): Item {
  const nulls = Object.keys(toObject(present) ?? {}).map((name) => [name, null])
  return { ...Object.fromEntries(nulls), ...toObject(given) }
}

/** @throws ApiError invalid_request for a field that never changes */
export function refuseChange(field: string, present: Item, item: Item): void {
  if (present[field] !== item[field])
    throw invalidField(field, 'cannot change: give the new one another name, or remove this one first')
}
