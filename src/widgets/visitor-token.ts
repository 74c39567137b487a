import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'

const claims = z.strictObject({
  /** Id of the widget: the token is good for no other. */
  widget: z.int(),
  /** The visitor, which stands for one browser. */
  visitor: z.string(),
  session: z.string(),
  /** In milliseconds since the epoch. */
  issued: z.int(),
  language: z.string().nullable(),
  /** The site's user whose id was proved, by which version of the secret, and what the site calls them. */
  user: z.strictObject({ id: z.string(), name: z.string().nullable(), version: z.int() }).nullable(),
})

/** What a visitor token says. */
export type VisitorClaims = z.output<typeof claims>

const PREFIX = 'parley_visitor_'
const LONGEST = 4096

/** A visitor token: what it says, and a signature. Whoever has it is the visitor. */
export function writeVisitorToken(said: VisitorClaims, key: string): string {
  const body = Buffer.from(JSON.stringify(said)).toString('base64url')
  return `${PREFIX}${body}.${signature(body, key)}`
}

/** What a token says that was signed with the key; null: it was not. */
export function readVisitorToken(token: string, key: string): VisitorClaims | null {
  if (!token.startsWith(PREFIX) || token.length > LONGEST) return null
  const [body = '', given = '', ...rest] = token.slice(PREFIX.length).split('.')
  if (rest.length > 0 || !equalInConstantTime(given, signature(body, key))) return null
  return claims.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
}

function signature(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('base64url')
}
