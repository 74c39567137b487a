import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { parseOrNull } from '../lib/parse-or-null.ts'
import { COUNTED, type List, type Position } from './list.ts'
import type { Tables } from './tables.ts'

/** Writes the position at which the next page of a list begins, as text for clients. */
export function writeCursor<T extends keyof Tables, Row>(list: List<T, Row>, position: Position): string {
  const { after, page, total, isCapped } = position
  return Buffer.from(JSON.stringify([bindingOf(list), after, page, total, isCapped])).toString('base64url')
}

/** Reads a cursor. @throws ApiError invalid_request if it does not belong to the list */
export function readCursor<T extends keyof Tables, Row>(cursor: string, list: List<T, Row>): Position {
  const { data } = cursorSchema(list.key, list.texts).safeParse(
    parseOrNull(Buffer.from(cursor, 'base64url').toString()),
  )
  if (!data || data[0] !== bindingOf(list)) {
    throw invalidField('cursor', 'must be the next_cursor of a page of this list with the same filters')
  }
  const [, after, page, total, isCapped] = data
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
function bindingOf<T extends keyof Tables, Row>({
  query,
  of,
  order,
  least,
  most,
  filters = [],
}: List<T, Row>) {
  const wanted = filters.map(({ column, value }) => [column, value])
  const all = JSON.stringify([query.compile().sql, of, order, least, most, wanted])
  return createHash('sha256').update(all).digest('base64url').slice(0, 16)
}
