import type { Kysely } from 'kysely'
import { bySystem } from '../audit/record.ts'
import type { Tables } from '../storage/tables.ts'
import { FIRST_LINK_MS, INVITATION_MS } from './links.ts'
import type { MailLink } from './mails/mail-link.ts'
import { addInvited } from './team-operators.ts'

/**
 * The address of a first owner whose address was not given. The owner may invite themselves again under an address of
 * their own.
 */
export const FIRST_EMAIL = 'owner@localhost'

/**
 * Creates the first owner of a team within a transaction. Returns the token of the link by which the owner joins.
 * @param email the address of the owner, to whom the link is mailed; null if none was given
 */
export async function addFirstOperator(
  db: Kysely<Tables>,
  teamId: number,
  nowMs: number,
  email: string | null = null,
  mailLink: MailLink = noMail,
): Promise<string> {
  const owner = {
    right: 'own',
    ...(email === null ? { email: FIRST_EMAIL, name: 'Owner' } : { email }),
  } as const
  const dependencies = { db, mailLink: email === null ? noMail : mailLink }
  const lastsMs = email === null ? FIRST_LINK_MS : INVITATION_MS
  const { token } = await addInvited(dependencies, teamId, owner, bySystem, nowMs, lastsMs)
  return token
}

async function noMail(): Promise<void> {}
