import { CLASS, DIGIT, FOLD, LETTER, MARK, SPACE, UNSPACED } from '../engine/characters.ts'
import { placeholderEnd } from '../engine/placeholder.ts'

/** The kinds of tokens. A character of a script without spaces, and a sign, is a token by itself. */
export const WORD = 1
const NUMBER = 2
export const CHARACTER = 3
export const MARKUP = 4
export const LINE_END = 5

/** Forms of words; see `formOf`. The forms of numbers are their lengths from `DIGITS` on. */
const LOWER = 1
const CAPITALIZED = 2
const CAPITALS = 3
const INITIAL = 4
const MIXED = 5
const CASELESS = 6
const DIGITS = 8
const SCRIPTS = 16
const SIGNS = 32
/** Added to the form of a token that follows a space. */
const SPACED = 128

const MOST_CELLS = 32
const LONGEST_WORD = 40
const MOST_KEPT = 65_536

/** One line of a sheet, by the numbers of its tokens. */
export interface Line {
  /** The first token, and the token that ends the line. */
  start: number
  end: number
  hasPlaceholder: boolean
  /** The number of the line that heads the columns of this one; -1 if it is no row of a table. */
  header: number
  /** The sign that separates its columns, with their number; 0 if it has none. */
  separators: number
  /** 0: with small and capital letters; 1: without capitals; 2: without small letters. */
  letters: number
}

/** The script of a token is not that of most of its line, of the word before it, or of the next. */
export const FOREIGN = { line: 1, before: 2, next: 4 } as const

/**
 * A text as the tagger reads it: its tokens, in lines. One text after another uses the same memory.
 */
export class Sheet {
  text = ''
  count = 0
  /** By token: its place in the text, kind, form, and hashes of the word as it stands and in its folded form. */
  starts = new Int32Array(1024)
  ends = new Int32Array(1024)
  kinds = new Uint8Array(1024)
  forms = new Uint8Array(1024)
  /** By token: the ways in which its script differs from those around it, of `FOREIGN`. */
  foreign = new Uint8Array(1024)
  exact = new Int32Array(1024)
  second = new Int32Array(1024)
  words = new Int32Array(1024)
  /** By token: the key before it on its line, its last word and as a whole, or 0; and how far behind the key it is. */
  keys = new Int32Array(1024)
  wholeKeys = new Int32Array(1024)
  keyGaps = new Uint8Array(1024)
  /** By token: the head of its column, or 0. */
  heads = new Int32Array(1024)
  lines: Line[] = []
  /** The words of the line that is being read: those with small letters and with capitals, and the first script. */
  #small = 0
  #capital = 0
  #script = -1
  #isMixed = false
  /** The signs of that line: whether one ends a key, and how many of each separate columns. */
  #hasKey = false
  #commas = 0
  #semicolons = 0
  #bars = 0
  #tabs = 0

  /**
   * Reads a text in place of the last one.
   * @param isPlaceholder tells whether a name between brackets is one that redaction writes
   */
  read(text: string, isPlaceholder: (name: string) => boolean = () => false): void {
    this.#clear()
    this.text = text
    this.lines = []
    let at = 0
    let isSpaced = true
    let line = this.#newLine()
    while (at < text.length) {
      const code = text.charCodeAt(at)
      const kind = CLASS[code]
      const start = at
      if (kind === LETTER || kind === MARK) at = this.#readWord(start, isSpaced)
      else if (kind === DIGIT) at = this.#readNumber(start, isSpaced)
      else if (code === 10) {
        let isBlank = false
        for (at++; at < text.length && CLASS[text.charCodeAt(at)] === SPACE; at++)
          isBlank ||= text.charCodeAt(at) === 10
        this.#endLine(line, start, at, isBlank)
        line = this.#newLine()
        isSpaced = true
        continue
      } else if (kind === SPACE) {
        if (code === 9) {
          this.#add(start, at + 1, MARKUP, SIGNS + 9, 9, 9, 9)
          this.#tabs++
        }
        at++
        isSpaced = true
        continue
      } else if (kind === UNSPACED) {
        at++
        while (CLASS[text.charCodeAt(at)] === MARK) at++
        this.#addCharacter(start, at, isSpaced)
      } else {
        const end = code === 91 ? placeholderEnd(text, at) : -1
        if (end > 0 && isPlaceholder(text.slice(at + 1, end - 1))) line.hasPlaceholder = true
        at++
        this.#add(start, at, MARKUP, SIGNS + (code % 90) + (isSpaced ? SPACED : 0), code, code, code)
        this.#noteSign(code)
      }
      isSpaced = false
    }
    this.#endLine(line, text.length, text.length, false)
    this.#readColumns()
  }

