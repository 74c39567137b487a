import { compile, type Find } from './compile.ts'
import { type CustomPattern, recognizeCustom } from './custom/custom-pattern.ts'
import { compileWords, type FindWords, type OwnWords, recognizeWords } from './custom/own-words.ts'
import type { Finding } from './engine/finding.ts'
import type { Recognizer } from './engine/recognizer.ts'
import type { NamePlaceholder } from './numbered.ts'
import { recognizers } from './recognizers/all.ts'
import type { RedactionType } from './redaction-types.ts'
import { around, type Replaced, replaceFindings } from './stretches.ts'
import type { Care } from './tagger/care.ts'
import { findTagged } from './tagger/find-tagged.ts'

export type { Finding, Strength } from './engine/finding.ts'

/** Finds personal data by its form, its check digits and the words around it. */
export interface PatternRedactor {
  /**
   * Replaces each finding in the text by its type in brackets, or by what `named` returns. Redacting the result again
   * changes nothing.
   */
  redact(text: string, named?: NamePlaceholder): string
  /** The findings of a single pass, disjoint and in the order of the text. */
  find(text: string): Finding[]
}

export interface PatternRedactorOptions {
  /** The types to look for; null or missing: all of them. */
  types?: readonly RedactionType[] | null
  /** Additional patterns of the caller's own. */
  patterns?: readonly CustomPattern[]
  /** Words that are always replaced, by `[CUSTOM]`, and words that never are. */
  words?: OwnWords
  /** The certainty that names and addresses need that only the tagger finds; missing: `usual`. */
  care?: Care
}

const NO_WORDS: OwnWords = { deny: [], allow: [] }
/** The most passes over the result. Replacing a finding may expose a little more, hardly ever twice. */
const MOST_PASSES = 8
/** The share of a text that the stretches may cover. Above it, the whole text is read again. */
const LARGEST_SHARE = 0.75
/** The number of characters around each replaced finding that are searched again. */
const NEARBY = 500
/** The number of characters around those that are also read, so that no word is missed that identifies a value. */
const MARGIN = 1000

/**
 * Makes a redactor. Building the tables of its recognizers takes time, so callers should keep it.
 * @throws Error if checkCustomPattern refuses one of the patterns
 */
export function createPatternRedactor(options: PatternRedactorOptions = {}): PatternRedactor {
  const { types, patterns = [], words = NO_WORDS, care = 'usual' } = options
  const own = patterns.length + words.deny.length + words.allow.length
  const isPlain = !types && own === 0 && care === 'usual'
  const find = isPlain ? findEverything() : compileFor(types, patterns, words, care)
  // A pattern of the caller's own may look at any distance.
  const readsAll = patterns.length > 0
  return {
    find,
    redact(text, named) {
      let redacted = text
      let findings = find(text)
      for (let pass = 0; findings.length > 0 && pass < MOST_PASSES; pass++) {
        const replaced = replaceFindings(redacted, findings, named)
        redacted = replaced.text
        findings = readsAll ? find.again(redacted) : findLaidBare(replaced, find)
      }
      return redacted
    },
  }
}

/**
 * Finds personal data that the replacements have exposed. A placeholder changes findings only near it, so only the
 * stretches around placeholders are read. A stretch with a finding is checked again with more text around it, because a
 * word beyond the stretch may identify the value. The rest of the text is not read, because the number of such
 * stretches grows with its length.
 */
function findLaidBare({ text, stretches }: Replaced, find: Find): Finding[] {
  const size = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  if (size > text.length * LARGEST_SHARE) return find.again(text)
  const bare = stretches.filter(({ start, end }) => find.again(text.slice(start, end)).length > 0)
  if (bare.length === 0) return []
  const asked = around(text, bare, NEARBY)
  return find.again(text, { asked, read: around(text, asked, MARGIN) })
}

function compileFor(
  types: readonly RedactionType[] | null | undefined,
  patterns: readonly CustomPattern[],
  { deny, allow }: OwnWords,
  care: Care,
): Find {
  const asked = types ? recognizers.filter(({ type }) => types.includes(type)) : recognizers
  const own = [...patterns.map(recognizeCustom), ...(deny.length > 0 ? [recognizeWords(deny)] : [])]
  return compileAll([...own, ...asked], allow.length > 0 ? compileWords(allow) : null, care)
}

/** The redactor of all types. Built once, because most agents look for everything. */
let findAll: Find | undefined

function findEverything(): Find {
  findAll ??= compileAll(recognizers, null, 'usual')
  return findAll
}

function compileAll(asked: readonly Recognizer[], findAllowed: FindWords | null, care: Care): Find {
  const types = asked.map(({ type }) => type)
  return compile(
    asked,
    findAllowed,
    findTagged(types, [...types, ...recognizers.map(({ type }) => type)], care),
  )
}
