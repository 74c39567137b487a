import type { Key } from './keys.ts'

/** A value with its key, which a text holds in some structure. */
export interface Field extends Key {
  start: number
  end: number
  /** True if the key is not directly before the value, so that recognizers do not see it there. */
  isApart: boolean
}

/** Receives the fields of a text, those of one structure in their order. */
export type FieldFound = (field: Field) => void

const EDGE = /[\s"'`“”„«»*_]/

/** Passes a field on without the spaces, quotes and marks around its value, unless nothing is left. */
export function addField(
  text: string,
  { key, kind }: Key,
  from: number,
  to: number,
  isApart: boolean,
  found: FieldFound,
) {
  let start = from
  let end = to
  while (start < end && EDGE.test(text.charAt(start))) start++
  while (end > start && (EDGE.test(text.charAt(end - 1)) || text.charAt(end - 1) === ',')) end--
  if (end > start) found({ key, kind, start, end, isApart })
}
