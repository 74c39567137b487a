export interface IdempotencyKeysTable {
  agent_id: number
  key: string
  /** Keyed hash of the request, to recognize a different one with the same key; empty: not known. */
  fingerprint: string
  completion_id: string
  created_at: string
}

declare module '../storage/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeysTable
  }
}
