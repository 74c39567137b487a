import { type CustomPattern, recognizeCustom } from './custom/custom-pattern.ts'
import { compile, type Find } from './engine/compile.ts'
import type { Finding } from './engine/recognizer.ts'
import { recognizers } from './recognizers/all.ts'
import type { RedactionType } from './redaction-types.ts'
import { around, type Replaced, replaceFindings } from './stretches.ts'

export type { Finding, Strength } from './engine/recognizer.ts'

/** Finds personal data by its form, its check digits and the words around it. */
export interface PatternRedactor {
  /** The text with each finding replaced by its type in brackets; once more changes nothing. */
  redact(text: string): string
  /** What a first look finds: disjoint findings in the order of the text. */
  find(text: string): Finding[]
}

export interface PatternRedactorOptions {
  /** The types to look for; null or nothing: all. */
  types?: readonly RedactionType[] | null
  /** Patterns of one's own, looked for besides. */
  patterns?: readonly CustomPattern[]
}

/** How often the result is looked at again. What is taken out may lay bare a little more, hardly ever twice. */
const MOST_PASSES = 8
/** When as much of a text has to be read again, the whole is. */
const LARGEST_SHARE = 0.75
/** Where something is laid bare, so much around it is looked through once more. */
const NEARBY = 500
/** How much more is read, so that no word is missed that says what something is. */
const MARGIN = 1000

/**
 * Makes a redactor. It is worth keeping: the tables of its recognizers are built here.
 * @throws Error when a pattern is one that checkCustomPattern refuses
 */
export function createPatternRedactor(options: PatternRedactorOptions = {}): PatternRedactor {
  const { types, patterns = [] } = options
  const isPlain = !types && patterns.length === 0
  const find = isPlain ? findEverything() : compileFor(types, patterns)
  // A pattern of one's own may look as far as it likes.
  const readsAll = patterns.length > 0
  return {
    find,
    redact(text) {
      let redacted = text
      let findings = find(text)
      for (let pass = 0; findings.length > 0 && pass < MOST_PASSES; pass++) {
        const replaced = replaceFindings(redacted, findings)
        redacted = replaced.text
        findings = readsAll ? find(redacted) : findLaidBare(replaced, find)
      }
      return redacted
    },
  }
}

/**
 * Finds what is left: what came in changes what is found nearby alone. Something found in a stretch is looked at once
 * more with more around it, as a word beyond its end may say what it is. The rest of the text is not read for it: the
 * longer a text is, the likelier it holds such a place.
 */
function findLaidBare({ text, stretches }: Replaced, find: Find): Finding[] {
  const size = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  if (size > text.length * LARGEST_SHARE) return find(text)
  const bare = stretches.filter(({ start, end }) => find(text.slice(start, end)).length > 0)
  if (bare.length === 0) return []
  const asked = around(text, bare, NEARBY)
  return find(text, { asked, read: around(text, asked, MARGIN) })
}

function compileFor(
  types: readonly RedactionType[] | null | undefined,
  patterns: readonly CustomPattern[],
): Find {
  const asked = types ? recognizers.filter(({ type }) => types.includes(type)) : recognizers
  return compile([...patterns.map(recognizeCustom), ...asked])
}

/** Built once: most agents look for everything. */
let findAll: Find | undefined

function findEverything(): Find {
  findAll ??= compile(recognizers)
  return findAll
}
