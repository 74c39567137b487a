import type { Generated, Selectable } from 'kysely'

/** The keys by which repeated requests are recognized. */
export interface IdempotencyKeysTable {
  agent_id: number
  key: string
  /** Keyed hash of the request, to recognize a different one with the same key; empty: not known. */
  fingerprint: string
  /** The completion that the request has made; empty if it made a message of an operator. */
  completion_id: string
  message_id: Generated<number | null>
  created_at: string
}

export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>

declare module '../storage/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeysTable
  }
}
