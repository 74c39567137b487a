import { createHash } from 'node:crypto'
import { z } from 'zod'
import { httpAddress } from '../lib/http-address.ts'
import { storableText } from '../lib/storable-text.ts'
import { InvalidWebhook } from './platform.ts'

/** Reading what others send: nothing is believed, and what is not as expected is not there. */
export type JsonObject = Readonly<Record<string, unknown>>

/** @throws InvalidWebhook when it is no object */
export function requireObject(value: unknown): JsonObject {
  const object = toObject(value)
  if (!object) throw new InvalidWebhook('the body is no object')
  return object
}

export function toObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The objects of a body's own list, which may be left out. @throws InvalidWebhook when it is no list */
export function requireObjects(value: unknown): JsonObject[] {
  if (value !== undefined && !Array.isArray(value)) throw new InvalidWebhook('the events are no list')
  return toObjects(value)
}

/** The objects of a list; empty when it is none. */
export function toObjects(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    const object = toObject(item)
    return object === null ? [] : [object]
  })
}

/** A text that databases take; null when there is none or nothing in it. */
export function toText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = storableText(value)
  return text.trim() === '' ? null : text
}

const LONGEST_ID = 200

/** An id: a text or a number; one that is too long to be kept becomes its hash. */
export function toId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : toText(value)
  if (text === null) return null
  return text.length <= LONGEST_ID ? text : hashOf(text)
}

/** The source id of a text that was sent from the account, by Parley or by a person: they share one numbering. */
export function toEchoId(id: unknown): string | null {
  const text = toId(id)
  return text === null ? null : `echo:${text}`
}

/** The same for the same value. @throws InvalidWebhook for one that is nested beyond measure */
export function hashOf(value: unknown): string {
  try {
    return `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidWebhook('the body is nested too deeply')
    throw error
  }
}

/** A header that came once. */
export function headerOf(headers: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

const bounded = z
  .string()
  .min(1)
  .max(2000)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')

/** A secret or an id among a channel's settings. */
export const settingText = bounded.optional()

/** An id that becomes part of an address. */
export const settingId = bounded.regex(/^[\w.@-]{1,200}$/, 'must be an id').optional()

/** Settings of every kind. */
export const commonSettings = {
  api_base: httpAddress.optional(),
  debounce_ms: z.int().min(0).max(60_000).optional(),
  groups: z.enum(['never', 'mentioned']).optional(),
}

/** The address of a call, with the channel's own host in place of the platform's when it has one. */
export function apiUrl(base: string | undefined, fallback: string, path: string): string {
  return `${(base ?? fallback).replace(/\/+$/, '')}${path}`
}
