import { isAlphanumeric, isDigit } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import { wordList } from '../engine/word-list.ts'
import { joint } from './phone-groups.ts'

/** Words for the extension after a phone number. */
export const EXTENSION_WORDS: readonly string[] = wordList(
  'ext, extn, extension, x, durchwahl, dw, apparat, nebenstelle, poste, poste interne, anexo, interno, int, ramal',
  'toestel, toestelnummer, tst, wew, wewnetrzny, linka, klapka, anknytning, ankn, lokal, lokalnummer, alanumero, mellek',
  'dahili, доб, добавочный, внутр, внутренний, вн, внутрішній, дод, εσωτερικο, تحويلة, داخلي, شلوحة, एक्स, एक्सटेंशन',
  '内線, 内线, 分机, 分機, 转, 轉, 내선, ต่อ, may le, may nhanh, pesawat, ekst, ekstensi, sambungan',
)

const NUMBER_BEHIND = /[ :.#]{0,3}\d{1,6}(?!\d|[.,]\d)/y
const FEWEST = 7
const MOST = 15

/** Finds a number directly before a word for an extension, with the extension. The word makes it a phone number. */
export function findExtension(
  page: Page,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const { text } = page
  if (end - start === 1 && isAlphanumeric(text.charCodeAt(start)) && !isDigit(text.charCodeAt(end))) return
  NUMBER_BEHIND.lastIndex = end
  if (!NUMBER_BEHIND.test(text)) return
  const until = NUMBER_BEHIND.lastIndex
  const last = page.tokenBefore(start)
  if (last < 0 || !page.isNumber(last) || !/^\)?[ ,;]{0,2}\(?$/.test(text.slice(page.tokenEnd(last), start)))
    return
  let first = last
  let digits = page.tokenEnd(last) - page.tokenStart(last)
  while (
    first > 0 &&
    page.isNumber(first - 1) &&
    joint(text, page.tokenEnd(first - 1), page.tokenStart(first)) > 0
  ) {
    digits += page.tokenEnd(first - 1) - page.tokenStart(first - 1)
    if (digits > MOST) break
    first--
  }
  if (digits < FEWEST) return
  return { start: behindSigns(text, page.tokenStart(first)), end: until }
}

/** Moves back over the bracket and the plus before a number. */
function behindSigns(text: string, start: number): number {
  let from = start
  while (
    from > 0 &&
    start - from < 2 &&
    (text.charCodeAt(from - 1) === 40 || text.charCodeAt(from - 1) === 43)
  )
    from--
  return from
}
