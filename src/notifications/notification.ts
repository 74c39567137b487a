import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { foundOr } from '../errors.ts'
import { eventKeys } from '../events/keys.ts'
import { rowId } from '../lib/ids.ts'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { selectNotification } from './store.ts'
import type { NotificationRow } from './tables.ts'

/** The most deliveries of one notification that may be under way at once, across all processes. */
export const DELIVERIES_AT_ONCE = 4

/** Reads a notification of an agent. @throws ApiError notification_not_found, also if it is another agent's */
export async function readNotification(
  db: Kysely<Tables>,
  agentId: number,
  id: string,
): Promise<NotificationRow> {
  return foundOr(await selectNotification(db, agentId, rowId(id)), 'notification_not_found')
}

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Returns the event keys that a notification's `events` stand for. */
export function keysOf(events: string[]): string[] {
  return events.includes('*') ? Object.keys(eventKeys) : [...new Set(events)]
}

export function secretPlace(id: number, column: 'secret' | 'previous_secret'): SentPlace {
  return `notifications|${id}|${column}`
}

/** The secrets that sign a delivery: the present one, and for a while after a rotation also the previous one. */
export interface Secrets {
  secret: string
  previous: string | null
}

/**
 * Opens the secrets of a notification; null when they belong to another origin than the address: then nothing may be
 * sent.
 */
export function openSecrets(row: NotificationRow, box: SecretBox, now: string): Secrets | null {
  const { id, url, previous_secret } = row
  const secret = box.openFor(url, row.secret, secretPlace(id, 'secret'))
  if (secret === null) return null
  const lasts = previous_secret !== null && (row.previous_secret_until ?? '') > now
  const previous = lasts ? box.openFor(url, previous_secret, secretPlace(id, 'previous_secret')) : null
  return { secret, previous }
}
