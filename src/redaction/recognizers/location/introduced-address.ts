import { isAlphanumeric } from '../../engine/characters.ts'
import type { Stretch } from '../../engine/stretch.ts'
import { NO_NAMES, plain } from '../person/lists.ts'
import { extendAddress } from './extend-address.ts'

/** The most characters that are read after a phrase. */
export const LONGEST = 120
const CONNECTORS =
  /[^\S\n]{0,2}(?:(?:is|ist|lautet|est|es|e|é|è|to|jest|är|er|now|jetzt|at|in der|in|an der|am|im|au|à|en|na|no|op|aan|aan de|przy|på|pa|la|là|adalah|di|ke|هو|هي|في|है|में|是|在|は|는|은|คือ|ที่)(?![\p{L}\p{M}])[^\S\n]{0,2}|[:：]\s{0,2}|-[^\S\n]{0,2}|[はは是在는은]\s?){0,3}["“„«']?/uy
/** Words for other things that have an address. */
const OF_MACHINES =
  /(?:e-?mail|mail|ip|mac|web|url|site|wallet|btc|bitcoin|eth|ethereum|crypto|memory|physical|virtual|host|server|network|contract|return|bitcoin-|ip-|mac-|e-mail-|электронный|электронной почты)[ -]?$/i
/**
 * A part of an address, which continues as long as such parts follow. The full stop of an abbreviation does not end it.
 */
const PIECE = /(?:[^\n.,;!?؟،、。।]|(?<=(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]{1,4})\.(?!\s?\n|\s*$)){1,60}/uy

/**
 * Returns the address after an introducing phrase: the rest of the line, as long as it looks like parts of an address.
 */
export function introducedAddress(text: string, start: number, end: number): Stretch | undefined {
  // `Address4` is a name in a program.
  if (isAlphanumeric(text.charCodeAt(end)) && isAlphanumeric(text.charCodeAt(end - 1))) return
  if (OF_MACHINES.test(text.slice(Math.max(0, start - 24), start))) return
  CONNECTORS.lastIndex = end
  const from = CONNECTORS.test(text) ? CONNECTORS.lastIndex : end
  const line = text.slice(from, from + LONGEST)
  // `is not an address Coupon SAVE20` introduces no address.
  if (from - end < 2 && /^address$/i.test(text.slice(start, end)) && !/^\d/.test(line)) return
  if (
    !/^(?:[\p{Lu}\p{Lo}\d#№]|ul\.|al\.|ul |c\/|вул|ул|пр|пер|г\.|м\.|jl|nº|số|đường|av|via |viale |piazza |corso |rue |calle |rua )/u.test(
      line,
    )
  )
    return
  let at = from
  let last = from
  for (let pieces = 0; pieces < 6; pieces++) {
    PIECE.lastIndex = at
    if (!PIECE.test(text)) break
    const piece = pieceOf(text, at, PIECE.lastIndex, pieces === 0)
    if (piece === at) break
    last = piece
    const isWhole = piece === PIECE.lastIndex
    const gap =
      /^(?:\s?[,،、]\s{0,2}|\.\s?(?=\d|[\p{Lu}]{1,2}\.|\p{Ll})|\n(?=[^\n]{0,30}\d)(?![^\n]{0,20}[:：]))/u.exec(
        text.slice(piece, piece + 34),
      )
    // The next line belongs to the address only if the first line has a number.
    if (!isWhole || !gap || (gap[0] === '\n' && !/\d/.test(text.slice(from, piece)))) break
    at = piece + gap[0].length
  }
  const found = text.slice(from, last)
  if (!/\d/.test(found) || /^\d+$/.test(found) || found.length < 6 || NO_ADDRESS.test(found)) return
  if (TO.test(text.slice(start, end)) && (!/[\p{Lu}\p{Lo}]/u.test(found) || isTalk(found))) return
  return { start: from, end: Math.max(last, extendAddress(text, last)) }
}

/** Tells whether the text is talk, as in `the meeting moved to Monday`. */
function isTalk(found: string): boolean {
  return NO_NAMES.has(plain(found.slice(0, found.search(/[^\p{L}\p{M}]|$/u))))
}

/** Dates, times, numbers of machines and code. */
const NO_ADDRESS = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d|\d{1,2}:\d|0x)|[|{}<>=`]|\]\(/i
/** Phrases that also introduce recipients or quantities: `send to 5 people`. */
const TO = / (?:to|naar|till|ke)$/i

const STOP =
  / (?:and|und|et|y|e|en|i|och|ve|и|та|dan|và|please|bitte|but|aber|mais|pero|ma|mas|since|because|can|could|is|are|was|by|for|before|after|until|when|where|with|thanks|my|our|i|if|so|asap|today|tomorrow|bis(?= \d)|liefern|gelegt|wohne|ist|sind|mit|por favor|s'il|svp|per favore|alstublieft|proszę|tack|lütfen|пожалуйста|будь ласка|من فضلك|silakan|tolong|nhé|ạ|है|हूँ|हूं|में|पर|ครับ|ค่ะ)(?= |$)/iu

/** The label of the next field of a form, not a part of a building. */
const LABEL = /^[\p{L}\p{M}]{3,20}:(?! ?(?:\d{1,4}|\p{Lu})(?!\p{L}))/u

/** Returns the end of the text that belongs to an address within a part. */
function pieceOf(text: string, start: number, end: number, isFirst: boolean): number {
  const piece = text.slice(start, end)
  const stop = STOP.exec(piece)
  const kept = (stop ? piece.slice(0, stop.index) : piece)
    .replace(
      /(?:です|でございます|입니다|이에요|예요|に住んで.*|まで.*|に送.*|にお.*|로 보내.*|으로 보내.*)$/u,
      '',
    )
    .replace(/\.\s*$/, '')
    .trimEnd()
  const hasDigit = /\d/.test(kept)
  if (LABEL.test(piece)) return start
  if (!isFirst && !hasDigit && !/^\p{Lu}|^\p{Lo}/u.test(kept)) return start
  if (!isFirst && !hasDigit && kept.split(' ').length > 5) return start
  return start + kept.length
}
