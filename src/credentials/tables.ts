import type { Generated } from 'kysely'

export interface ApiKeysTable {
  id: Generated<number>
  agent_id: number
  team_id: number
  name: string
  hash: string
  created_at: string
  revoked_at: string | null
}

export interface BearerTokensTable {
  id: Generated<number>
  team_id: number
  name: string
  hash: string
  /** A Right of src/http. */
  right: Generated<string>
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

declare module '../storage/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable
    bearer_tokens: BearerTokensTable
  }
}
