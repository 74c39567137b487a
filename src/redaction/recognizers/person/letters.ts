import { CLASS, UNSPACED } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { type Name, readName } from './read-name.ts'
import { beginsLine, endsLine, isOfOtherScript, readAny } from './surroundings.ts'

/** Words that are greetings only at the beginning of a line. */
const OF_ENVELOPES = /^(?:to|attn|gui|yth|kepada)$/i

/** Greetings that are used only for one person, in scripts without capitals. */
const DEAR = /^(?:عزيز|أخي|أختي|الأخ|प्रिय|आदरणीय|প্রিয়)/

function isOtherVietnamese(phrase: string): boolean {
  return /[ăđơư\u1ea0-\u1ef9]/i.test(phrase) && !/chào|gửi|thân|kính/i.test(phrase)
}

/** Returns the name after a greeting. */
export function readGreeted(text: string, end: number, start: number): Name | undefined {
  // `hỏi` is Vietnamese for "ask", not a Dutch greeting.
  if (isOtherVietnamese(text.slice(start, end))) return
  if (OF_ENVELOPES.test(text.slice(start, end)) && !beginsLine(text, start)) return
  const from = step(
    /[ \t]{0,2},?[ \t]?(?:(?:and|dear|liebe|lieber|cher|chère|caro|cara|frau|herr|fru|pan|pani|mr|mrs|ms|dr|sr|sra)\.?\s)?/iy,
    text,
    end,
  )
  const isGlued = from === end && /[\uac00-\ud7af\u0e00-\u0e7f]/.test(text.charAt(end))
  if (isGlued) return
  const name = from > end || CLASS[text.charCodeAt(end)] === UNSPACED ? readName(text, from) : undefined
  if (!name || name.words > 4) return
  const closes = /^\s?(?:[,!.:;?،，！。—-]|\n|$)/.test(text.slice(name.end, name.end + 3))
  if (HAS_CASE.test(text.charAt(from))) return closes || name.isGiven ? name : undefined
  const isUnspaced = CLASS[text.charCodeAt(from)] === UNSPACED
  const isTold = isUnspaced || name.isGiven || isOfOtherScript(text, start, name.start)
  return closes && (isTold || DEAR.test(text.slice(start, end))) ? name : undefined
}

const HAS_CASE = /\p{Lu}/u
const CLOSING_GAP =
  /(?:[,.!:،，、।。~♥]|[^\S\n]|\p{Extended_Pictographic}|\ufe0f|(?:und|and|a|e|et|y|en|och|i|и)(?= )){0,6}/uy
const LINE_GAP =
  /[^\S\n]{0,4}(?:\n[^\S\n]{0,4}){0,3}(?:[-–—~][^\S\n]?)?(?:(?:mr|mrs|ms|dr|prof|your|ihr|ihre|votre|su|dein|deine|ваш|ваша|pan|pani)\.?\s)?/iuy

/** Returns the writer's name after a closing. */
export function readClosing(text: string, end: number): Name | undefined {
  // Most words of thanks continue the sentence.
  const next = text.charCodeAt(end + 1)
  if (text.charCodeAt(end) === 32 && next >= 97 && next <= 122) return
  const gap = step(CLOSING_GAP, text, end)
  const from = step(LINE_GAP, text, gap)
  const isNewLine = text.slice(gap, from).includes('\n')
  if (!isNewLine && !HAS_CASE.test(text.charAt(from))) return
  if (from === end) return
  const name = readAny(text, from)
  if (!name || name.words > 4) return
  // Without a comma, the name may be that of something the writer gives thanks for.
  if (!isNewLine && !name.isGiven && !/[,،،，、]/.test(text.slice(end, gap))) return
  return endsLine(text, name.end) &&
    (isNewLine || name.isGiven || name.words > 1 || text.length - name.end < 3)
    ? name
    : undefined
}
