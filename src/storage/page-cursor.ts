import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { bindingOf, cursorOf, readCursor } from '../lib/cursor.ts'
import { COUNTED, type List, type Position } from './list.ts'
import type { Tables } from './tables.ts'

/** Writes the position at which the next page of a list begins, as text for clients. */
export function writePageCursor<T extends keyof Tables, Row>(list: List<T, Row>, position: Position): string {
  const { after, page, total, isCapped } = position
  return cursorOf(bindingOfList(list), [after, page, total, isCapped])
}

/** Reads a cursor. @throws ApiError invalid_request if it does not belong to the list */
export function readPageCursor<T extends keyof Tables, Row>(cursor: string, list: List<T, Row>): Position {
  const known = readCursor(cursor, bindingOfList(list), cursorSchema(list.key, list.texts))
  if (!known)
    throw invalidField('cursor', 'must be the next_cursor of a page of this list with the same filters')
  const [, after, page, total, isCapped] = known
  return { after, page, total, isCapped }
}

const text = z
  .string()
  .max(255)
  .refine((value) => !value.includes('\u0000'))

/** Creates the schema of a cursor: the list that it belongs to, and a position in it. */
function cursorSchema(key: readonly string[], texts: readonly string[] = []) {
  const ofColumn = (column: string) => {
    if (texts.includes(column)) return text
    return /(^|_)at$/.test(column) ? z.iso.datetime() : z.int().min(0)
  }
  const after = z
    .array(z.union([z.string(), z.number()]))
    .length(key.length)
    .refine((values) => values.every((value, at) => ofColumn(key[at] ?? '').safeParse(value).success))
  return z.tuple([z.string(), after, z.int().min(1), z.int().min(0).max(COUNTED), z.boolean()])
}

/** Returns a text that identifies a list together with its filters. */
function bindingOfList<T extends keyof Tables, Row>({
  query,
  of,
  order,
  least,
  most,
  filters = [],
}: List<T, Row>) {
  const wanted = filters.map(({ column, value }) => [column, value])
  return bindingOf([query.compile().sql, of, order, least, most, wanted])
}
