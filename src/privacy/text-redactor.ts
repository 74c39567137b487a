import { atMost } from '../lib/pacing/at-most.ts'
import type { Team } from '../lib/pacing/turns-by-team.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'
import type { PatternRedactorOptions, Redactor } from '../redaction/redactor.ts'
import type { TextKindName } from '../redaction/text-kinds.ts'
import { type TextColumn, type TextTable, textColumns } from '../texts/text-columns.ts'
import type { RedactionMode, TextRow } from '../texts/text-rows.ts'

/** Redacts stored values in one mode. Each call of the API has a redactor of its own. */
export interface TextRedactor {
  readonly mode: RedactionMode
  /**
   * Returns the redacted value in the same form. If a part of the redaction fails, it does the rest and sets `failed`.
   */
  redact(kind: TextKindName, stored: string): Promise<string>
  /** True if a part of the redaction failed, so that the values do not count as redacted. */
  readonly failed: boolean
}

/** Returns a redactor that replaces every text with one placeholder. Empty and absent texts stay as they are. */
export function scrubbing(work: RedactionWork, team: Team, key: string): TextRedactor {
  return {
    mode: 'scrub',
    failed: false,
    redact: (kind, stored) => work.run(team, 'scrub', kind, stored, key),
  }
}

const HOSTED_AT_ONCE = 8

/**
 * Returns a redactor that replaces only what is found: first by the patterns, then by the hosted service in the rest.
 * @param hosted null: there is none
 * @param onFailure called when the service fails for the first time; it is not asked again
 */
export function anonymizing(
  work: RedactionWork,
  team: Team,
  key: string,
  patterns: PatternRedactorOptions,
  hosted: Redactor | null,
  onFailure?: (error: Error) => void,
): TextRedactor {
  const inTurn = atMost(HOSTED_AT_ONCE)
  let failed = false

  /** Redacts a text by the service, unless that has failed before. */
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
      const found = await work.run(team, 'anonymize', kind, stored, key, patterns)
      if (!hosted || failed) return found
      const texts = await work.run(team, 'textsOf', kind, found)
      const others = await Promise.all(texts.map((text) => inTurn(() => askHosted(hosted, text))))
      const redacted = new Map(texts.map((text, index) => [text, others[index] ?? '']))
      return failed ? found : work.run(team, 'replace', kind, found, key, redacted)
    },
  }
}

/** Redacts the text columns of a row, each as it is declared. */
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

/** Redacts the texts of a row that was read, and tells whether that changes any. */
export async function redactRow<Row extends TextRow>(row: Row, redactor: Pick<TextRedactor, 'redact'>) {
  const texts = await redactColumns(row.table, row.texts, redactor)
  const isChanged = Object.keys(texts).some((column) => texts[column] !== row.texts[column])
  return { row, texts, isChanged }
}
