import { isWord } from '../engine/characters.ts'
import { step } from '../engine/step.ts'
import { addField, type FieldFound } from './field.ts'
import { endsKey, type Key, readKey } from './keys.ts'

const LONGEST_KEY = 44
/** Characters before a key without quotes, besides the start of a line. */
const BEFORE_KEY = '\n\t{,;&?([|>"\'`'
const MARKS = ' \t*_'
const BULLET = /^(?:(?:[-*•·–+]|\d{1,2}[.)]|--)\s{0,2})+/
const QUOTE = /[^\S\n]{0,3}[*_]{0,3}[^\S\n]{0,3}(["'“«„`])/y
const OPEN = /(?:[^\S\n]{0,6}[*_]{0,3}[^\S\n]{0,3})(?:\n(?![^\n:=]{1,40}[:=])[^\S\n]{0,8})?/y
const CLOSING: Record<string, string> = { '“': '”', '„': '“', '«': '»' }
const LONGEST_VALUE = 200
/** The end of a value without quotes: of the line, of its cell or of the pair. */
const VALUE_END =
  /[\n;|\t{}<>[\]]| {2,}|,\s{0,2}["']?[\p{L}][\p{L}\p{M} _-]{1,30}["']?\s?[:=]|\s[\p{L}_]{2,20}=/u
const QUERY_END = /[&;,\s"'<>)\]]/

/** Reads the pairs around colons and equals signs whose key is known. */
export function readPairs(text: string, signs: Iterable<number>, found: FieldFound): void {
  for (const sign of signs) {
    const key = keyBefore(text, sign)
    if (key) addValue(text, key, sign, text.charCodeAt(sign) === 61, found)
  }
}

/** Returns the key before a sign if it is known. */
function keyBefore(text: string, sign: number): Key | undefined {
  let end = sign
  while (end > sign - 4 && MARKS.includes(text.charAt(end - 1))) end--
  const isQuoted = '"\'`'.includes(text.charAt(end - 1)) && end > 0
  if (isQuoted) end--
  if (!endsKey(text, end)) return
  let start = end
  while (start > end - LONGEST_KEY && start > 0 && isOfKey(text, start - 1)) start--
  const isWhole = start === 0 || BEFORE_KEY.includes(text.charAt(start - 1))
  const whole = text.slice(start, end).trimStart().replace(BULLET, '')
  const key = isWhole ? readKey(whole) : undefined
  if (key || isQuoted) return key
  // In `<person name="…">` and `SET name='…'`, only the last word is the key; behind two spaces, what follows them.
  const behind = whole.split(/ {2,}/).at(-1) as string
  const last = behind === whole ? undefined : readKey(behind)
  if (last || text.charCodeAt(sign) !== 61 || end < sign) return last
  return readKey(/[^\s,;&?({[]*$/.exec(whole)?.[0] ?? '')
}

/** Tells whether a character may be part of a key. */
function isOfKey(text: string, at: number): boolean {
  return isWord(text.charCodeAt(at)) || " _.'’/()-*•".includes(text.charAt(at))
}

function addValue(text: string, key: Key, sign: number, isEqual: boolean, found: FieldFound): void {
  QUOTE.lastIndex = sign + 1
  const quote = QUOTE.exec(text)?.[1]
  if (quote) {
    const from = QUOTE.lastIndex
    const near = text.slice(from, from + LONGEST_VALUE)
    const end = near.search(
      quote === '"' ? /(?<!\\)"/ : new RegExp(`${CLOSING[quote] ?? quote}(?![\\p{L}])`, 'u'),
    )
    if (end > 0) addField(text, key, from, from + end, false, found)
    return
  }
  const isTight = isEqual && /\S/.test(text.charAt(sign + 1)) && /\S/.test(text.charAt(sign - 1))
  const from = step(OPEN, text, sign + 1)
  const near = text.slice(from, from + LONGEST_VALUE)
  const end = near.search(isTight && /[&?;]/.test(near.slice(0, 60)) ? QUERY_END : VALUE_END)
  addField(text, key, from, from + (end < 0 ? near.length : end), false, found)
}
