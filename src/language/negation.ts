import { detectLanguage } from './detect-language.ts'
import { plainWords } from './words/words.ts'

/** Words that negate in any Latin text: no language that `detectLanguage` knows gives them another meaning. */
const LATIN = new Set(
  `not never cannot dont doesnt didnt wont cant isnt arent nicht niet nooit inte aldrig ikke aldri nunca nao jamais
  jamas degil khong dung chang tidak jangan bukan nechci nejsem nemohu nemuzu nemam nechcem nemozem nechceme neni
  nelze nikdy nigdy nemoj nemojte nije nisam alaa`.split(/\s+/),
)
/** Negating words that mean something else in other languages, folded, by language. */
const OF_LANGUAGE: Readonly<Record<string, string>> = {
  en: 'no',
  de: 'kein keine keinen keinem keiner nie niemals',
  fr: 'ne n pas rien',
  es: 'no',
  it: 'non mai',
  ca: 'no mai pas',
  pt: 'nem',
  nl: 'geen',
  sv: 'ej ingen inga inget',
  da: 'ej ingen intet',
  no: 'ingen ikkje',
  fi: 'en et ei emme ette eivat ala alkaa',
  et: 'ei ara mitte',
  pl: 'nie',
  cs: 'ne',
  sk: 'nie ne',
  hr: 'ne necu nemam',
  ro: 'nu',
  hu: 'nem ne soha nincs sem',
  tr: 'yok hayir',
  vi: 'chua',
  id: 'tak belum',
  lt: 'ne nera nenoriu negaliu',
}
/** Words of other scripts, folded: й is и, ё is е, ї is і. */
const OTHERS = new Set(
  'не ни нет нельзя никогда ні немає ніколи няма нема δεν μην μη οχι לא אין בלי لا لم لن ليس ليست لست نه نیست نمی نہیں مت नहीं मत ना नही 안 못'.split(
    ' ',
  ),
)
/** Negations within words, or in scripts without spaces. */
const WITHIN = [
  /n['’]t(?![\p{L}])/u,
  // Turkish verbs: istemiyorum, etmeyin.
  /\p{L}{2}m[iıuü]yor|\p{L}{2}m[ea]y[iı]n(?![\p{L}])/u,
  // ません before a question mark is a polite request.
  /ない(?!です?か|でしょうか|か)|なく(?!て?は(?:いけ|なら))|ません(?!か|でしょうか)|なかった/u,
  /[不没沒別别勿未无無]/u,
  /않|없|지\s?(?:마|말)/u,
  /ไม่|อย่า(?!ง)/u,
]
/** Phrases in which the same characters negate nothing. */
const IDIOMS =
  /(\p{Script=Han})[不没沒]\1|是否|[对對]不起|不好意思|不[过過]|不[错錯]|特[别別]|[区區][别別]|[别別]人|个别|個別|[类類][别別]|[级級][别別]|性[别別]|告[别別]|[没沒][关關]系|[无無][论論]|未[来來]|差不多|หรือไม่|少ない|危ない/gu

/** Tells whether a clause denies or forbids an action: `do not cancel`, `解約しない`. */
export function isNegated(clause: string): boolean {
  const text = clause.normalize('NFKC').toLowerCase().replace(IDIOMS, ' ')
  if (WITHIN.some((pattern) => pattern.test(text))) return true
  const words = plainWords(text)
  if (words.some((word) => LATIN.has(word) || OTHERS.has(word))) return true
  const own = OF_LANGUAGE[detectLanguage(clause) ?? 'en']?.split(' ') ?? []
  return words.some((word) => own.includes(word))
}
