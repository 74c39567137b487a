import type { Right } from './rights.ts'

/** Who asks for a team: a person who is signed in, or the holder of a bearer token. */
export interface Member {
  readonly teamId: number
  readonly right: Right
  readonly actor: { readonly kind: 'operator' | 'token'; readonly id: number; readonly name: string }
  /** What end users see as the author of a person's answers; null: a token, which names one itself. */
  readonly displayName: string | null
}

/** A member who asks in the name of one of the team's agents. */
export interface Caller extends Member {
  readonly agentId: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler of a credentialed route runs. */
    member: Member
    /** Set for the routes of an agent. */
    caller: Caller
  }
}
