import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'

/** A person of a team. */
export interface OperatorsTable {
  id: Generated<number>
  team_id: number
  name: string
  /** The name that end users see; null for the first word of the name. */
  display_name: string | null
  /** The address in lower case; unique in the installation. */
  email: string
  /** A Right of src/http, but never `chat`. */
  right: string
  /** A ScopeKind of src/http. Who may manage the agents has `all`. */
  scope: Generated<string>
  /** With the scope `groups`: 1 if they see conversations of no group, too. */
  sees_unassigned: Generated<Flag>
  active: Generated<Flag>
  /** The hash; null until the person has joined, and for people who sign in through an identity provider. */
  password_hash: string | null
  /** Sealed; null when there is no second factor. */
  totp_secret: string | null
  /** Sealed: a new secret that waits for its first valid code. */
  totp_pending: string | null
  /** The time step of the last code that was accepted. */
  totp_step: number | null
  /** JSON array of the codes' hashes. */
  recovery_codes: string | null
  oidc_issuer: string | null
  oidc_subject: string | null
  created_at: string
  joined_at: string | null
  last_seen_at: string | null
  /** The time until which they are given conversations; null or past: they are away. */
  available_until: string | null
}

/** Links by which people join or choose a new password. Each works once. */
export interface OperatorLinksTable {
  hash: string
  operator_id: number
  expires_at: string
}

export interface OperatorSessionsTable {
  id: Generated<number>
  operator_id: number
  hash: string
  created_at: string
  used_at: string
  expires_at: string
  address: string | null
  user_agent: string | null
}

/** Refused sign-ins of the last minutes, by account and by address. */
export interface SignInFailuresTable {
  id: Generated<number>
  scope: string
  at: string
}

/** Links that are to be mailed. A row is deleted when its mail is sent, and with its link. */
export interface OperatorMailsTable extends WorkColumns {
  id: Generated<number>
  link_hash: string
  operator_id: number
  kind: 'invitation' | 'reset'
  /** Sealed. */
  token: string
  due_at: string
}

/** The browsers to which people have notices pushed. */
export interface PushBrowsersTable {
  id: Generated<number>
  operator_id: number
  /** The session that added it. It goes when that is signed out, not when it expires. */
  session_id: number
  /** The address of the push service, which only the browser and this service know. */
  endpoint: string
  /** The browser's public key, and what it shares with this service, in base64url (RFC 8291). */
  p256dh: string
  auth: string
  user_agent: string | null
  created_at: string
}

export type OperatorMailRow = Selectable<OperatorMailsTable>
export type OperatorRow = Selectable<OperatorsTable>
export type OperatorSessionRow = Selectable<OperatorSessionsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    operators: OperatorsTable
    operator_links: OperatorLinksTable
    operator_sessions: OperatorSessionsTable
    operator_mails: OperatorMailsTable
    push_browsers: PushBrowsersTable
    sign_in_failures: SignInFailuresTable
  }
}
