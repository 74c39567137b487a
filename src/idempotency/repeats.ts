import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../errors.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteIdempotencyKey, insertIdempotencyKey, selectIdempotencyKey } from './store.ts'
import type { IdempotencyKeyRow } from './tables.ts'

/** The key in a request's header and a keyed hash of its content, by which a repeat of the request is recognized. */
export interface Idempotency {
  key: string
  fingerprint: string
}

/** The time for which a repeat of a request is recognized. */
export const REPEATS_KEPT_MS = DAY_MS

/** The header of requests whose repeats are recognized. */
export const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe('A repeat within 24 hours gets the first answer and makes nothing new.'),
})

/** @param hashKey keeps others from testing whether a body is the one that was sent */
export function idempotencyOf(key: string, body: unknown, hashKey: string): Idempotency {
  return { key, fingerprint: createHmac('sha256', hashKey).update(JSON.stringify(body)).digest('base64url') }
}

/** Reads the key of a request; returns null if it has none. */
export function readIdempotency(
  { headers }: { headers: IncomingHttpHeaders },
  body: unknown,
  hashKey: string,
): Idempotency | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > 255) {
    throw new ApiError('invalid_request', { message: 'Idempotency-Key must have 1 to 255 characters.' })
  }
  return idempotencyOf(key, body, hashKey)
}

/**
 * Stores a key, in the transaction of what its request makes.
 * @param completionId the completion that the request makes; null: it makes a message
 * @returns what an earlier request with this key made within the last day; null: there was none
 * @throws ApiError idempotency_key_reused
 */
export async function keepKey(
  db: Kysely<Tables>,
  agentId: number,
  { key, fingerprint }: Idempotency,
  completionId: string | null,
  nowMs: number,
): Promise<Pick<IdempotencyKeyRow, 'completion_id' | 'message_id'> | null> {
  const row = {
    agent_id: agentId,
    key,
    fingerprint,
    completion_id: completionId ?? '',
    created_at: timestamp(nowMs),
  }
  for (;;) {
    const [kept] = await insertIdempotencyKey(db, row)
    if (kept) return null
    const earlier = await findRepeated(db, agentId, { key, fingerprint }, nowMs)
    if (earlier) return earlier
    await deleteIdempotencyKey(db, agentId, key, oldestOf(nowMs))
  }
}

/**
 * Returns what an earlier request with a key made within the last day; null: there was none, or it is not done.
 * @throws ApiError idempotency_key_reused
 */
export async function findRepeated(
  db: Kysely<Tables>,
  agentId: number,
  { key, fingerprint }: Idempotency,
  nowMs: number,
): Promise<Pick<IdempotencyKeyRow, 'completion_id' | 'message_id'> | null> {
  const earlier = await selectIdempotencyKey(db, agentId, key)
  if (!earlier || earlier.created_at < oldestOf(nowMs)) return null
  // Older versions stored no hash. Such a request counts as the same.
  if (earlier.fingerprint && earlier.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused')
  return earlier
}

function oldestOf(nowMs: number): string {
  return timestamp(nowMs - REPEATS_KEPT_MS)
}
