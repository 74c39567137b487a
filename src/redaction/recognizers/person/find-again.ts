import { BRACKET, CLASS, LETTER, MARK, UNSPACED } from '../../engine/characters.ts'
import { placeholderEnd } from '../../engine/placeholder.ts'
import type { Stretch } from '../../engine/stretch.ts'
import { EVERYDAY_NAMES, plain } from './lists.ts'

/** The most names that are looked for. A text with more is a list in which each name appears once. */
const MOST_NAMES = 200
const MOST_UNSPACED = 12
const SHORTEST = 3
/** The shortest name in a script without spaces: a family name and at least one more character. */
const SHORTEST_UNSPACED = 2
const MOST_WHOLES = 4

/** Finds the words of names wherever they appear again in the text. */
export function findAgain(
  text: string,
  names: readonly Stretch[],
  found: (start: number, end: number) => void,
): void {
  if (names.length === 0) return
  const words = new Map<string, string[]>()
  const unspaced = new Set<string>()
  for (const { start, end } of names.slice(0, MOST_NAMES)) {
    const name = text.slice(start, end)
    if (CLASS[name.charCodeAt(0)] === UNSPACED) {
      if (name.length >= SHORTEST_UNSPACED && unspaced.size < MOST_UNSPACED) unspaced.add(name)
    } else addWords(name, words)
  }
  if (words.size > 0) findWords(text, words, found)
  for (const name of unspaced) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
      found(at, at + name.length)
  }
}

/**
 * Adds the words of a name. A whole name is looked for wherever its first word appears. Each of its words is also
 * looked for on its own, unless it is an everyday word.
 */
function addWords(name: string, words: Map<string, string[]>): void {
  const parts = name.split(/[ .]+/)
  for (const part of parts) if (isTelling(part) && !words.has(part)) words.set(part, [])
  const first = parts[0] as string
  if (parts.length < 2 || first.length < SHORTEST) return
  const wholes = words.get(first) ?? ['']
  if (wholes.length < MOST_WHOLES) words.set(first, [...wholes, name])
}

function isTelling(word: string): boolean {
  if (word.length < SHORTEST) return false
  return word.charAt(0) !== word.charAt(0).toLowerCase()
    ? !EVERYDAY_NAMES.has(plain(word))
    : /^\p{Lo}{3}/u.test(word)
}

function findWords(
  text: string,
  words: ReadonlyMap<string, readonly string[]>,
  found: (start: number, end: number) => void,
): void {
  // Names that overlap become one stretch.
  let from = 0
  let until = 0
  const firsts = new Set<number>()
  for (const word of words.keys()) firsts.add(word.charCodeAt(0))
  for (let at = 0; at < text.length; at++) {
    const first = text.charCodeAt(at)
    if (CLASS[first] !== LETTER) {
      // A placeholder contains no name.
      if (CLASS[first] === BRACKET) at = Math.max(at, placeholderEnd(text, at) - 1)
      continue
    }
    const start = at
    while (at < text.length && isNamePart(text, at)) at++
    if (at - start < SHORTEST || at - start >= 40 || !firsts.has(first)) continue
    const wholes = words.get(text.slice(start, at))
    if (!wholes) continue
    // An empty whole means that the first word on its own is an everyday word.
    let end = wholes[0] === '' ? start : at
    for (const whole of wholes) if (text.startsWith(whole, start)) end = Math.max(end, start + whole.length)
    if (end === start) continue
    if (start >= until) {
      if (until > from) found(from, until)
      from = start
    }
    until = Math.max(until, end)
  }
  if (until > from) found(from, until)
}

/** Tells whether a name continues at a place, with letters, marks, or a hyphen or apostrophe between them. */
function isNamePart(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const kind = CLASS[code]
  if (kind === LETTER || kind === MARK) return true
  if ((code !== 45 && code !== 39) || at + 1 >= text.length) return false
  return CLASS[text.charCodeAt(at + 1)] === LETTER && text.charCodeAt(at + 2) !== 32
}
