/** A set of UTF-16 code units: returns true for those in it. */
export type CharacterSet = (code: number) => boolean

const isDigit: CharacterSet = (code) => code >= 48 && code <= 57
/** JavaScript's `\w`. */
export const isAsciiWord: CharacterSet = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
const isSpace: CharacterSet = (code) => /\s/.test(String.fromCharCode(code))

const ESCAPED_SETS: Record<string, CharacterSet> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isAsciiWord,
  W: (code) => !isAsciiWord(code),
  s: isSpace,
  S: (code) => !isSpace(code),
}

const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

/** Returns the set of one character. */
export function literal(code: number, ignoreCase: boolean): CharacterSet {
  if (!ignoreCase) return (other) => other === code
  const lower = lowerCase(code)
  return (other) => lowerCase(other) === lower
}

/** Reads the escape at `at`: the code of one character, or a set. @throws Error if it is unknown */
export function readEscape(pattern: string, at: number): { value: number | CharacterSet; end: number } {
  const rest = pattern.slice(at + 1, at + 60)
  const char = rest.charAt(0)
  const set = ESCAPED_SETS[char]
  if (set) return { value: set, end: at + 2 }
  if (char in CONTROLS) return { value: CONTROLS[char] as number, end: at + 2 }
  const hex = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,4})\})/i.exec(rest)
  if (hex)
    return { value: Number.parseInt((hex[1] ?? hex[2] ?? hex[3]) as string, 16), end: at + 1 + hex[0].length }
  const property = /^p\{([A-Za-z_=]{1,40})\}/i.exec(rest)
  if (property) return { value: propertySet(char, property[1] as string), end: at + 1 + property[0].length }
  if (char === '' || /[A-Za-z\d]/.test(char)) throw new Error(`"\\${char}" is not known`)
  return { value: char.charCodeAt(0), end: at + 2 }
}

function propertySet(kind: string, name: string): CharacterSet {
  let test: RegExp
  try {
    test = new RegExp(`\\${kind}{${name}}`, 'u')
  } catch {
    throw new Error(`the character property "${name}" is not known`)
  }
  return (code) => test.test(String.fromCharCode(code))
}

/** Reads the class that begins with `[` at `start`. @throws Error if it is not closed or not supported */
export function readClass(
  pattern: string,
  start: number,
  ignoreCase: boolean,
): { set: CharacterSet; end: number } {
  let at = start + 1
  const isNegated = pattern.charAt(at) === '^'
  if (isNegated) at++
  const sets: CharacterSet[] = []
  while (pattern.charAt(at) !== ']') {
    const first = readMember(pattern, at)
    at = first.end
    if (pattern.charAt(at) === '-' && pattern.charAt(at + 1) !== ']') {
      const last = readMember(pattern, at + 1)
      at = last.end
      sets.push(rangeSet(first.value, last.value, ignoreCase))
    } else {
      sets.push(typeof first.value === 'number' ? literal(first.value, ignoreCase) : first.value)
    }
  }
  if (sets.length === 0) throw new Error('a character class is empty')
  return { set: (code) => sets.some((set) => set(code)) !== isNegated, end: at + 1 }
}

function readMember(pattern: string, at: number): { value: number | CharacterSet; end: number } {
  const code = pattern.charCodeAt(at)
  if (Number.isNaN(code)) throw new Error('a character class is not closed')
  if (code >= 0xd800 && code <= 0xdfff) throw new Error('a character class holds a character beyond U+FFFF')
  if (code !== 92) return { value: code, end: at + 1 }
  if (pattern.charAt(at + 1) === 'b') return { value: 8, end: at + 2 }
  return readEscape(pattern, at)
}

function rangeSet(
  first: number | CharacterSet,
  last: number | CharacterSet,
  ignoreCase: boolean,
): CharacterSet {
  if (typeof first !== 'number' || typeof last !== 'number' || first > last) {
    throw new Error('a range in a character class has no order')
  }
  const isIn: CharacterSet = (code) => code >= first && code <= last
  if (!ignoreCase) return isIn
  return (code) => isIn(lowerCase(code)) || isIn(upperCase(code))
}

/** The lower case of each code unit. Patterns need it for every character of a text, and a table is the fastest way. */
const lowerCases = Uint16Array.from({ length: 0x10000 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
)
const upperCases = Uint16Array.from({ length: 0x10000 }, (_, code) =>
  String.fromCharCode(code).toUpperCase().charCodeAt(0),
)

function lowerCase(code: number): number {
  return lowerCases[code] as number
}

function upperCase(code: number): number {
  return upperCases[code] as number
}
