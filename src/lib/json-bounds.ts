/** Limits on a JSON text. The time to parse it depends on the number of its parts rather than on its length. */
export interface JsonBounds {
  /** Levels of nested objects and lists. */
  depth: number
  /** Fields of one object. */
  fields: number
  /** Values in total. */
  values: number
  /** Texts, names of fields, objects and lists in total. Each costs many times as much as a number. */
  parts: number
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the first bound that a JSON text breaks; null if it breaks none. A text that is not JSON may break none.
 * @param json UTF-8
 */
export function brokenBound(json: Uint8Array, bounds: JsonBounds): keyof JsonBounds | null {
  let depth = 0
  let values = 1
  let parts = 0
  /** The number of fields of the open object by depth; negative infinity for a list, which is not counted. */
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

/**
 * The number of bytes of a string that are read one by one. `indexOf`, which starts slowly but is then fast, searches
 * the rest for its end.
 */
const NEAR = 64

/** Returns the position of the closing quote of the string that begins at `start`. */
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
