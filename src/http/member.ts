import type { Right } from './rights.ts'

/** Who asks for a team: a person who is signed in, or the holder of a bearer token. */
export interface Member {
  readonly teamId: number
  readonly right: Right
  readonly actor: { readonly kind: 'operator' | 'token'; readonly id: number; readonly name: string }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any handler of a credentialed route runs. */
    member: Member
  }
}
