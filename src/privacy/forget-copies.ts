import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { RedactionMode } from '../texts/text-rows.ts'

/**
 * Deletes copies of the texts of completions, in the transaction that redacts these, and returns the number of rows that
 * had some, by table. Features that store copies give redaction such a function.
 * @param completions a query for their ids
 * @param isAsked false: they are redacted because of their age
 */
export type ForgetCopies = (
  db: Kysely<Tables>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  mode: RedactionMode,
  isAsked: boolean,
) => Promise<ForgottenRows>

/** The number of rows that were emptied or deleted, by table. */
export type ForgottenRows = Partial<Record<keyof Tables, number>>
