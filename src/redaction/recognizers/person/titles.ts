import { step } from '../../engine/step.ts'
import { type Name, readName } from './read-name.ts'
import { isThaiGivenName, readHanBefore, readHangulBefore, readJapaneseBefore } from './read-unspaced.ts'

const CAPITAL_TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|doctor|captain|capt|judge|coach|don|dona|m\.|fr|hr|ing|lic|dl|sn|bayan|sig|sr|em|ba|co|mas|bang|bac|chu|thay|mang|madam|nurse|aunt|uncle|auntie|sgt|hon|rev)/i

/** Returns the name after a title. */
export function readTitled(text: string, end: number, start: number): Name | undefined {
  const title = text.slice(start, end)
  if (text.charAt(start - 1) === '.' || text.charAt(start - 1) === "'" || text.charAt(start - 1) === '-')
    return
  const isThai = /[\u0e00-\u0e7f]/.test(title)
  const from = isThai ? step(/\s?/y, text, end) : step(/\.?(?: {1,2}(?:dr|prof|doc)\.)? {1,2}/iy, text, end)
  if (!isThai && from === end) return
  // In languages that write such titles in lower case, a capital after the title is enough. English titles begin with a
  // capital.
  const isSmall = title.charAt(0) === title.charAt(0).toLowerCase()
  if (
    isSmall &&
    /^(?:mr|mrs|ms|miss|dr|prof|sir|doctor|captain|judge|coach|madam|nurse|hon|rev|ing|fr|hr|sn|m\.|dl|sig|em|co|mas|bang|aunt|uncle|auntie|ba|bac)$/i.test(
      title,
    ) &&
    !/^(?:mr|mrs|dr|prof)$/.test(title) &&
    !isVietnamese(text, from)
  )
    return
  if (VIETNAMESE_TITLES.test(title) && !isVietnamese(text, from)) return
  const name = readName(text, from)
  if (name && !name.isGiven && EVERYDAY_TITLES.test(title)) return
  if (!name || NOBODY.test(`${title} ${text.slice(from, name.end)}`)) return
  // The title `คุณ` also means "you".
  if (isThai) return title !== 'คุณ' || isThaiGivenName(text, from) ? name : undefined
  if (title.toLowerCase() === 'don' && title.charAt(0) === 'D') return name.words > 1 ? name : undefined
  return CAPITAL_TITLES.test(title) || name.words < 5 ? name : undefined
}

/** Titles that are words in other languages: `Em Lisboa`, `Chi vuole`. */
const VIETNAMESE_TITLES = /^(?:ong|ba|anh|chi|co|chu|bac|em|thay)$/i
/** Titles that also occur often without a person's name: `Mas Lisboa`, `Bu Türkiye`. */
const EVERYDAY_TITLES = /^(?:mas|bu|seu|bang|mang|puan|cik|aling)$/i

/** Products, shows and characters that bear a title. */
const NOBODY =
  /^(?:dr (?:pepper|martens|oetker|who|dre|evil|zhivago)|doctor (?:who|zhivago)|mr (?:robot|clean|beast|potato|muscle)|mrs (?:doubtfire|maisel|dalloway)|miss (?:universe|world|america|marple)|captain (?:america|marvel|hook|planet)|sir lancelot|judge dredd|uncle sam|aunt jemima|frau holle|pan[aeu]? (?:tadeusz|wołodyjowsk|twardowsk)\p{L}*|don (?:quijote|quixote|giovanni|corleone)|madame (?:bovary|tussauds|butterfly))(?!\p{L})/iu

function isVietnamese(text: string, at: number): boolean {
  return /[ăđơưĂĐƠƯ\u1ea0-\u1ef9]/.test(text.slice(Math.max(0, at - 40), at + 40))
}

/** Returns the name before a title. */
export function readBeforeTitle(text: string, end: number, start: number): Name | undefined {
  const title = text.slice(start, end)
  if (title.charAt(0) === '様' && /[々子式態相]/.test(text.charAt(end))) return
  if (title === '君' && /[のがは]/.test(text.charAt(end))) return
  let from = start
  // "이라고 합니다" is a phrase of its own. Its copula does not belong to the name.
  if (title.startsWith('라고') && text.charAt(start - 1) === '이') return
  if (/^[\uac00-\ud7af]/.test(title)) from = readHangulBefore(text, start)
  else if (/^[ぁ-ん様氏君]/.test(title))
    from = title.startsWith('です') ? start : readJapaneseBefore(text, start)
  else if (/^[\u3400-\u9fff]/.test(title))
    from = isJapaneseNear(text, start) ? readJapaneseBefore(text, start) : readHanBefore(text, start)
  else {
    const before =
      /(?:^|[^\p{L}\p{M}])(\p{Lu}[\p{L}\p{M}]+(?: \p{Lu}[\p{L}\p{M}]+)?|[\u0900-\u097f]{3,16}) $/u.exec(
        text.slice(Math.max(0, start - 40), start),
      )
    if (before) {
      const name = before[1] as string
      return { start: start - 1 - name.length, end: start - 1, words: 1, isGiven: false }
    }
  }
  const until = text.charAt(start - 1) === ' ' ? start - 1 : start
  return from < until ? { start: from, end: until, words: 1, isGiven: false } : undefined
}

function isJapaneseNear(text: string, at: number): boolean {
  return /[\u3041-\u3096]/.test(text.slice(Math.max(0, at - 20), at + 12))
}
