import type { Page } from './page.ts'
import type { Stretch } from './stretch.ts'

/**
 * How much evidence a finding has: its form alone proves it; a check digit and a usual layout make it likely enough
 * unless a word speaks against it; or only a word beside it tells what it is; or the same stands elsewhere in the text
 * with such a word.
 */
export type Strength = 'alone' | 'checked' | 'context' | 'again'

/** A piece of personal data in a text; `start` and `end` count UTF-16 code units. */
export interface Finding {
  type: string
  start: number
  end: number
  strength: Strength
}

/** What one kind of personal data looks like. */
export interface Recognizer {
  /** The name in the placeholder, Presidio's where it has one. */
  readonly type: string
  /** What it is, for people. */
  readonly label: string
  /** One value. */
  readonly example: string
  /** Words that introduce such a value; one `*` at the end of a phrase lets the word go on. */
  readonly context?: readonly string[]
  /** Words for identity numbers in general introduce it too. */
  readonly isIdentity?: true
  readonly numbers?: readonly NumberRule[]
  readonly codes?: readonly CodeRule[]
  /** Looks at one run of letters and digits and around it, when rules do not say it. */
  readonly look?: (page: Page, token: number) => Candidate | undefined
  /** Phrases that `find` starts from. */
  readonly phrases?: Readonly<Record<string, readonly string[]>>
  /** Looks through the anchors of a whole text. */
  readonly find?: (page: Page) => void
  /** Looks through a text for what has been found at some places of it. */
  readonly findAgain?: (
    text: string,
    places: readonly Stretch[],
    found: (start: number, end: number) => void,
  ) => void
  /** `find` reads the text itself, so that it is asked even where a scan finds nothing to start from. */
  readonly readsAll?: true
  /** Texts with each value that must be found between « and ». */
  readonly examples: readonly string[]
  /** Texts in which nothing of this type may be found. */
  readonly counterExamples: readonly string[]
}

/** Numbers in a known grouping. */
export interface NumberRule {
  /** `3-2-4` or `9`: group sizes with the separators (space, hyphen, dot, slash) between them. */
  readonly shapes: readonly string[]
  /** What the digits prove, if anything. */
  judge(digits: string): Strength | undefined
}

/** Codes of letters and digits. */
export interface CodeRule {
  /**
   * How many letters stand before the first digit; without it the rule is asked only where a context word is near.
   * Codes with none begin with six digits, or with fewer and more behind a single sign.
   */
  readonly letters?: readonly number[]
  /** How many digits follow them before anything else; without it any number may. */
  readonly digits?: readonly number[]
  /** Sticky: it is tried where the first run with a digit begins. */
  readonly pattern: RegExp
  /** How many characters before that run the code begins; the pattern looks behind to see them. */
  readonly before?: number
  judge(code: string): Strength | undefined
}

/** What a look at a token found. */
export interface Candidate {
  start: number
  end: number
  strength: Strength
}
