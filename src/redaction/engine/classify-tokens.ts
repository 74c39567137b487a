import { isAlphanumeric, isDigit } from './characters.ts'
import { type CodeEntry, compileCodeRules } from './code-rules.ts'
import { endBeforeDate } from './dates.ts'
import type { Strength } from './finding.ts'
import { isAmount } from './is-amount.ts'
import { FOREIGN, type Page, type Reach } from './page.ts'
import type { NumberRule, Recognizer } from './recognizer.ts'
import { compileShapes, type Shapes } from './shapes.ts'

/** Kinds of phrases that apply to any number. */
export const VETO = 'veto'
export const CLOSE_VETO = 'close veto'
export const IDENTITY = 'identity'

const VETO_REACH: Reach = { before: 32, behind: 12, isOfLine: true }
const CLOSE_VETO_REACH: Reach = { before: 10, behind: 3, isOfLine: true }

/** The length beyond which a run is encoded data, not something that belongs to a person. */
const LONGEST_TOKEN = 200
/**
 * The least number of digits in the first run of a code that begins with digits, unless more digits follow after a
 * single sign (see CodeRule).
 */
const FEWEST_CODE_DIGITS = 6

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/iy
interface Owner {
  recognizer: Recognizer
  order: number
}
interface NumberEntry extends Owner {
  rule: NumberRule
}
interface Looker extends Owner {
  look: NonNullable<Recognizer['look']>
}
type IntroducedCodes = readonly [recognizer: Recognizer, entries: readonly CodeEntry[]]
interface Best {
  type: string
  start: number
  end: number
  strength: Strength
  score: number
  distance: number
  order: number
}

/** Assigns every number and code of a page to a recognizer, once. */
type ClassifyTokens = (page: Page) => void

/** Compiles the recognizers' rules for numbers and codes. */
export function compileTokenRules(recognizers: readonly Recognizer[]): ClassifyTokens {
  const shapes = compileShapes(
    recognizers.flatMap((recognizer, order) =>
      (recognizer.numbers ?? []).flatMap((rule) =>
        rule.shapes.map((shape) => ({ shape, value: { recognizer, order, rule } as NumberEntry })),
      ),
    ),
  )
  const codes: CodeEntry[] = recognizers.flatMap((recognizer, order) =>
    (recognizer.codes ?? []).map((rule) => ({ recognizer, order, rule })),
  )
  const findCodeRules = compileCodeRules(codes)
  const introduced = [
    ...Map.groupBy(
      codes.filter(({ rule }) => !rule.letters),
      ({ recognizer }) => recognizer,
    ),
  ]
  const lookers: Looker[] = recognizers.flatMap((recognizer, order) =>
    recognizer.look ? [{ recognizer, order, look: recognizer.look }] : [],
  )
  return (page) => {
    const hasIdentity = page.has(IDENTITY)
    const mayBeNear = ({ type, isIdentity }: Recognizer) =>
      page.has(type) || (isIdentity === true && hasIdentity)
    const near = introduced.filter(([recognizer]) => mayBeNear(recognizer))
    let claimed = 0
    let url = 0
    const choice = new Choice(page)
    const { tokenCount } = page
    for (let token = 0; token < tokenCount; token++) {
      const start = page.tokenStart(token)
      if (start < claimed || page.tokenEnd(token) - start > LONGEST_TOKEN) continue
      const uuid = uuidEnd(page, token)
      if (uuid > 0) {
        claimed = uuid
        continue
      }
      while (url < page.urls.length && (page.urls[url + 1] as number) <= start) url += 2
      choice.begin(url < page.urls.length && (page.urls[url] as number) <= start)
      tryNumbers(page, token, shapes, choice, mayBeNear)
      if (!isLoneNumber(page, token)) {
        const letters = page.tokenLetters(token)
        const rules = findCodeRules(page.text, start, letters, countDigits(page.text, start + letters))
        for (const entry of rules) tryCode(page, start, entry, choice)
      }
      tryIntroduced(page, token, near, choice)
      for (const looker of lookers) {
        const candidate = looker.look(page, token)
        if (candidate) choice.offer(looker, candidate.start, candidate.end, candidate.strength)
      }
      const best = choice.best
      if (!best) continue
      page.add(best.type, best.start, best.end, best.strength)
      claimed = best.end
    }
  }
}

