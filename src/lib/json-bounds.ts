/** What a JSON text may hold. Parsing it costs time by its parts rather than by its length. */
export interface JsonBounds {
  /** Objects and lists within each other. */
  depth: number
  /** Fields of one object. */
  fields: number
  /** Values in all. */
  values: number
  /** Texts, names of fields, objects and lists in all: each costs many times what a number does. */
  parts: number
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The first bound that a JSON text breaks; null when it keeps them all. A text that is not JSON may keep them.
 * @param json UTF-8
 */
export function brokenBound(json: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null {
  let depth = 0
  let values = 1
  let parts = 0
  /** By depth: the number of fields of the open object; negative infinity for a list, which is not counted. */
  const fields = [Number.NEGATIVE_INFINITY]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      if (++parts > bounds.parts) return 'parts'
      at = endOfString(json, at + 1)
    } else if (byte === COMMA) {
      fields[depth] = (fields[depth] ?? 0) + 1
      if ((fields[depth] ?? 0) > bounds.fields) return 'fields'
      if (++values > bounds.values) return 'values'
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > bounds.depth) return 'depth'
      fields[depth] = byte === OPEN_LIST ? Number.NEGATIVE_INFINITY : 1
      if (++values > bounds.values) return 'values'
      if (++parts > bounds.parts) return 'parts'
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1)
  }
  return null
}

/** How far a string is read byte by byte. Beyond that its end is searched for, which is slow to start and then fast. */
const NEAR = 64

/** The position of the closing quote of the string that begins here. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start; ; ) {
    for (const near = Math.min(at + NEAR, json.length); at < near; at++) {
      if (json[at] === QUOTE) return at
      if (json[at] === BACKSLASH) at++
    }
    const quote = json.indexOf(QUOTE, at)
    if (quote < 0) return json.length
    let slash = quote
    while (slash > at && json[slash - 1] === BACKSLASH) slash--
    if ((quote - slash) % 2 === 0) return quote
    at = quote + 1
  }
}
