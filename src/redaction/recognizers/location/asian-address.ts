import { step } from '../../engine/step.ts'
import type { Stretch } from '../../engine/stretch.ts'

const REACH = 40
const HAN = /[\u3400-\u9fff々ヶケ〇\u3041-\u30ffーァ-ヴ]/
const HANGUL = /[\uac00-\ud7af]/

const JAPANESE =
  /(?:〒?\d{3}-\d{4}\s{0,2})?(?:東京都|北海道|(?:大阪|京都)府|[\u3400-\u9fff]{2,3}県)\s?[\u3400-\u9fff々ヶケ\u3041-\u30ffー]{1,30}?\s?(?:\d{1,5}(?:丁目|番地|番|号|の|[-ー－]))*\d{1,5}(?:丁目|番地|番|号)?(?:の\d{1,4})?(?:\s?[^\s、。,.\n]{0,20}?\d{1,5}号(?:室)?|\s?\d{1,4}階)?/y
const JAPANESE_TAIL =
  /(?:(?:丁目|番地|番|号|の|[-ー])\d{1,5}){0,4}(?:丁目|番地|番|号)?(?:室)?(?:の\d{1,4})?(?:\s[\u30a1-\u30ffー\u3400-\u9fffA-Za-z]{2,20}\s?\d{1,5}(?:号室?|階)?)?/y
const CHINESE_TAIL =
  /\d{0,4}(?:号|號|弄|巷|栋|幢|座|楼|樓|室|单元|層|层|門|门)(?:[\d一二三四五六七八九十A-Za-z-]{1,6}(?:号楼|号|號|弄|巷|栋|幢|座|楼|樓|室|单元|层|門|门)){0,5}/y
const KOREAN_TAIL =
  /(?:-\d{1,4})?(?:번지|번길|길|호|동|층)?(?:\s?\d{1,4}(?:-\d{1,4})?)?(?:,?\s(?:[가-힣A-Za-z]{1,12}\s)?\d{1,4}(?:동|호|층)(?:\s?\d{1,4}(?:호|층))?)?/y

/** Things that numbers count which are of no house: yen, days, people, metro lines. */
const COUNTED =
  /^\s?(?:円|日|年|店|時|分|人|個|営業日|代|[ヶかカ]月|月|回|名|枚|线|站|桌|柜|机|원|번(?!지|길)|개|일|시|분|월|명|회|박|장|대|년|주|세|인|건|통|만|천|퍼센트|[%％])/
/** Parts of a Japanese address behind its prefecture. */
const PLACE_OR_NUMBER = /[市区町村郡]|丁目|番|号|\d[-ー－]\d/

/** Returns the address that begins with the Japanese prefecture at `start`. */
export function japaneseAddress(text: string, start: number): Stretch | undefined {
  JAPANESE.lastIndex = start
  if (!JAPANESE.test(text)) return
  const end = JAPANESE.lastIndex
  return PLACE_OR_NUMBER.test(text.slice(start, end)) ? unlessCounted(text, { start, end }) : undefined
}

/** Returns the Chinese, Japanese or Korean address whose house number stands between `start` and `end`. */
export function addressAround(text: string, start: number, end: number): Stretch | undefined {
  if (COUNTED.test(text.slice(end, end + 4))) return
  const before = text.charAt(start - 1)
  if (!HAN.test(before)) return unlessCounted(text, korean(text, start, end))
  return unlessCounted(text, chinese(text, start, end) ?? japanese(text, start, end))
}

function unlessCounted(text: string, address: Stretch | undefined): Stretch | undefined {
  return address && COUNTED.test(text.slice(address.end, address.end + 4)) ? undefined : address
}

function chinese(text: string, start: number, end: number): Stretch | undefined {
  if (!/[路街道巷弄里村段胡同园苑区箱]/.test(text.charAt(start - 1))) return
  const tail = step(CHINESE_TAIL, text, end)
  if (tail === end) return
  return { start: backOver(text, start, /[\u3400-\u9fff]/, CHINESE_LEAD), end: tail }
}

/** The words before an address in a sentence: `寄到`, `住在`, `地址是`. */
const CHINESE_LEAD = /^.*(?:住在|在|到|至|是|往|给|給|地址|：|为|為)/

function japanese(text: string, start: number, end: number): Stretch | undefined {
  const tail = step(JAPANESE_TAIL, text, end)
  const before = text.slice(Math.max(0, start - REACH), start)
  const isParted = /^(?:丁目|番|号|-\d|ー\d)/.test(text.slice(end, end + 2))
  if (!isParted || !/[市区町村郡][\u3400-\u9fff々ヶケ\u3041-\u30ffー]{1,12}$/.test(before)) return
  return { start: backOver(text, start, /[\u3400-\u9fff々ヶケー〒\d-]/, /^.*(?:住所|は|、|：)/), end: tail }
}

function korean(text: string, start: number, end: number): Stretch | undefined {
  const last = text.charAt(text.charAt(start - 1) === ' ' ? start - 2 : start - 1)
  if (!'로길동읍면리가'.includes(last)) return
  const before = text.slice(Math.max(0, start - REACH), start)
  const match =
    /(?:[가-힣]{2,7}(?:특별시|광역시|특별자치시|특별자치도|도|시)\s)?(?:[가-힣]{1,6}(?:시|군|구)\s){0,3}[가-힣\d]{1,10}(?:로|길|동|읍|면|리|가)\s?$/.exec(
      before,
    )
  if (!match || !HANGUL.test(match[0])) return
  const tail = step(KOREAN_TAIL, text, end)
  const isUsual = /(?:시|군|구)\s/.test(match[0]) || /(?:로|길)\s?$/.test(match[0])
  return isUsual && tail - start < 40 ? { start: start - match[0].length, end: tail } : undefined
}

/** Moves back over the characters in which an address is written, at most to the beginning of the line. */
function backOver(text: string, start: number, part: RegExp, lead: RegExp): number {
  let at = start
  while (at > 0 && start - at < REACH && part.test(text.charAt(at - 1))) at--
  const stretch = text.slice(at, start)
  const skipped = lead.exec(stretch)
  return skipped && skipped[0].length < stretch.length ? at + skipped[0].length : at
}
