import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'

const claims = z.strictObject({
  /** The id of the widget; no other one accepts the token. */
  widget: z.int(),
  /** The id of the visitor, one for each browser. */
  visitor: z.string(),
  session: z.string(),
  /** Milliseconds since the epoch. */
  issued: z.int(),
  language: z.string().nullable(),
  /**
   * The site's user whose id was proven, with the version of the secret that proved it and the site's name for the
   * user.
   */
  user: z.strictObject({ id: z.string(), name: z.string().nullable(), version: z.int() }).nullable(),
})

/** The claims of a visitor token. */
export type VisitorClaims = z.output<typeof claims>

const PREFIX = 'parley_visitor_'
const LONGEST = 4096

/** Writes a visitor token: its claims and a signature. Anyone who has the token is the visitor. */
export function writeVisitorToken(said: VisitorClaims, key: string): string {
  const body = Buffer.from(JSON.stringify(said)).toString('base64url')
  return `${PREFIX}${body}.${signature(body, key)}`
}

/** Reads the claims of a token that was signed with the key; null for any other text. */
export function readVisitorToken(token: string, key: string): VisitorClaims | null {
  if (!token.startsWith(PREFIX) || token.length > LONGEST) return null
  const [body = '', given = '', ...rest] = token.slice(PREFIX.length).split('.')
  if (rest.length > 0 || !equalInConstantTime(given, signature(body, key))) return null
  return claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
}

function signature(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('base64url')
}
