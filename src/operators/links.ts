import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import {
  deleteLinksBefore,
  deleteLinksOf,
  insertLink,
  selectLink,
  takeLink,
  takeOpenLinkOf,
} from './store.ts'

export const INVITATION_MS = 7 * DAY_MS
export const FIRST_LINK_MS = DAY_MS

/**
 * Creates the link by which an operator joins or chooses a new password, and invalidates earlier links. Returns its
 * token.
 */
export async function makeLink(
  db: Kysely<Tables>,
  operatorId: number,
  nowMs: number,
  lastsMs: number,
): Promise<string> {
  await deleteLinksOf(db, operatorId)
  const token = randomBytes(32).toString('base64url')
  const expires_at = timestamp(nowMs + lastsMs)
  await insertLink(db, { hash: hashOf(token), operator_id: operatorId, expires_at })
  return token
}

/** Returns the operator's id of a link that is still valid; null when it is not. */
export function readLink(db: Kysely<Tables>, token: string, nowMs: number): Promise<number | null> {
  return selectLink(db, hashOf(token), timestamp(nowMs))
}

/** Uses up a link. Returns false when it is no longer valid. */
export function useLink(db: Kysely<Tables>, token: string, nowMs: number): Promise<boolean> {
  return takeLink(db, hashOf(token), timestamp(nowMs))
}

/**
 * Uses up the link of an operator who has proven their identity in another way; returns true if there was a valid one.
 */
export function useOpenLink(db: Kysely<Tables>, operatorId: number, nowMs: number): Promise<boolean> {
  return takeOpenLinkOf(db, operatorId, timestamp(nowMs))
}

/** Deletes links that have expired; returns the number of them. */
export function deleteOldLinks(db: Kysely<Tables>, nowMs: number, limit: number): Promise<number> {
  return deleteLinksBefore(db, timestamp(nowMs), limit)
}

/** Returns the address of a link. The token comes after `#`, so that no log contains it. */
export function joinUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/console/join#${token}`
}

/** Returns the stored hash of a link's token, which has 256 random bits. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
