import type { Random } from '../random.ts'

const MONTHS: Record<string, string[]> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(
    ' ',
  ),
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' '),
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
  pl: 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(
    ' ',
  ),
  sv: 'januari februari mars april maj juni juli augusti september oktober november december'.split(' '),
  tr: 'Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık'.split(' '),
  ru: 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' '),
  uk: 'січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня'.split(' '),
  cs: 'ledna února března dubna května června července srpna září října listopadu prosince'.split(' '),
  id: 'Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember'.split(' '),
  ar: 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' '),
  hi: 'जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
  th: 'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม'.split(' '),
}

/** Languages that write dates in numbers with words or signs of their own. */
const NUMERIC = new Set(['zh', 'ja', 'ko', 'vi'])

/** A date of birth as the language writes it. */
export function birthDate(random: Random, language: string): string {
  return writtenDate(random, language, 1940 + random.below(68))
}

/** A date of these years, as the language writes it. */
export function plainDate(random: Random, language: string): string {
  return writtenDate(random, language, 2019 + random.below(9))
}

function writtenDate(random: Random, language: string, y: number): string {
  const month = 1 + random.below(12)
  const day = 1 + random.below(28)
  const mm = String(month).padStart(2, '0')
  const dd = String(day).padStart(2, '0')
  const word = MONTHS[language]?.[month - 1] ?? ''
  const iso = `${y}-${mm}-${dd}`
  if (!word && !NUMERIC.has(language)) return random.pick([`${dd}.${mm}.${y}`, `${dd}/${mm}/${y}`, iso])
  switch (language) {
    case 'en':
      return random.pick([
        `${mm}/${dd}/${y}`,
        `${dd}/${mm}/${y}`,
        `${day} ${word} ${y}`,
        `${word} ${day}, ${y}`,
        iso,
      ])
    case 'de':
    case 'cs':
      return random.pick([`${dd}.${mm}.${y}`, `${day}.${month}.${y}`, `${day}. ${word} ${y}`])
    case 'es':
    case 'pt':
      return random.pick([`${dd}/${mm}/${y}`, `${day} de ${word} de ${y}`, `${dd}-${mm}-${y}`])
    case 'zh':
    case 'ja':
      return random.pick([`${y}年${month}月${day}日`, iso, `${y}/${mm}/${dd}`])
    case 'ko':
      return random.pick([`${y}년 ${month}월 ${day}일`, iso, `${y}.${mm}.${dd}`])
    case 'th':
      return random.pick([`${day} ${word} ${y + 543}`, `${dd}/${mm}/${y + 543}`])
    case 'vi':
      return random.pick([`${dd}/${mm}/${y}`, `ngày ${day} tháng ${month} năm ${y}`])
    case 'sv':
      return random.pick([iso, `${day} ${word} ${y}`])
    case 'ru':
    case 'uk':
    case 'pl':
    case 'tr':
      return random.pick([`${dd}.${mm}.${y}`, `${day} ${word} ${y}`])
    default:
      return random.pick([`${dd}/${mm}/${y}`, `${day} ${word} ${y}`, `${dd}-${mm}-${y}`])
  }
}
