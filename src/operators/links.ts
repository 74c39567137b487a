import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { deleteLinksBefore, deleteLinksOf, insertLink, linkExists, takeLink } from './store.ts'

const DAY_MS = 24 * 60 * 60_000
export const INVITATION_MS = 7 * DAY_MS
export const FIRST_LINK_MS = DAY_MS

/**
 * Creates the link by which an operator joins or chooses a new password, and invalidates earlier links. Returns its
 * token.
 */
export async function makeLink(
  db: Kysely<Tables>,
  operatorId: number,
  now: number,
  lastsMs: number,
): Promise<string> {
  await deleteLinksOf(db, operatorId)
  const token = randomBytes(32).toString('base64url')
  const expires_at = timestamp(now + lastsMs)
  await insertLink(db, { hash: hashOf(token), operator_id: operatorId, expires_at })
  return token
}

/** Whether a link is still valid. */
export function isGoodLink(db: Kysely<Tables>, token: string, now: number): Promise<boolean> {
  return linkExists(db, hashOf(token), timestamp(now))
}

/** Uses up a link. Returns the operator's id; null when the link is no longer valid. */
export function useLink(db: Kysely<Tables>, token: string, now: number): Promise<number | null> {
  return takeLink(db, hashOf(token), timestamp(now))
}

/** Deletes links that have expired; returns how many. */
export function deleteOldLinks(db: Kysely<Tables>, now: number, limit: number): Promise<number> {
  return deleteLinksBefore(db, timestamp(now), limit)
}

/** The address of a link. The token comes after `#`, so that no log contains it. */
export function joinUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/console/join#${token}`
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