  #clear(): void {
    const { count } = this
    for (const marks of [this.keys, this.wholeKeys, this.keyGaps, this.heads, this.foreign])
      marks.fill(0, 0, count)
    if (this.starts.length > MOST_KEPT) this.#resize(1024)
    this.count = 0
  }

  #newLine(): Line {
    this.#small = this.#capital = 0
    this.#script = -1
    this.#isMixed = this.#hasKey = false
    this.#commas = this.#semicolons = this.#bars = this.#tabs = 0
    const { count } = this
    return { start: count, end: count, hasPlaceholder: false, header: -1, separators: 0, letters: 0 }
  }

  #noteSign(code: number): void {
    if (code === 44) this.#commas++
    else if (code === 59) this.#semicolons++
    else if (code === 124) this.#bars++
    else if (code === 58 || code === 61 || code === 62) this.#hasKey = true
  }

  #endLine(line: Line, start: number, end: number, isBlank: boolean): void {
    line.end = this.count
    this.#add(start, end, LINE_END, isBlank ? 7 : 0, isBlank ? 2 : 1, 1, isBlank ? 2 : 1)
    this.lines.push(line)
    if (this.#hasKey) this.#readKeys(line)
    line.separators = this.#separators()
    line.letters = this.#capital === 0 ? 1 : this.#small === 0 ? 2 : 0
    if (this.#isMixed) this.#readScripts(line)
  }

  /** Notes the script of a word of the line. */
  #noteScript(start: number): void {
    const script = SCRIPT[this.text.charCodeAt(start)] as number
    if (this.#script < 0) this.#script = script
    else if (script !== this.#script) this.#isMixed = true
  }

  /** Marks the tokens whose script differs from what is around them. */
  #readScripts(line: Line): void {
    const { text } = this
    SCRIPT_COUNTS.fill(0)
    for (let token = line.start; token < line.end; token++) {
      const kind = this.kinds[token]
      if (kind !== WORD && kind !== CHARACTER) continue
      const script = SCRIPT[text.charCodeAt(this.starts[token] as number)] as number
      // Where words are not told apart by spaces, three characters count as one.
      SCRIPT_COUNTS[script] = (SCRIPT_COUNTS[script] as number) + (kind === WORD ? 3 : 1)
    }
    let most = this.#script
    for (let script = 0; script < SCRIPT_COUNTS.length; script++)
      if ((SCRIPT_COUNTS[script] as number) > (SCRIPT_COUNTS[most] as number)) most = script
    let before = -1
    for (let token = line.start; token < line.end; token++) {
      const kind = this.kinds[token]
      if (kind !== WORD && kind !== CHARACTER) continue
      const script = SCRIPT[text.charCodeAt(this.starts[token] as number)] as number
      let marks: number = script === most ? 0 : FOREIGN.line
      if (before >= 0 && script !== SCRIPT[text.charCodeAt(this.starts[before] as number)]) {
        marks |= FOREIGN.before
        this.foreign[before] = (this.foreign[before] as number) | FOREIGN.next
      }
      this.foreign[token] = marks
      before = token
    }
  }

  #readWord(start: number, isSpaced: boolean): number {
    const { text } = this
    let at = start
    let exact = 0x811c9dc5
    let second = 7
    let word = 0x811c9dc5
    let capitals = 0
    for (; at < text.length; at++) {
      let code = text.charCodeAt(at)
      const kind = CLASS[code]
      if (kind !== LETTER && kind !== MARK) {
        if (code !== 39 || at === start || CLASS[text.charCodeAt(at + 1)] !== LETTER) break
      }
      if (CASES[code] === CAPITAL) capitals++
      if (at - start > LONGEST_WORD) continue
      exact = Math.imul(exact ^ code, 0x01000193)
      second = (Math.imul(second, 31) + code) | 0
      code = FOLD[code] as number
      if (code !== 0) word = Math.imul(word ^ code, 0x01000193)
    }
    const form = formOf(CASES[text.charCodeAt(start)] as number, at - start, capitals)
    if (form === LOWER || form === CAPITALIZED || form === MIXED) this.#small++
    if (form >= CAPITALIZED && form <= MIXED) this.#capital++
    this.#noteScript(start)
    this.#add(start, at, WORD, form + (isSpaced ? SPACED : 0), exact, second, word)
    return at
  }

  /** Reads digits. Only their number counts, except that possible years have a form of their own. */
  #readNumber(start: number, isSpaced: boolean): number {
    const { text } = this
    let at = start
    while (CLASS[text.charCodeAt(at)] === DIGIT) at++
    const length = Math.min(at - start, 7)
    const century = text.slice(start, start + 2)
    const isYear = length === 4 && (century === '19' || century === '20')
    const hash = 0x10000 + length + (isYear ? 16 : 0)
    this.#add(start, at, NUMBER, DIGITS + length - 1 + (isSpaced ? SPACED : 0), hash, hash, hash)
    return at
  }

  #addCharacter(start: number, end: number, isSpaced: boolean): void {
    const code = this.text.charCodeAt(start)
    this.#noteScript(start)
    this.#add(start, end, CHARACTER, scriptOf(code) + (isSpaced ? SPACED : 0), code, end - start, code)
  }

  #add(
    start: number,
    end: number,
    kind: number,
    form: number,
    exact: number,
    second: number,
    word: number,
  ): void {
    const at = this.count++
    if (at === this.starts.length) this.#resize(at * 2)
    this.starts[at] = start
    this.ends[at] = end
    this.kinds[at] = kind
    this.forms[at] = form
    this.exact[at] = exact
    this.second[at] = second
    this.words[at] = word
  }

  #resize(length: number): void {
    for (const name of [
      'starts',
      'ends',
      'exact',
      'second',
      'words',
      'keys',
      'wholeKeys',
      'heads',
    ] as const) {
      const longer = new Int32Array(length)
      longer.set(this[name].subarray(0, length))
      this[name] = longer
    }
    for (const name of ['kinds', 'forms', 'foreign', 'keyGaps'] as const) {
      const longer = new Uint8Array(length)
      longer.set(this[name].subarray(0, length))
      this[name] = longer
    }
  }

  /** Gives each token of a line the key before it: the words before a colon or an equals sign, or of a tag. */
  #readKeys(line: Line): void {
    let key = 0
    let whole = 0
    let gap = 0
    let isBehind = false
    let last = 0
    let before = 0
    for (let token = line.start; token < line.end; token++) {
      const kind = this.kinds[token]
      const word = this.words[token] as number
      if (key !== 0) {
        this.keys[token] = key
        this.wholeKeys[token] = whole
        this.keyGaps[token] = isBehind ? 3 : gap < 3 ? 0 : gap < 8 ? 1 : 2
        gap++
      }
      if (kind === MARKUP) {
        if ((word === 58 || word === 61 || word === 62) && last !== 0) {
          key = last
          whole = Math.imul(before, 31) ^ last
          gap = 0
          isBehind = false
        } else if (word === 44 || word === 59 || word === 9 || word === 124) isBehind = true
        if (word !== 34 && word !== 39 && word !== 42 && word !== 95 && word !== 41) last = before = 0
      } else {
        // The characters of an unspaced script make one word.
        if (kind === CHARACTER && last !== 0) last = Math.imul(last ^ word, 0x01000193)
        else {
          before = last
          last = word
        }
      }
    }
  }

  /** Gives each token of a table the head of its column: rows below each other with as many separators. */
  #readColumns(): void {
    let header = -1
    let signature = 0
    let heads: number[] = []
    for (let at = 0; at < this.lines.length; at++) {
      const line = this.lines[at] as Line
      const next = line.separators
      if (next !== 0 && next === signature) {
        line.header = header
        this.#fillColumns(line, next & 127, heads)
      } else {
        header = at
        signature = next
        if (next !== 0) heads = this.#readHeads(line, next & 127)
      }
    }
  }

  /** Returns the sign that separates the columns of the line, with their number. */
  #separators(): number {
    if (this.#tabs > 0) return this.#tabs * 128 + 9
    if (this.#bars > 0) return this.#bars * 128 + 124
    if (this.#semicolons > 0) return this.#semicolons * 128 + 59
    return this.#commas > 1 ? this.#commas * 128 + 44 : 0
  }

  #readHeads(line: Line, separator: number): number[] {
    const heads = [0]
    for (let token = line.start; token < line.end && heads.length < MOST_CELLS; token++) {
      const word = this.words[token] as number
      if (this.kinds[token] !== MARKUP) {
        const last = heads.length - 1
        heads[last] = Math.imul((heads[last] as number) ^ word, 0x01000193)
      } else if (word === separator) heads.push(0)
    }
    return heads
  }

  #fillColumns(line: Line, separator: number, heads: readonly number[]): void {
    let cell = 0
    for (let token = line.start; token < line.end; token++) {
      if (this.kinds[token] === MARKUP && this.words[token] === separator) cell++
      else this.heads[token] = heads[cell] ?? 0
    }
  }
}

