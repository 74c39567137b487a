import type { Kysely } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { hashOf } from '../links.ts'
import { insertMail, MAILS, tokenPlace } from './store.ts'

/** A link to join, or to choose a new password, to be mailed to an operator. */
interface LinkToMail {
  operatorId: number
  kind: 'invitation' | 'reset'
  token: string
}

/** Queues the mail of a link in the transaction that creates the link. */
export type MailLink = (db: Kysely<Tables>, link: LinkToMail, nowMs: number) => Promise<void>

/**
 * Stores links that are to be mailed, for a worker to send.
 * @param isOn true if there is a mail server; without one links are only returned and printed
 */
export function linksByMail(isOn: boolean, box: SecretBox): MailLink {
  if (!isOn) return async () => {}
  return async (db, { operatorId, kind, token }, nowMs) => {
    const row = { link_hash: hashOf(token), operator_id: operatorId, kind, due_at: timestamp(nowMs) }
    await insertMail(db, row, (id) => box.seal(token, tokenPlace(id)))
    wake(db, MAILS)
  }
}
