import type { Right } from './rights.ts'

/** Somebody who acts for a team: a person who is signed in, or the holder of a bearer token. */
export interface Member {
  readonly teamId: number
  readonly right: Right
  readonly actor: { readonly kind: 'operator' | 'token'; readonly id: number; readonly name: string }
  /**
   * The name that end users see as the author of a person's answers; null for a token, whose requests name the author.
   */
  readonly displayName: string | null
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
