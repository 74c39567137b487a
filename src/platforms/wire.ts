import { createHash } from 'node:crypto'
import { z } from 'zod'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { storableText } from '../lib/storable-text.ts'
import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { type Inbound, InvalidWebhook } from './platform.ts'

/** @throws InvalidWebhook when it is not an object */
export function requireObject(value: unknown): JsonObject {
  const object = toObject(value)
  if (!object) throw new InvalidWebhook('the body is no object')
  return object
}

/**
 * Returns the objects in a body's own list, which may be missing.
 * @throws InvalidWebhook when it is not a list
 */
export function requireObjects(value: unknown): JsonObject[] {
  if (value !== undefined && !Array.isArray(value)) throw new InvalidWebhook('the events are no list')
  return toObjects(value)
}

/** Returns a text that databases accept; null when the value is not a text, or an empty one. */
export function toText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = storableText(value)
  return text.trim() === '' ? null : text
}

/**
 * Returns a number, also one that stands in a text; NaN for anything else. `Number` itself throws for an object whose
 * field `toString` is no function.
 */
export function toNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

const LONGEST_ID = 200

/** Returns an id, from a text or a number. An id that is too long to be stored becomes its hash. */
export function toId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : toText(value)
  if (text === null) return null
  return text.length <= LONGEST_ID ? text : hashOf(text)
}

/** Returns the source id of a text sent from the account. Texts of Parley and of people share the same ids. */
export function toEchoId(id: unknown): string | null {
  const text = toId(id)
  return text === null ? null : `echo:${text}`
}

/**
 * Returns a hash that is the same for the same value.
 * @throws InvalidWebhook for a value that is nested too deep
 */
export function hashOf(value: unknown): string {
  try {
    return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidWebhook('the body is nested too deeply')
    throw error
  }
}

/** Returns events with their time. @param sentAt in milliseconds */
export function withTime(events: Inbound[], sentAt: number): Inbound[] {
  return events.map((event) => ({ ...event, sentAt }))
}

/** Returns an id that consists of digits; null for any other text. */
export function digits(text: string): string | null {
  return /^\d{1,20}$/.test(text) ? text : null
}

/** Returns the field that names a pressed button, if its id can be one of Parley's. */
export function withPressed(id: unknown): { pressed?: string } {
  const pressed = toText(id)
  return pressed === null || pressed.length > LONGEST_ID ? {} : { pressed }
}

/** Returns a header that was sent exactly once. */
export function headerOf(headers: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

const bounded = z
  .string()
  .min(1)
  .max(2000)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')

/** A secret or an id in a channel's settings. */
export const settingText = bounded.optional()

/** An id that becomes part of an address. */
export const settingId = bounded.regex(/^[\w.@-]{1,200}$/, 'must be an id').optional()

/** The settings of every kind. */
export const commonSettings = {
  api_base: httpAddress.optional(),
  debounce_ms: z.int().min(0).max(60_000).optional(),
  groups: z.enum(['never', 'mentioned']).optional(),
}

/** Returns the address of a call. The channel's own base address, if it has one, replaces the platform's. */
export function apiUrl(base: string | undefined, fallback: string, path: string): string {
  return `${(base ?? fallback).replace(/\/+$/, '')}${path}`
}
