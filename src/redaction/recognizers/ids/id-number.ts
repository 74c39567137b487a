import type { Strength } from '../../engine/finding.ts'
import type { CodeRule, Recognizer } from '../../engine/recognizer.ts'
import { wordList } from '../../engine/word-list.ts'

/** A kind of number or code that one body gives out, as a row of a table. */
interface IdNumber {
  type: string
  label: string
  example: string
  /** Words that introduce it, separated by commas. */
  words: string
  /** Groupings, separated by `|`, in which digits that pass the check prove themselves. */
  alone?: string
  /** Groupings in which they count unless a word speaks against them. */
  checked?: string
  /** Groupings in which they count only near a word. */
  context?: string
  /** Checks digits without their separators. */
  passes?: (digits: string) => boolean
  codes?: readonly CodeRule[]
  /** False if words for identity numbers in general do not introduce it. */
  isIdentity?: false
  found: readonly string[]
  missed: readonly string[]
}

/** Makes the recognizer for a row. */
export function idNumber(row: IdNumber): Recognizer {
  const { type, label, example, passes = () => true } = row
  const numbers = (['alone', 'checked', 'context'] as const).flatMap((strength) => {
    const shapes = row[strength]?.split('|')
    const judge = (digits: string) => (passes(digits) ? strength : undefined)
    return shapes ? [{ shapes, isIntroduced: strength === 'context', judge }] : []
  })
  return {
    type,
    label,
    example,
    context: wordList(row.words),
    ...(row.isIdentity !== false && { isIdentity: true as const }),
    numbers,
    codes: row.codes ?? [],
    examples: row.found,
    counterExamples: row.missed,
  }
}

/** The beginning of a code: its letters, and the digits behind them. */
interface Beginning {
  letters?: readonly number[]
  digits?: readonly number[]
  /** A pattern, of this many characters, for what precedes the first run that contains a digit. */
  lead?: readonly [pattern: string, length: number]
}

/**
 * Makes a rule for codes.
 * @param begins without letters, the code is looked for only near a word
 * @param passes receives the code in capitals and without separators
 */
export function code(
  pattern: RegExp,
  strength: Strength,
  { letters, digits, lead: before }: Beginning = {},
  passes: (plain: string) => boolean = () => true,
): CodeRule {
  const lead = before ? `(?<=(?:^|[^A-Za-z0-9])${before[0]})` : ''
  return {
    ...(letters && { letters }),
    ...(digits && { digits }),
    ...(before && { before: before[1] }),
    pattern: new RegExp(`${lead}(?:${pattern.source})(?![A-Za-z0-9])`, `${pattern.flags}y`),
    judge: (found) => (passes(found.replace(SEPARATORS, '').toUpperCase()) ? strength : undefined),
  }
}

const SEPARATORS = /[ .()+/-]/g