function uuidEnd(page: Page, token: number): number {
  const start = page.tokenStart(token)
  const end = page.tokenEnd(token)
  if (end - start !== 8 || page.text.charCodeAt(end) !== 45) return -1
  UUID.lastIndex = start
  return UUID.test(page.text) ? UUID.lastIndex : -1
}

const SEPARATORS = /\D+/g

/** Tries every known layout that begins with this group of digits. */
function tryNumbers(
  page: Page,
  token: number,
  shapes: Shapes<NumberEntry>,
  choice: Choice,
  mayBeNear: (recognizer: Recognizer) => boolean,
): void {
  if (!page.isNumber(token)) return
  const { text } = page
  const start = page.tokenStart(token)
  let end = page.tokenEnd(token)
  let node = shapes.first(end - start)
  if (node === 0 || isFraction(text, start) || isInternational(text, start)) return
  for (let next = token; node !== 0; ) {
    const entries = shapes.at(node)
    if (entries.length > 0) {
      const raw = text.slice(start, end)
      const digits = next > token ? raw.replace(SEPARATORS, '') : raw
      for (const entry of entries) {
        const { rule, recognizer } = entry
        const strength = rule.isIntroduced && !mayBeNear(recognizer) ? undefined : rule.judge(digits)
        if (strength) choice.offer(entry, start, end, strength)
      }
    }
    next++
    if (next >= page.tokenCount || !page.isNumber(next)) return
    const from = page.tokenStart(next)
    const separator = separatorBetween(text, end, from)
    if (separator === 0) return
    end = page.tokenEnd(next)
    node = shapes.next(node, separator, end - from)
  }
}

/** Tells whether a token is a number that is too short for a code and has no other number after a single sign. */
function isLoneNumber(page: Page, token: number): boolean {
  const end = page.tokenEnd(token)
  if (!page.isNumber(token) || end - page.tokenStart(token) >= FEWEST_CODE_DIGITS) return false
  return token + 1 === page.tokenCount || page.tokenStart(token + 1) > end + 1
}

function countDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at - start
}

/** Tries the codes of each recognizer that a word near the token introduces. */
function tryIntroduced(page: Page, token: number, near: readonly IntroducedCodes[], choice: Choice): void {
  if (near.length === 0) return
  const start = page.tokenStart(token)
  const end = page.tokenEnd(token)
  const isIdentity = page.distance(IDENTITY, start, end) !== Infinity
  for (const [recognizer, entries] of near) {
    if (!(recognizer.isIdentity && isIdentity) && page.distance(recognizer.type, start, end) === Infinity)
      continue
    for (const entry of entries) tryCode(page, start, entry, choice)
  }
}

function tryCode(page: Page, start: number, entry: CodeEntry, choice: Choice): void {
  const { pattern } = entry.rule
  pattern.lastIndex = start
  if (!pattern.test(page.text)) return
  const end = endBeforeDate(page.text, start, pattern.lastIndex)
  if (end === start) return
  const from = start - (entry.rule.before ?? 0)
  const strength = entry.rule.judge(page.text.slice(from, end))
  if (strength) choice.offer(entry, from, end, strength)
}

/** Returns the separator between two groups, or 0. A hyphen may have a space on each side. */
function separatorBetween(text: string, end: number, start: number): number {
  const gap = start - end
  if (gap === 1) return text.charCodeAt(end)
  if (gap === 2) return text.charCodeAt(end) === 32 && text.charCodeAt(end + 1) === 32 ? 32 : 0
  if (gap !== 3 || text.charCodeAt(end) !== 32 || text.charCodeAt(end + 2) !== 32) return 0
  return text.charCodeAt(end + 1) === 45 ? 45 : 0
}

/** Tells whether the digits before `start` make this number the fraction or the thousands of a larger one. */
function isFraction(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  return (before === 46 || before === 44) && isDigit(text.charCodeAt(start - 2))
}

/** Tells whether a plus before the digits shows that they begin with a calling code. */
function isInternational(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === 43 && !isAlphanumeric(text.charCodeAt(start - 2))
}

/**
 * Chooses between the candidates for one token: the best evidence wins, then the nearest word, then the longest
 * candidate, then the first.
 */
class Choice {
  readonly #page: Page
  /** True in a URL. Most numbers there belong to the site, not to a person. */
  #isInUrl = false
  /** The distance of the word that introduced the candidate scored last. */
  #distance = Infinity
  best: Best | undefined

