import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { parseOrNull } from './parse-or-null.ts'

/** Identifies a list and its filters, so that a cursor of another one is refused. */
export function bindingOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 16)
}

/** Writes a position in a list as text for clients. @param binding identifies the list */
export function cursorOf(binding: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([binding, ...position])).toString('base64url')
}

/** Reads a cursor: its binding, then the position. Returns null if it has another form, or belongs to another list. */
export function readCursor<Values extends readonly [string, ...unknown[]]>(
  cursor: string,
  binding: string,
  schema: z.ZodType<Values>,
): Values | null {
  const { data } = schema.safeParse(parseOrNull(Buffer.from(cursor, 'base64url').toString()))
  return data?.[0] === binding ? data : null
}
