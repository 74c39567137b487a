import type { Tables } from '../storage/tables.ts'

/** A row whose texts were overwritten: its columns before and after. */
export interface WrittenRow {
  table: keyof Tables
  id: string | number
  before: Readonly<Record<string, string | null>>
  after: Readonly<Record<string, string | null>>
}

/** Tells whether a text of a row has changed. */
export function isRewritten({ before, after }: WrittenRow): boolean {
  return Object.keys(before).some((column) => before[column] !== after[column])
}
