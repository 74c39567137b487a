import { type CustomPattern, recognizeCustom } from './custom/custom-pattern.ts'
import { compile, type Find } from './engine/compile.ts'
import type { Finding } from './engine/recognizer.ts'
import { recognizers } from './recognizers/all.ts'
import type { RedactionType } from './redaction-types.ts'
import { type Replaced, replaceFindings } from './stretches.ts'

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
/** How much around a stretch is read to make sure. */
const MARGIN = 1500

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
      for (let pass = 0; pass < MOST_PASSES; pass++) {
        const findings = find(redacted)
        if (findings.length === 0) break
        const replaced = replaceFindings(redacted, findings)
        redacted = replaced.text
        if (!readsAll && isSettled(replaced, find)) break
      }
      return redacted
    },
  }
}

/**
 * Whether nothing is left to find: what came in changes what is found nearby alone. Something found in a stretch is
 * looked at once more with more around it, as a word beyond its end may say what it is.
 */
function isSettled({ text, stretches }: Replaced, find: Find): boolean {
  let size = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  const most = text.length * LARGEST_SHARE
  if (size > most) return false
  return stretches.every(({ start, end }) => {
    if (find(text.slice(start, end)).length === 0) return true
    const from = Math.max(0, start - MARGIN)
    const until = Math.min(text.length, end + MARGIN)
    size += until - from
    if (size > most) return false
    return !find(text.slice(from, until)).some(
      (finding) => from + finding.start < end && from + finding.end > start,
    )
  })
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
