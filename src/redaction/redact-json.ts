import { placeholderOfField, withoutData } from './encoded-data.ts'

/**
 * Redacts the values of a JSON text one by one and leaves every other character unchanged: layout, order, repeated keys
 * and long numbers stay. A number with a finding becomes a string. A key changes only if there is a finding in it.
 * Returns undefined if the text is not JSON.
 */
export function redactJson(text: string, redactText: (text: string) => string): string | undefined {
  if (!isJson(text)) return
  const reader = new Reader(text)
  let redacted = ''
  let copied = 0
  for (let token = reader.next(); token; token = reader.next()) {
    const { start, end, isKey, key, parent } = token
    const raw = text.slice(start, end)
    const isString = raw.startsWith('"')
    const value = isString ? (JSON.parse(raw) as string) : raw
    if (value === '') continue
    const changed = isKey
      ? redactKey(value, redactText)
      : redactValue([parent, key], value, isString, redactText)
    if (changed === value) continue
    redacted += text.slice(copied, start) + JSON.stringify(changed)
    copied = end
  }
  return redacted + text.slice(copied)
}

/** Redacts a key. A key that is a single word of letters stays. */
export function redactKey(key: string, redactText: (text: string) => string): string {
  return /[@\d\s]/.test(key) ? redactText(key) : key
}

/**
 * Redacts one value together with the keys before it, which often name the kind of the value.
 * @param keys the key of the object around the value, and its own; or its own alone
 */
export function redactField(
  keys: readonly string[],
  value: string,
  redactText: (text: string) => string,
): string {
  const [own = '', parent] = keys.map(labelOf).reverse()
  if (!LABEL.test(own)) return redactText(value)
  const both = `${parent} ${own}`
  const label = parent && parent !== own && LABEL.test(both) ? both : own
  const redacted = redactText(`${label}: ${value}`)
  if (redacted.startsWith(`${label}: `)) return redacted.slice(label.length + 2)
  const colon = redacted.indexOf(': ')
  return colon < 0 ? redacted : redacted.slice(colon + 2)
}

function labelOf(key: string): string {
  return key
    .slice(0, LONGEST_LABEL + 1)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[_.-]+/g, ' ')
    .trim()
}

const LONGEST_LABEL = 40
const LABEL = new RegExp(`^\\p{L}[\\p{L}\\p{M} ]{0,${LONGEST_LABEL - 1}}\\d{0,2}$`, 'u')
function redactValue(
  keys: readonly [parent: string, key: string],
  value: string,
  isString: boolean,
  redactText: (text: string) => string,
): string {
  if (!isString) return redactField(keys, value, redactText)
  // JSON within JSON. Each level doubles the escapes of the level around it, so there are never many.
  const inner = /^\s{0,100}[{[]/.test(value) ? redactJson(value, redactText) : undefined
  return inner ?? placeholderOfField(keys[1], value) ?? redactField(keys, withoutData(value), redactText)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Token {
  start: number
  end: number
  isKey: boolean
  /** The key of the value, or of the array that contains it. */
  key: string
  /** The key of the object around it; '' if there is none. */
  parent: string
}

/** Reads the strings and numbers of a valid JSON text, without recursion. */
class Reader {
  readonly #text: string
  #at = 0
  #isKeyNext = false
  /** True for each open object and false for each open array. Below: the key read last in each. */
  readonly #objects: boolean[] = []
  readonly #keys: string[] = ['']

  constructor(text: string) {
    this.#text = text
  }

  next(): Token | undefined {
    for (; this.#at < this.#text.length; this.#at++) {
      const start = this.#at
      switch (this.#text.charAt(start)) {
        case '{':
        case '[':
          this.#open(this.#text.charAt(start) === '{')
          break
        case '}':
        case ']':
          this.#objects.pop()
          this.#keys.pop()
          this.#isKeyNext = false
          break
        case ',':
          this.#isKeyNext = this.#objects.at(-1) === true
          break
        case ':':
          this.#isKeyNext = false
          break
        case '"':
          return this.#readString(start)
        default:
          if (NUMBER_START.test(this.#text.charAt(start))) return this.#readNumber(start)
      }
    }
    return
  }

  #open(isObject: boolean): void {
    this.#objects.push(isObject)
    this.#keys.push(this.#keys.at(-1) as string)
    this.#isKeyNext = isObject
  }

  #readString(start: number): Token {
    let end = start + 1
    while (this.#text.charCodeAt(end) !== 34) end += this.#text.charCodeAt(end) === 92 ? 2 : 1
    this.#at = ++end
    const isKey = this.#isKeyNext
    if (isKey) this.#keys[this.#keys.length - 1] = JSON.parse(this.#text.slice(start, end)) as string
    return { start, end, isKey, ...this.#path() }
  }

  #path(): { key: string; parent: string } {
    return { key: this.#keys.at(-1) as string, parent: this.#keys.at(-2) as string }
  }

  #readNumber(start: number): Token {
    NUMBER.lastIndex = start
    NUMBER.test(this.#text)
    this.#at = NUMBER.lastIndex
    return { start, end: this.#at, isKey: false, ...this.#path() }
  }
}

const NUMBER_START = /[-\d]/
const NUMBER = /[-+.\deE]+/y
