import type { Strength } from './finding.ts'
import type { Page } from './page.ts'
import type { Stretch } from './stretch.ts'

/** The rules by which one kind of personal data is recognized. */
export interface Recognizer {
  /** The name in the placeholder; Presidio's name where it has one. */
  readonly type: string
  /** A name for people to read. */
  readonly label: string
  /** An example of a value. */
  readonly example: string
  /** Words that introduce such a value. A `*` at the end of a phrase lets the word go on. */
  readonly context?: readonly string[]
  /** True if words for identity numbers in general introduce the value too. */
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
  /** True if `find` reads the text itself, and so must run even if a scan finds no anchors. */
  readonly readsAll?: true
  /** Texts in which each value that must be found stands between « and »; of another type: `«TYPE|value»`. */
  readonly examples: readonly string[]
  /** Texts in which nothing of this type may be found. */
  readonly counterExamples: readonly string[]
}

/** Numbers in a known grouping. */
export interface NumberRule {
  /** Group sizes with the separators (space, hyphen, dot, slash) between them, such as `3-2-4` or `9`. */
  readonly shapes: readonly string[]
  /** True if the numbers count only near a word that introduces them, so that others need not be judged. */
  readonly isIntroduced?: boolean
  /** Returns the strength of the evidence that the digits give, if any. */
  judge(digits: string): Strength | undefined
}

/** Codes of letters and digits. */
export interface CodeRule {
  /**
   * The numbers of letters that may precede the first digit. If absent, the rule is tried only near a context word.
   * Codes without letters begin with six digits, or with fewer and more after a single sign.
   */
  readonly letters?: readonly number[]
  /** The numbers of digits that may follow the letters; if absent, any number may. */
  readonly digits?: readonly number[]
  /** A sticky pattern, tried where the first run that contains a digit begins. */
  readonly pattern: RegExp
  /** The number of characters before that run at which the code begins. The pattern sees them by looking behind. */
  readonly before?: number
  judge(code: string): Strength | undefined
}

/** The result of examining a token. */
export interface Candidate {
  start: number
  end: number
  strength: Strength
}
