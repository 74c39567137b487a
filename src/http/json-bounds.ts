import { invalidField } from '../errors.ts'

const DEEPEST = 100
const MOST_VALUES = 50_000
const MOST_FIELDS = 1000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The bounds of a JSON body, in words. */
export const jsonBounds =
  `at most ${DEEPEST} objects and lists within each other, ` +
  `${MOST_FIELDS} fields in an object and ${MOST_VALUES} values in all`

/**
 * Refuses a JSON text with so many parts that parsing, checking and storing it would take long. Length alone costs
 * little. A text that is not JSON may pass.
 * @param json UTF-8
 * @throws ApiError invalid_request
 */
export function requireJsonBounds(json: Uint8Array): void {
  let depth = 0
  let values = 1
  /** By depth: the number of fields of the open object; negative infinity for a list, which is not counted. */
  const fields = [Number.NEGATIVE_INFINITY]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfString(json, at + 1)
    } else if (byte === COMMA) {
      fields[depth] = (fields[depth] ?? 0) + 1
      if ((fields[depth] ?? 0) > MOST_FIELDS) throw tooMuch(`an object of more than ${MOST_FIELDS} fields`)
      if (++values > MOST_VALUES) throw tooMuch(`more than ${MOST_VALUES} values`)
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > DEEPEST) throw invalidField('', `The body is nested more than ${DEEPEST} deep.`)
      fields[depth] = byte === OPEN_LIST ? Number.NEGATIVE_INFINITY : 1
      if (++values > MOST_VALUES) throw tooMuch(`more than ${MOST_VALUES} values`)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1)
  }
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

function tooMuch(what: string) {
  return invalidField('', `The body has ${what}.`)
}
