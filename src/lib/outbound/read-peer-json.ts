import { brokenBound, type JsonBounds } from '../json-bounds.ts'

interface PeerBounds extends JsonBounds {
  /** Bytes of UTF-8. */
  bytes: number
}

/** The largest answer that is parsed, so that callers need not read more. */
export const LARGEST_PEER_JSON = 4 * 1024 * 1024

/**
 * Bounds for parsing, which blocks the event loop: within them it takes less than 50 ms. What breaks them is refused. A
 * thread would not help: what it has parsed is copied back, which blocks the event loop for as long as parsing does.
 */
const BOUNDS: PeerBounds = {
  bytes: LARGEST_PEER_JSON,
  depth: 100,
  fields: 10_000,
  values: 60_000,
  parts: 30_000,
}

/**
 * The error for a peer's answer that is not JSON, or that breaks a bound. The message repeats nothing of the answer.
 */
export class PeerJsonError extends Error {
  override readonly name = 'PeerJsonError'
}

/**
 * Reads a JSON text that a peer has sent or a model has written. Checks the bounds before it parses anything.
 * @param json bytes of UTF-8, or text
 * @param bounds those that differ from the default ones
 * @throws PeerJsonError
 */
export function readPeerJson(json: Uint8Array | string, bounds: Partial<PeerBounds> = {}): unknown {
  requirePeerBounds(json, bounds)
  try {
    return JSON.parse(typeof json === 'string' ? json : new TextDecoder().decode(json))
  } catch {
    throw new PeerJsonError('the answer is not JSON')
  }
}

/** Reads as `readPeerJson` does, but returns null if the answer is not JSON or breaks a bound. */
export function readPeerJsonOrNull(json: Uint8Array | string, bounds?: Partial<PeerBounds>): unknown {
  try {
    return readPeerJson(json, bounds)
  } catch {
    return null
  }
}

/**
 * Checks the bounds of a JSON text that a library will parse. A text that is not JSON may pass.
 * @throws PeerJsonError
 */
export function requirePeerBounds(json: Uint8Array | string, bounds: Partial<PeerBounds> = {}): void {
  const all = { ...BOUNDS, ...bounds }
  // A text has at least as many bytes as UTF-16 units, so that a text that is too long need not be encoded.
  const bytes = json.length > all.bytes ? null : typeof json === 'string' ? Buffer.from(json) : json
  const broken = bytes === null || bytes.length > all.bytes ? 'bytes' : brokenBound(bytes, all)
  if (broken !== null) throw new PeerJsonError(`the answer has more than ${all[broken]} ${UNITS[broken]}`)
}

const UNITS: Record<keyof PeerBounds, string> = {
  bytes: 'bytes',
  depth: 'levels',
  fields: 'fields in an object',
  values: 'values',
  parts: 'texts, names, objects and lists',
}
