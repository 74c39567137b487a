import { randomBytes } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tells whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Reads the number of a row from a path. Returns 0, which no row has, if the text is no such number. */
export function rowId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

/** Makes a new UUIDv7 (RFC 9562 section 5.7) of the given time in milliseconds since the epoch. */
export function uuidv7(nowMs: number): string {
  return format(nowMs, takeRandom())
}

/**
 * Makes the UUIDv7 that follows `last`: one of time `nowMs` if that is later, else `last` plus one. Ids made one after
 * the other therefore always rise, even if clocks differ (RFC 9562 section 6.2, monotonic random).
 */
export function uuidv7After(last: string, nowMs: number): string {
  const fresh = uuidv7(nowMs)
  if (fresh > last) return fresh
  const hex = last.replaceAll('-', '')
  // Adds one to the 74 random bits and leaves the version and variant bits between them alone.
  const random = (BigInt(`0x${hex.slice(13, 16)}`) << 62n) | (BigInt(`0x${hex.slice(16)}`) & MASK_62)
  const next = random + 1n
  const time = Number.parseInt(hex.slice(0, 12), 16)
  return next >> 74n ? format(time + 1, takeRandom()) : format(time, bytesOf(next))
}

/** Returns the time in a UUIDv7, in milliseconds since the epoch. */
export function uuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const MASK_62 = (1n << 62n) - 1n
const POOL_SIZE = 4096
let pool = Buffer.alloc(0)
let used = 0

/** Takes random bytes from a pool: one system call serves four hundred ids. */
function takeRandom(count = 10): Buffer {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_SIZE)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** Returns random hexadecimal digits, two for each byte. */
export function randomHex(bytes: number): string {
  return takeRandom(bytes).toString('hex')
}

/** Puts 74 random bits where `format` reads them: 12 in the first two bytes, 62 in the last eight. */
function bytesOf(random: bigint): Buffer {
  const bytes = Buffer.alloc(10)
  bytes.writeUInt16BE(Number(random >> 62n), 0)
  bytes.writeBigUInt64BE(random & MASK_62, 2)
  return bytes
}

function format(time: number, random: Buffer): string {
  const stamp = time.toString(16).padStart(12, '0')
  const high = (0x7000 | (random.readUInt16BE(0) & 0x0fff)).toString(16)
  const variant = (0x80 | ((random[2] ?? 0) & 0x3f)).toString(16)
  const rest = random.toString('hex', 3, 10)
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-${high}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`
}
