export interface IdempotencyKeysTable {
  agent_id: number
  key: string
  /** Keyed hash of the request, which tells a different request under the same key apart; empty: not known. */
  fingerprint: string
  completion_id: string
  created_at: string
}

declare module '../storage/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeysTable
  }
}
