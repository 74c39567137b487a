import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { RedactionMode } from '../texts/text-rows.ts'

/**
 * Deletes copies of redacted texts, in the transaction that redacts these, and returns the number of rows that had some,
 * by table. Features that store copies give redaction such a function.
 */
export type ForgetCopies = (db: Kysely<Tables>, texts: TextsToForget) => Promise<ForgottenRows>

/** The texts that a transaction redacts. */
interface TextsToForget {
  /** A query for the ids of their completions. */
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>
  /** The conversations of texts without a completion. */
  conversationIds: readonly string[]
  mode: RedactionMode
  /** False: they are redacted because of their age. */
  isAsked: boolean
}

/** The number of rows that were emptied or deleted, by table. */
export type ForgottenRows = Partial<Record<keyof Tables, number>>
