import type { Kysely } from 'kysely'
import { record } from '../../audit/record.ts'
import type { OidcSettings } from '../../config.ts'
import { timestamp } from '../../lib/clock.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { beginSession } from '../begin-session.ts'
import { useOpenLink } from '../links.ts'
import { actorOf } from '../operator.ts'
import { recordRefusal } from '../record-refusal.ts'
import { openSession, type Visitor } from '../sessions.ts'
import {
  insertOperator,
  lockOperator,
  selectOperatorByEmail,
  selectOperatorBySubject,
  updateOperator,
} from '../store.ts'
import type { OperatorRow } from '../tables.ts'
import type { Identity, IdentityDetails } from './provider.ts'
import { OidcRefusal } from './refusal.ts'

const LONGEST_NAME = 200

export interface SignInAsDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
  newcomers: OidcSettings['newcomers']
  teamExists: (db: Kysely<Tables>, teamId: number) => Promise<boolean>
}

/**
 * Signs in the person whom the identity provider has identified. At the first sign-in, a person takes up the invitation
 * of their verified e-mail address, or becomes a member of the team for newcomers.
 * @param details asks the provider for address and name, which only a first sign-in needs
 * @returns the token for the session's cookie
 * @throws OidcRefusal
 */
export async function signInAs(
  dependencies: SignInAsDependencies,
  identity: Identity,
  details: () => Promise<IdentityDetails>,
  visitor: Visitor,
  nowMs: number,
): Promise<string> {
  const { db, engine } = dependencies
  const known = await selectOperatorBySubject(db, identity)
  if (known) return signInKnown(db, known, visitor, nowMs)
  const found = await details()
  if (found.verifiedEmail === null) throw new OidcRefusal('email_not_verified')
  const newcomer = { ...found, verifiedEmail: found.verifiedEmail }
  try {
    return await welcome(dependencies, identity, newcomer, visitor, nowMs)
  } catch (error) {
    const refusal = engine.isUniqueViolation(error) ? new OidcRefusal('account_exists', error) : error
    if (!(refusal instanceof OidcRefusal) || refusal.reason !== 'account_exists') throw refusal
    // The same person may have signed in twice at once: then the other sign-in created the account. On SQLite a read
    // outside of a transaction does not see it before it is committed.
    const made = await db.transaction().execute((db) => selectOperatorBySubject(db, identity))
    if (!made) throw refusal
    return signInKnown(db, made, visitor, nowMs)
  }
}

async function signInKnown(
  db: Kysely<Tables>,
  known: OperatorRow,
  visitor: Visitor,
  nowMs: number,
): Promise<string> {
  const token = await db.transaction().execute(async (db) => {
    // Read again under a lock, so that a person who has just been disabled or reset cannot sign in.
    const operator = await lockOperator(db, known.team_id, known.id)
    const isStill = operator?.oidc_subject === known.oidc_subject
    if (!operator || !isStill || operator.active === 0) return null
    return (await beginSession(db, operator, visitor, nowMs, BY_PROVIDER)).token
  })
  if (token !== null) return token
  await recordRefusal(db, known, visitor, nowMs)
  throw new OidcRefusal('account_disabled')
}

type Newcomer = IdentityDetails & { verifiedEmail: string }

/** Links an invited person to their identity, or creates a new person, and signs them in. */
async function welcome(
  dependencies: SignInAsDependencies,
  identity: Identity,
  newcomer: Newcomer,
  visitor: Visitor,
  nowMs: number,
): Promise<string> {
  return dependencies.db.transaction().execute(async (db) => {
    const account = await selectOperatorByEmail(db, newcomer.verifiedEmail)
    const operator = account
      ? await takeUpInvitation(db, account, identity, nowMs)
      : await addNewcomer(db, dependencies, identity, newcomer, nowMs)
    const session = await openSession(db, operator, visitor, nowMs)
    await record(db, {
      teamId: operator.team_id,
      at: timestamp(nowMs),
      actor: actorOf(operator),
      action: 'operator.joined',
      target: `operator ${operator.id}`,
      details: { ...BY_PROVIDER, right: operator.right },
      address: visitor.address,
    })
    return session.token
  })
}

const BY_PROVIDER = { by: 'openid_connect' }

/** Uses up the open link of an account. An account without one belongs to the person who knows its password. */
async function takeUpInvitation(
  db: Kysely<Tables>,
  account: OperatorRow,
  { issuer, subject }: Identity,
  nowMs: number,
): Promise<OperatorRow> {
  const invited = await lockOperator(db, account.team_id, account.id)
  if (!invited || invited.active === 0) throw new OidcRefusal('account_disabled')
  const isOpen = invited.password_hash === null && (await useOpenLink(db, invited.id, nowMs))
  if (!isOpen) throw new OidcRefusal('account_exists')
  return updateOperator(db, invited.id, {
    oidc_issuer: issuer,
    oidc_subject: subject,
    joined_at: invited.joined_at ?? timestamp(nowMs),
  })
}

async function addNewcomer(
  db: Kysely<Tables>,
  { newcomers, teamExists }: SignInAsDependencies,
  { issuer, subject }: Identity,
  { verifiedEmail, name }: Newcomer,
  nowMs: number,
): Promise<OperatorRow> {
  const [mailbox = '', domain = ''] = verifiedEmail.split(/@(?=[^@]*$)/)
  if (!newcomers?.domains.includes(domain) || !(await teamExists(db, newcomers.teamId)))
    throw new OidcRefusal('not_invited')
  const at = timestamp(nowMs)
  const { id } = await insertOperator(db, {
    team_id: newcomers.teamId,
    name:
      storableText(name ?? '')
        .trim()
        .slice(0, LONGEST_NAME) || mailbox,
    email: verifiedEmail,
    right: newcomers.right,
    created_at: at,
  })
  return updateOperator(db, id, { oidc_issuer: issuer, oidc_subject: subject, joined_at: at })
}
