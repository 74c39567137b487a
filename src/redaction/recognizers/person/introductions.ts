import { CLASS, UNSPACED } from '../../engine/characters.ts'
import { step } from '../../engine/step.ts'
import { type Name, readName, readSmallName } from './read-name.ts'
import { isOfOtherScript, isOfThing, readAny } from './surroundings.ts'

/** The text that may stand between an introduction and the name. */
const JOINT =
  /(?:\s{0,2}(?:is|ist|lautet|est|es|e|é|è|jest|to|är|er|:|-|=|,|"|'|“|«|\(|هو|هي|是|叫|는|은|คือ|là|la|adalah|—|ค่ะ|ครับ)(?![\p{L}\p{M}])){0,2}\s{0,2}["'“«„]?(?:(?:mr|mrs|ms|miss|dr|prof|herr|frau|sr|sra|sig|pan|pani|г-н|г-жа|السيد|السيدة|श्री|श्रीमती|นาย|นางสาว|นาง|คุณ)\.?\s)?/iuy

/** Returns the name after a phrase that introduces one. */
export function readIntroduced(text: string, end: number, start: number): Name | undefined {
  if (isOfThing(text, start)) return
  const from = step(JOINT, text, end)
  const name = readAny(text, from)
  if (name) {
    const isWhole = isSaid(text, name) || isOfOtherScript(text, start, name.start)
    return isWhole && !isNoun(text.slice(start, end), name) ? name : undefined
  }
  const small = readSmallName(text, from)
  return small && (small.isGiven || OF_SPEAKER.test(text.slice(start, end))) ? small : undefined
}

/** Introductions after which lower-case words are the speaker's name, rather than what something is called. */
const OF_SPEAKER =
  /(?:^|[^\p{L}])(?:my|myself|mein|ich|mon|je|m'appelle|me|mi|meu|mijn|ik|nazywam|mam|moje|jag|mitt|jeg|mit|benim|adım|adim|ismim|jmenuji|jmenuju|меня|мо[её]|мене|моя|saya|namaku|tôi|toi|mình|minh|nimeni|nevem|numesc|numele)(?![\p{L}])(?<!call me)/iu

/** Ends of names in scripts without capitals: before a copula, or at the end of a clause. */
const SAID: readonly (readonly [script: RegExp, behind: RegExp])[] = [
  [/[\u0900-\u097f]/, /^\s?(?:[,.।!\n]|है|हैं|हूँ|और|$)/],
  [
    /[\uac00-\ud7af]/,
    /^\s?(?:입니다|이에요|예요|이예요|에요|이고|이며|고요|이구|인데|이라|라고|이야|야(?![가-힣])|임(?![가-힣]))|^\s?(?:[,.!?]|$)|^\n/,
  ],
  [
    /[\u3041-\u30ff\u3400-\u9fff]/,
    /^\s?(?![\u3041-\u3096])|^\s?(?:です|でし|でご|だ|と申|と言|とい|とお|になり)/,
  ],
]

const FIRST_CASELESS = 0x900

/** Introductions that other nouns follow as often as names do: `signed by Contract`, `ask for Refund`. */
const OF_ANYTHING =
  /^(?:signed by|account of|in the name of|under the name|registered to|addressed to|ask for|the patient|patient is|au nom de|a nombre de|em nome de|a nome di|op naam van|auf den namen|na nazwisko|на имя|atas nama|habla)$/i

/** Tells whether a single word in capitals, which is not known as a name, may be any noun. */
function isNoun(introduction: string, name: Name): boolean {
  return name.words === 1 && !name.isGiven && OF_ANYTHING.test(introduction)
}

function isSaid(text: string, name: Name): boolean {
  if (text.charCodeAt(name.start) < FIRST_CASELESS) return true
  const char = text.charAt(name.start)
  const rest = text.slice(name.end, name.end + 6)
  return SAID.every(([script, behind]) => !script.test(char) || behind.test(rest))
}

/** "I am" in languages that write in lower case anything else that a person can be. */
const OF_ONESELF =
  /^(?:soy|sono|je suis|sou|sou [oa]|ik ben|jag är|jeg er|olen|jestem|jsem|ben|ici|hier ist|hier spricht|aqui [eé]|qui [eè]|u spreekt met|tu|tady|eu sunt|ja sam|ειμαι|είμαι|я)$/i

/** Returns the name after a phrase that often introduces something else. */
export function readWeak(text: string, end: number, start: number): Name | undefined {
  const from = step(/\s?[:,-]?\s{0,2}/y, text, end)
  const name = readName(text, from)
  if (!name) return
  const char = text.charCodeAt(from)
  const rest = text.slice(name.end, name.end + 24)
  if (CLASS[char] === UNSPACED) {
    const isHangul = HANGUL.test(text.charAt(start))
    // A syllable within a word does not mean "I".
    if (isHangul && (HANGUL.test(text.charAt(start - 1)) || (end - start === 1 && from === end))) return
    if (isHangul) return isSaid(text, name) ? name : undefined
    return /^(?:です|と申|[，,。.!！\s]|$)/.test(rest) ? name : undefined
  }
  if (name.isGiven && name.words <= 4) return name
  const isShort = name.words === 2 || name.words === 3
  if (
    isShort &&
    OF_ONESELF.test(text.slice(start, end)) &&
    /^(?:[.,!\n]|$| (?:e|y|et|en|i|ve|och|og|и) )/.test(rest)
  )
    return name
  const speaks =
    /^(?:,| (?:from|calling|here|speaking|aus|von|vom|de|da|van|z|ze|från|из|из|з|dari|aquí|hier|à l'appareil)\b| (?:बोल|से)(?= ))/u.test(
      rest,
    )
  return name.words >= 2 && name.words <= 3 && speaks && !/^im$/i.test(text.slice(start, end))
    ? name
    : undefined
}

const HANGUL = /[\uac00-\ud7af]/
