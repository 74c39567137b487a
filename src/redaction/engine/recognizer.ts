import type { Strength } from './finding.ts'
import type { Page } from './page.ts'
import type { Stretch } from './stretch.ts'

/** What one kind of personal data looks like. */
export interface Recognizer {
  /** The name in the placeholder; Presidio's name where it has one. */
  readonly type: string
  /** A name for people to read. */
  readonly label: string
  /** An example of a value. */
  readonly example: string
  /** Words that introduce such a value. A `*` at the end of a phrase lets the word go on. */
  readonly context?: readonly string[]
  /** Set when words for identity numbers in general introduce the value too. */
  readonly isIdentity?: true
  readonly numbers?: readonly NumberRule[]
  readonly codes?: readonly CodeRule[]
  /** Examines one run of letters and digits and its surroundings, for what rules cannot express. */
  readonly look?: (page: Page, token: number) => Candidate | undefined
  /** The phrases from which `find` starts. */
  readonly phrases?: Readonly<Record<string, readonly string[]>>
  /** Searches a whole text by its anchors. */
  readonly find?: (page: Page) => void
  /** Searches a text for values that were found elsewhere in it. */
  readonly findAgain?: (
    text: string,
    places: readonly Stretch[],
    found: (start: number, end: number) => void,
  ) => void
  /** Set when `find` reads the text itself, and so must run even when a scan finds no anchors. */
  readonly readsAll?: true
  /** Texts in which each value that must be found stands between « and ». */
  readonly examples: readonly string[]
  /** Texts in which nothing of this type may be found. */
  readonly counterExamples: readonly string[]
}

/** Numbers in a known grouping. */
export interface NumberRule {
  /** Group sizes with the separators (space, hyphen, dot, slash) between them, such as `3-2-4` or `9`. */
  readonly shapes: readonly string[]
  /** How strong the evidence of the digits is, if they are any. */
  judge(digits: string): Strength | undefined
}

/** Codes of letters and digits. */
export interface CodeRule {
  /**
   * How many letters precede the first digit. Without it, the rule is tried only near a context word. Codes without
   * letters begin with six digits, or with fewer and more behind a single sign.
   */
  readonly letters?: readonly number[]
  /** How many digits follow the letters; without it, any number may. */
  readonly digits?: readonly number[]
  /** Sticky: tried where the first run that contains a digit begins. */
  readonly pattern: RegExp
  /** How many characters before that run the code begins. The pattern sees them by looking behind. */
  readonly before?: number
  judge(code: string): Strength | undefined
}

/** The result of examining a token. */
export interface Candidate {
  start: number
  end: number
  strength: Strength
}