/** The numbers of scripts, by code unit; blocks that hold one script between them have one number. */
const SCRIPT = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  if (code < 0x370 || (code >= 0x1e00 && code < 0x1f00) || code >= 0xff00) return 0
  if (code < 0x400 || (code >= 0x1f00 && code < 0x2000)) return 1
  if (code < 0x530) return 2
  if (code >= 0x600 && code < 0x800) return 3
  if (code >= 0x1000 && code < 0x10a0) return 4
  if (code >= 0x1200 && code < 0x1400) return 5
  if (code >= 0x2e80 && code < 0xa000) return 6
  if (code >= 0xac00 && code < 0xd800) return 7
  return code < 0x2000 ? 8 + (code >> 7) : 8
})
const SCRIPT_COUNTS = new Int32Array(80)

function formOf(first: number, length: number, capitals: number): number {
  if (first === NO_CASE) return CASELESS
  if (length === 1) return first === CAPITAL ? INITIAL : LOWER
  if (capitals === 0) return LOWER
  if (capitals === length) return CAPITALS
  return first === CAPITAL && capitals === 1 ? CAPITALIZED : MIXED
}

const NO_CASE = 0
const SMALL = 1
const CAPITAL = 2
/** The case of each code unit: a small letter, a capital one or neither. */
const CASES = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (char !== char.toLowerCase()) return CAPITAL
  return char !== char.toUpperCase() ? SMALL : NO_CASE
})

function scriptOf(code: number): number {
  if (code >= 0x3041 && code <= 0x309f) return SCRIPTS
  if (code >= 0x30a0 && code <= 0x30ff) return SCRIPTS + 1
  if (code >= 0xac00 && code <= 0xd7af) return SCRIPTS + 2
  if (code >= 0x3400 && code <= 0x9fff) return SCRIPTS + 3
  return code >= 0xe00 && code <= 0xe7f ? SCRIPTS + 4 : SCRIPTS + 5
}
