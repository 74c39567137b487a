import { createHmac } from 'node:crypto'
import { newest } from '../lib/newest.ts'
import { newPlaceholders } from './count-placeholders.ts'
import { type Masked, maskRequest, type SaidAround } from './mask/mask-request.ts'
import type { KnownValue } from './mask/replace-known.ts'
import type { MaskableRequest } from './mask/request-texts.ts'
import { type ScanText, scansTexts } from './mask/scan-text.ts'
import { byType, type NamePlaceholder, numbered } from './numbered.ts'
import {
  createPatternRedactor,
  type PatternRedactor,
  type PatternRedactorOptions,
} from './pattern-redactor.ts'
import { type TextKindName, textKinds } from './text-kinds.ts'

/** A request to a model server, and what was said around it. */
type Maskable = readonly [request: MaskableRequest, around: SaidAround]

/**
 * The redaction of one stored value, or of one request. Runs in the service's own thread or in another, so it gets all its input as
 * arguments. `key` is used to make the pseudonyms of ids.
 */
export const redactionTasks = {
  /** Replaces all text of a value. */
  scrub(kind: TextKindName, stored: string, key: string): string {
    return textKinds[kind].scrub(stored, pseudonyms(key))
  },

  /**
   * Replaces the findings of patterns in a value.
   * @param numbers makes the numbers of placeholders, together with `key`; null: they have none
   */
  anonymize(
    kind: TextKindName,
    stored: string,
    key: string,
    options: PatternRedactorOptions,
    numbers: string | null = null,
  ): string {
    const { redact } = redactorOf(options)
    const named = placeholders(key, numbers)
    return textKinds[kind].anonymize(stored, {
      text: (text) => redact(text, named),
      name: (name) => named('PERSON', name),
      pseudonym: pseudonyms(key),
    })
  },

  /** Returns the texts in a value, each once. */
  textsOf(kind: TextKindName, stored: string): string[] {
    const texts = new Set<string>()
    const text = (text: string) => {
      texts.add(text)
      return text
    }
    textKinds[kind].anonymize(stored, { text, name: (name) => name, pseudonym: (id) => id })
    return [...texts]
  },

  /** Replaces each text in a value by the text that `others` gives for it. */
  replace(kind: TextKindName, stored: string, key: string, others: ReadonlyMap<string, string>): string {
    const text = (text: string) => others.get(text) ?? text
    const name = (name: string) => byType('PERSON', name)
    return textKinds[kind].anonymize(stored, { text, name, pseudonym: pseudonyms(key) })
  },

  /**
   * Replaces the findings of patterns in a request to a model server.
   * @param maskable a long one as JSON
   * @param known the values that were found earlier
   * @param numbers as for `anonymize`
   */
  mask(
    maskable: Maskable | string,
    known: readonly KnownValue[],
    key: string,
    options: PatternRedactorOptions,
    numbers: string | null,
  ): Masked {
    const [request, around] = typeof maskable === 'string' ? (JSON.parse(maskable) as Maskable) : maskable
    return maskRequest(request, scannerOf(options), {
      around,
      known,
      key: numbers === null ? null : keyOfNumbers(key, numbers),
      hidesNames: options.types?.includes('PERSON') ?? true,
    })
  },

  /** Counts by type the values of a stored value that were replaced. */
  countReplaced: newPlaceholders,

  /** Returns the types of the findings in a text, each once. */
  typesIn(text: string, options: PatternRedactorOptions): string[] {
    return [
      ...new Set(
        redactorOf(options)
          .find(text)
          .map(({ type }) => type),
      ),
    ]
  },
}

const redactors = newest<string, PatternRedactor>(100)
/** Redactors by the very options of one redaction, which may hold thousands of words. */
const redactorsOfCalls = new WeakMap<PatternRedactorOptions, PatternRedactor>()

const scanners = new WeakMap<PatternRedactor, ScanText>()

function scannerOf(options: PatternRedactorOptions): ScanText {
  const redactor = redactorOf(options)
  const scanner = scanners.get(redactor) ?? scansTexts(redactor)
  scanners.set(redactor, scanner)
  return scanner
}

/** Returns a redactor, from those kept from recent use: compiling the patterns costs more than redacting a message. */
function redactorOf(options: PatternRedactorOptions): PatternRedactor {
  const known = redactorsOfCalls.get(options)
  if (known) return known
  const asked = JSON.stringify(options)
  const redactor = redactors.get(asked) ?? createPatternRedactor(options)
  redactors.set(asked, redactor)
  redactorsOfCalls.set(options, redactor)
  return redactor
}

/** Returns the names of placeholders in a conversation. @param numbers the conversation's key; null: by type alone */
export function placeholders(key: string, numbers: string | null): NamePlaceholder {
  return numbers === null ? byType : numbered(keyOfNumbers(key, numbers))
}

function keyOfNumbers(key: string, numbers: string): string {
  return `${key}|${numbers}`
}

const PSEUDONYM = /^call_redacted_[a-p]{24}$/

/** Makes pseudonyms. A tool call and its result keep the same id, and without the key nobody can find the old one. */
function pseudonyms(key: string): (id: string) => string {
  return (id) => {
    if (PSEUDONYM.test(id)) return id
    const digest = createHmac('sha256', key).update(id).digest('hex').slice(0, 24)
    // Only letters, so that no pattern takes a pseudonym for a number or a key.
    return `call_redacted_${digest.replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)))}`
  }
}
