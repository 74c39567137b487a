import { firstIndex } from './first-index.ts'
import type { Stretch } from './stretch.ts'

/** The text in the form that recognizers read, and the way back to positions in the original text. */
interface View {
  text: string
  /** The position in the original text of each code unit of the view; null when all positions are the same. */
  positions: Int32Array | null
}

/** Converts stretches of the original text to stretches of its view. */
export function viewStretches({ text, positions }: View, stretches: readonly Stretch[]): readonly Stretch[] {
  if (!positions) return stretches
  return stretches.map(({ start, end }) => ({
    start: viewPlace(positions, text.length, start),
    end: viewPlace(positions, text.length, end),
  }))
}

/** Returns the first position in the view that is at or behind a position in the original text. */
function viewPlace(positions: Int32Array, length: number, place: number): number {
  return firstIndex(length, (at) => (positions[at] as number) >= place)
}

/** Characters that one of the mappings below may change. */
const UNUSUAL =
  /[\u00a0\u00ad\u061c\u0660-\u0669\u066b\u066c\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9\u180e\u2000-\u2015\u2018\u2019\u201b\u2024\u2028-\u202f\u2043\u205f-\u2064\u2066-\u2069\u2212\u3000\ufe52\ufe55\ufe58\ufe63\ufe6b\ufeff\uff01-\uff5e]/

const DIGIT_ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
]
const SPACES = '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'
const HYPHENS = '\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63'
const APOSTROPHES = '\u2018\u2019\u201b'
const INVISIBLE =
  '\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff'

/** The replacement of each code unit; 0 for an invisible one, which is dropped. */
const MAPPED = new Uint16Array(0x10000)
for (let code = 0; code < 0x10000; code++) MAPPED[code] = code
for (const zero of DIGIT_ZEROS) for (let digit = 0; digit < 10; digit++) MAPPED[zero + digit] = 48 + digit
for (let code = 0xff01; code <= 0xff5e; code++) MAPPED[code] = code - 0xfee0
for (const [from, to] of [
  [SPACES, ' '],
  [HYPHENS, '-'],
  [APOSTROPHES, "'"],
  ['\u2024\ufe52', '.'],
  ['\ufe55', ':'],
  ['\ufe6b', '@'],
  ['\u066b\u066c', ','],
] as const) {
  for (const char of from) MAPPED[char.charCodeAt(0)] = to.charCodeAt(0)
}
for (const char of INVISIBLE) MAPPED[char.charCodeAt(0)] = 0

/**
 * Maps full-width, non-Western and typographic digits, letters, spaces and hyphens to plain ones and drops invisible
 * characters, so that recognizers see only one form of each.
 */
export function view(text: string): View {
  if (!UNUSUAL.test(text)) return { text, positions: null }
  const units = new Uint16Array(text.length)
  const positions = new Int32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const unit = MAPPED[code] as number
    if (unit === 0 && code !== 0) continue
    units[length] = unit
    positions[length++] = at
  }
  const mapped = Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
  return { text: mapped, positions: length === text.length ? null : positions }
}
