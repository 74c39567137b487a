import { isLetter } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { type Name, readName } from './read-name.ts'
import { beginsLine, endsLine, isOfThing, readAny } from './surroundings.ts'

/** The text that may stand between a label and the name, including the marks of forms and markup. */
const COLON =
  /(?:\*\*|__|<\/\w{1,8}>)?\s{0,2}(?:\([^)\n]{0,20}\)\s?)?(?:[:=|]|\t|は|-(?= ))(?:\*\*|__|<\/\w{1,8}>)?\s{0,3}["'“«„]?(?:(?:mr|mrs|ms|miss|dr|prof|herr|frau|sr|sra|sig|pan|pani)\.?\s)?/iuy

/** The text between the key and the value in JSON. */
const KEY_COLON = /["']\s{0,2}:\s{0,2}["']/y
/** Labels that some forms separate from the name only by a space. */
const SPACED_LABEL =
  /^(?:氏名|お名前|ご氏名|姓名|フリガナ|ふりがな|성명|성함|이름|ชื่อ-นามสกุล|ชื่อ-สกุล|ชื่อ นามสกุล)$/
/** Labels in the heads of letters that are also everyday words. */
const OF_MAIL = /^(?:from|to|cc|author)$/i

/** Returns the name after the label of a form. */
export function readLabelled(text: string, end: number, start: number): Name | undefined {
  // Most words that may be a label simply continue the sentence.
  if (isLetter(text.charCodeAt(end)) && text.charAt(end) !== 'は') return
  if (/[@\w/]/.test(text.charAt(start - 1)) || isOfThing(text, start)) return
  const label = text.slice(start, end)
  if (OF_MAIL.test(label) && !beginsLine(text, start)) return
  const isKey = /["']/.test(text.charAt(end))
  const from = isKey ? step(KEY_COLON, text, end) : labelEnd(text, end, label)
  if (from <= end) return
  const name = readAny(text, from)
  if (!name) return
  // In JSON, `name` may be the name of anything.
  if (isKey && label.toLowerCase() === 'name' && !name.isGiven) return
  const isWhole = isKey ? /["']/.test(text.charAt(name.end)) : endsLine(text, name.end)
  return withGivenName(text, name) ?? (name.words > 1 || name.isGiven || isWhole ? name : undefined)
}

/** Returns the start of a label's value: after a colon, or after a space in forms without colons. */
function labelEnd(text: string, end: number, label: string): number {
  const colon = step(COLON, text, end)
  return colon === end && SPACED_LABEL.test(label) ? step(/ {1,3}(?=\S)/y, text, end) : colon
}

/** Adds the given name after a family name, as in `Müller, Sabine`. */
function withGivenName(text: string, family: Name): Name | undefined {
  if (family.words > 2 || text.charAt(family.end) !== ',') return
  const given = readName(text, step(/,\s?/y, text, family.end))
  return given?.isGiven && given.words < 4
    ? { ...family, end: given.end, words: family.words + given.words }
    : undefined
}
