import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr, invalidField } from '../errors.ts'
import { subscribe } from '../events/subscriptions.ts'
import { checkAddress } from '../http/check-address.ts'
import { refuseOutdated } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { expireDeliveriesOf } from './delivery-store.ts'
import { keysOf, makeSecret, secretPlace } from './notification.ts'
import {
  type NewNotification,
  type NotificationPatch,
  notificationVersion,
  type SecretRotation,
} from './schemas.ts'
import { deleteNotification, insertNotification, lockNotification, updateNotification } from './store.ts'
import type { NotificationRow } from './tables.ts'
import { DELIVERIES } from './topics.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

/**
 * Creates a notification. Only this call returns its secret. @throws ApiError invalid_request if the URL is not allowed
 */
export async function createNotification(
  { db, box, outbound }: SaveDependencies,
  agentId: number,
  wish: NewNotification,
  now: string,
  by: TeamBy,
): Promise<{ row: NotificationRow; secret: string }> {
  await checkAddress(outbound, 'url', wish.url)
  const secret = wish.secret ?? makeSecret()
  const row = await db.transaction().execute(async (db) => {
    const id = await insertNotification(db, {
      agent_id: agentId,
      name: wish.name,
      url: wish.url,
      security: wish.security,
      events: JSON.stringify(wish.events),
      active: wish.active ? 1 : 0,
      created_at: now,
    })
    if (wish.active) await subscribe(db, agentId, id, keysOf(wish.events))
    const target = `notification ${id}`
    await record(db, { ...by, agentId, at: now, action: 'notification.created', target })
    return updateNotification(db, id, { secret: box.sealFor(wish.url, secret, secretPlace(id, 'secret')) })
  })
  return { row, secret }
}

/**
 * Changes a notification. Switching it off gives up the deliveries that wait; a new URL is tried at once. A URL of
 * another origin gets a new secret, because the present one belongs to the receiver that has it.
 * @returns the secret too when this call made one
 * @throws ApiError notification_not_found, invalid_request, version_outdated
 */
export async function changeNotification(
  { db, box, outbound }: SaveDependencies,
  agentId: number,
  id: number,
  { version, ...patch }: NotificationPatch,
  now: string,
  by: TeamBy,
): Promise<{ row: NotificationRow; secret?: string }> {
  if (patch.url !== undefined) await checkAddress(outbound, 'url', patch.url)
  return db.transaction().execute(async (db) => {
    const present = foundOr(await lockNotification(db, agentId, id), 'notification_not_found')
    refuseOutdated(version, notificationVersion(present))
    const { url = present.url } = patch
    const isMoved = box.openFor(url, present.secret, secretPlace(id, 'secret')) === null
    const made = isMoved && patch.secret === undefined ? makeSecret() : undefined
    const secret = patch.secret ?? made
    // The secret itself was never sent until now, and another party may be listening at the URL.
    if (patch.security === 'shared_secret' && present.security !== 'shared_secret' && secret === undefined)
      throw invalidField('secret', 'must be a new one, because `shared_secret` sends the secret itself.')
    const row = await updateNotification(db, id, {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.url === undefined ? {} : { url: patch.url, failures: 0, held_until: null }),
      ...(patch.security === undefined ? {} : { security: patch.security }),
      ...(patch.events === undefined ? {} : { events: JSON.stringify(patch.events) }),
      ...(patch.active === undefined ? {} : { active: patch.active ? 1 : 0 }),
      ...(secret === undefined
        ? {}
        : {
            secret: box.sealFor(url, secret, secretPlace(id, 'secret')),
            previous_secret: null,
            previous_secret_until: null,
          }),
      updated_at: now,
    })
    await subscribe(db, agentId, id, row.active ? keysOf(JSON.parse(row.events) as string[]) : [])
    if (!row.active) await expireDeliveriesOf(db, id, now)
    const act = { ...by, agentId, at: now, target: `notification ${id}` }
    const changed = [...Object.keys(patch), ...(made === undefined ? [] : ['secret'])]
    await record(db, { ...act, action: 'notification.changed', details: { changed } })
    wake(db, DELIVERIES)
    return made === undefined ? { row } : { row, secret: made }
  })
}

/**
 * Gives a notification a new secret, which only this call returns. The old one also signs until its grace period ends.
 */
export async function rotateSecret(
  { db, box }: SaveDependencies,
  agentId: number,
  id: number,
  rotation: SecretRotation,
  nowMs: number,
  by: TeamBy,
): Promise<{ row: NotificationRow; secret: string }> {
  const secret = rotation.secret ?? makeSecret()
  const row = await db.transaction().execute(async (db) => {
    const present = foundOr(await lockNotification(db, agentId, id), 'notification_not_found')
    const act = { ...by, agentId, at: timestamp(nowMs), target: `notification ${id}` }
    await record(db, { ...act, action: 'notification.changed', details: { changed: ['secret'] } })
    const { url } = present
    const old = box.openFor(url, present.secret, secretPlace(id, 'secret'))
    return updateNotification(db, id, {
      secret: box.sealFor(url, secret, secretPlace(id, 'secret')),
      ...(old === null
        ? { previous_secret: null, previous_secret_until: null }
        : {
            previous_secret: box.sealFor(url, old, secretPlace(id, 'previous_secret')),
            previous_secret_until: timestamp(nowMs + rotation.grace_seconds * 1000),
          }),
      updated_at: timestamp(nowMs),
    })
  })
  return { row, secret }
}

/** Deletes a notification with its log and its waiting deliveries. @throws ApiError notification_not_found */
export async function removeNotification(
  { db }: Pick<SaveDependencies, 'db'>,
  agentId: number,
  id: number,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await lockNotification(db, agentId, id))) throw new ApiError('notification_not_found')
    await subscribe(db, agentId, id, [])
    await deleteNotification(db, id)
    const target = `notification ${id}`
    await record(db, { ...by, agentId, at: now, action: 'notification.removed', target })
  })
}