  constructor(page: Page) {
    this.#page = page
  }

  /** Starts on the next token. */
  begin(isInUrl: boolean): void {
    this.#isInUrl = isInUrl
    this.best = undefined
  }

  offer(owner: Owner, start: number, end: number, strength: Strength): void {
    const score = this.#score(owner.recognizer, start, end, strength)
    if (score === 0) return
    const { order } = owner
    const distance = this.#distance
    const { best } = this
    if (best) {
      const difference =
        score - best.score ||
        best.distance - distance ||
        end - start - (best.end - best.start) ||
        best.order - order
      if (difference < 0) return
    }
    this.best = { type: owner.recognizer.type, start, end, strength, score, distance, order }
  }

  /** Returns the strength of the evidence, including the words around the value; 0 means none. */
  #score(recognizer: Recognizer, start: number, end: number, strength: Strength): number {
    const page = this.#page
    const { text } = page
    this.#distance = Infinity
    if (isWordOrLine(text.charCodeAt(end)) || isWordOrLine(text.charCodeAt(start - 1))) return 0
    if (strength !== 'alone' && (this.#isInUrl || isPartOfMore(text, start, end))) return 0
    const own = page.distance(recognizer.type, start, end)
    const general = recognizer.isIdentity ? page.distance(IDENTITY, start, end) : Infinity
    const near = Math.min(own, general)
    const veto = Math.min(
      page.distance(VETO, start, end, VETO_REACH),
      page.distance(CLOSE_VETO, start, end, CLOSE_VETO_REACH),
    )
    const isIntroduced = near !== Infinity && !(near % FOREIGN > veto % FOREIGN)
    // A word that names another number says little about this one, and a word for all kinds less than one for this.
    const isNamed = isIntroduced && near < FOREIGN
    const isOwn = own < FOREIGN || own === near
    if (isNamed && isOwn) this.#distance = own
    if (strength === 'context') {
      if (isJoinedToWord(text, start, end) || isArgument(text, start, near) || !isIntroduced) return 0
      return isNamed ? (isOwn ? 4 : 2) : 1
    }
    if (strength === 'alone') return isNamed ? 6 : 5
    if (isIntroduced) return isNamed && isOwn ? 7 : 4
    return veto !== Infinity || isAttached(text, start, end) || isAmount(text, start, end) ? 0 : 3
  }
}

function isWordOrLine(code: number): boolean {
  return isAlphanumeric(code) || code === 95
}

/** Tells whether the value is part of a longer number: a decimal, a date, or one with another group joined to it. */
function isPartOfMore(text: string, start: number, end: number): boolean {
  const behind = text.charCodeAt(end)
  if ((behind === 46 || behind === 44 || behind === 45) && isDigit(text.charCodeAt(end + 1))) return true
  const before = text.charCodeAt(start - 1)
  return before >= 44 && before <= 47 && isDigit(text.charCodeAt(start - 2))
}

/** Tells whether the value is attached to a word or a path, as part of a code. */
function isAttached(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 35 || before === 61 || before === 38) return true
  const isJoint = before === 45 || before === 47 || before === 46 || before === 92 || before === 95
  if (isJoint && isAlphanumeric(text.charCodeAt(start - 2))) return true
  const behind = text.charCodeAt(end)
  return (behind === 45 || behind === 47) && isAlphanumeric(text.charCodeAt(end + 1))
}

/** Tells whether a hyphen, slash or underscore joins the value to letters on either side. */
function isJoinedToWord(text: string, start: number, end: number): boolean {
  return isTie(text, start - 1, start - 2) || isTie(text, end, end + 1)
}

function isTie(text: string, joint: number, beyond: number): boolean {
  const code = text.charCodeAt(joint)
  if (code !== 45 && code !== 47 && code !== 95) return false
  const letter = text.charCodeAt(beyond) | 32
  return letter >= 97 && letter <= 122
}

/**
 * Tells whether the value is the argument of a function call, as in `call print(123456789)`, but not in
 * `phone(2125550187)`.
 */
function isArgument(text: string, start: number, near: number): boolean {
  const letter = text.charCodeAt(start - 2) | 32
  return near > 1 && text.charCodeAt(start - 1) === 40 && letter >= 97 && letter <= 122
}
