import { atMost } from '../../lib/at-most.ts'
import type { RedactionWork } from '../../redaction/redaction-work.ts'
import type { PatternRedactorOptions, Redactor } from '../../redaction/redactor.ts'
import type { TextKindName } from '../../redaction/text-kinds.ts'
import type { RedactionMode } from '../tables.ts'
import { type TextColumn, type TextTable, textColumns } from './text-columns.ts'

/** Redacts stored values in one mode. Made anew for each call of the API. */
export interface TextRedactor {
  readonly mode: RedactionMode
  /** The value redacted, in the same form. When a part of the redaction fails the rest is done, and `failed` is set. */
  redact(kind: TextKindName, stored: string): Promise<string>
  /** Whether a part of the redaction failed: what was redacted does not count as done. */
  readonly failed: boolean
}

/** Replaces every text by one placeholder. Empty texts and absent ones stay as they are. */
export function scrubbing(work: RedactionWork, key: string): TextRedactor {
  return {
    mode: 'scrub',
    failed: false,
    redact: (kind, stored) => work.run('scrub', kind, stored, key),
  }
}

const HOSTED_AT_ONCE = 8

/**
 * Replaces findings only: first those of the patterns, then what the hosted service finds in what is left.
 * @param hosted null: there is none
 * @param onFailure told once of the service's failure, after which it is asked no more
 */
export function anonymizing(
  work: RedactionWork,
  key: string,
  patterns: PatternRedactorOptions,
  hosted: Redactor | null,
  onFailure?: (error: Error) => void,
): TextRedactor {
  const inTurn = atMost(HOSTED_AT_ONCE)
  let failed = false

  /** What the service makes of a text, once it is asked and as long as it has not failed. */
  async function askHosted(hosted: Redactor, text: string): Promise<string> {
    if (failed) return text
    try {
      const [redacted] = await hosted.redact([text])
      return redacted ?? ''
    } catch (error) {
      if (!failed) onFailure?.(error as Error)
      failed = true
      return text
    }
  }

  return {
    mode: 'anonymize',
    get failed() {
      return failed
    },
    async redact(kind, stored) {
      const found = await work.run('anonymize', kind, stored, key, patterns)
      if (!hosted || failed) return found
      const texts = await work.run('textsOf', kind, found)
      const others = await Promise.all(texts.map((text) => inTurn(() => askHosted(hosted, text))))
      const redacted = new Map(texts.map((text, index) => [text, others[index] ?? '']))
      return failed ? found : work.run('replace', kind, found, key, redacted)
    },
  }
}

/** Redacts those values of a row that are in text columns, each as its column is declared. */
export async function redactColumns<Table extends TextTable, Values extends object>(
  table: Table,
  values: Values & { [Column in TextColumn<Table>]?: string | null },
  redactor: Pick<TextRedactor, 'redact'>,
): Promise<Values> {
  const redacted: Record<string, unknown> = { ...values }
  await Promise.all(
    [...textColumns(table)].map(async ([column, kind]) => {
      const stored = redacted[column as string]
      if (typeof stored === 'string') redacted[column as string] = await redactor.redact(kind, stored)
    }),
  )
  return redacted as Values
}
