import type { Generated } from 'kysely'

/** Values of the installation as a whole, such as the encrypted key with which credentials are hashed. */
export interface InstallationTable {
  name: string
  value: string
}

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
    installation: InstallationTable
    api_keys: ApiKeysTable
    bearer_tokens: BearerTokensTable
  }
}
