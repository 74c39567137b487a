import { CLASS, LETTER, UNSPACED } from '../../engine/characters.ts'
import { type Name, readJapaneseName, readName } from './read-name.ts'

/** Words for other things that have a name. */
const THINGS = new Set(
  'file folder host domain user product company brand variable column table class function project package model server branch app pet dog cat store shop city street school team group event firmen datei produkt marken dosya ürün şirket sunucu'.split(
    ' ',
  ),
)
const LONGEST_THING = 10

/** Tells whether the word before shows that the name belongs to something else. */
export function isOfThing(text: string, start: number): boolean {
  const end = /[ -]/.test(text.charAt(start - 1)) ? start - 1 : start
  let from = end
  while (from > 0 && end - from < LONGEST_THING && CLASS[text.charCodeAt(from - 1)] === LETTER) from--
  return from < end && THINGS.has(text.slice(from, end).toLowerCase())
}

/** Reads a Japanese name where kana are near, otherwise a name by the rules of its script. */
export function readAny(text: string, from: number): Name | undefined {
  if (CLASS[text.charCodeAt(from)] !== UNSPACED) return readName(text, from)
  const near = text.slice(Math.max(0, from - 12), from + 12)
  const isJapanese = /[\u3041-\u30ff]/.test(near) || /氏名|名前|宛名|名義|受取人|差出人|様/.test(near)
  return isJapanese ? readJapaneseName(text, from) : readName(text, from)
}

/** Tells whether only a full stop or a title follows on the line. */
export function endsLine(text: string, at: number): boolean {
  return /^[^\S\n]{0,3}(?:[.!,"'”»)]|드림|올림|拝|敬上)?[^\S\n]{0,3}(?:\n|$)/.test(text.slice(at, at + 12))
}

/** Tells whether only spaces precede on the line. */
export function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[^\S\n]*$/.test(text.slice(Math.max(0, at - 4), at))
}

/** The first letter of the scripts without capitals. */
const FIRST_WITHOUT_CAPITALS = 0x590

/** Tells whether a name is in a script without capitals, and what introduces it in one that has them. */
export function isOfOtherScript(text: string, introduction: number, name: number): boolean {
  return (
    text.charCodeAt(introduction) < FIRST_WITHOUT_CAPITALS && text.charCodeAt(name) >= FIRST_WITHOUT_CAPITALS
  )
}
