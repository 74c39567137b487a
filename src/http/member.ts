import type { Right } from './rights.ts'
import type { Scope } from './scope.ts'

/** The admission of a request: a key with a token, the session of a person, or the token of a widget's visitor. */
export type Admission =
  | { readonly kind: 'pair'; readonly keyId: number; readonly tokenId: number }
  | { readonly kind: 'session'; readonly sessionId: number }
  | {
      readonly kind: 'visitor'
      readonly widgetId: number
      readonly userId: string
      /** The version of the secret with which the site signed the visitor's id; null when it did not. */
      readonly secretVersion: number | null
      /** Milliseconds since the epoch. */
      readonly expiresAt: number
    }

/** An actor for a team: a person who is signed in, or the holder of a bearer token. */
interface Member {
  readonly teamId: number
  readonly right: Right
  /** The conversations that they may see; null: all, as for every token. */
  readonly scope: Scope | null
  readonly actor: { readonly kind: 'operator' | 'token'; readonly id: number; readonly name: string }
  /**
   * The name that end users see as the author of a person's answers; null for a token, whose requests name the author.
   */
  readonly displayName: string | null
  readonly admission: Admission
}

/** A member who acts for one of the team's agents. */
export interface Caller extends Member {
  readonly agentId: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handlers of routes with credentials run. */
    member: Member
    /** Set for the routes of an agent. */
    caller: Caller
  }
}
