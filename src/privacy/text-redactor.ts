import type { Team } from '../lib/pacing/turns-by-team.ts'
import { addCounts } from '../receipts/erased.ts'
import type { TypeCounts } from '../redaction/count-placeholders.ts'
import { placeholders } from '../redaction/redaction-tasks.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'
import type { NamePlaceholder, PatternRedactorOptions, Redactor } from '../redaction/redactor.ts'
import type { TextKindName } from '../redaction/text-kinds.ts'
import { type TextColumn, type TextTable, textColumns } from '../texts/text-columns.ts'
import type { RedactionMode, TextRow } from '../texts/text-rows.ts'

/** Redacts stored values in one mode. Each call of the API has a redactor of its own. */
export interface TextRedactor {
  readonly mode: RedactionMode
  /** True if placeholders have numbers in texts whose conversation is known. */
  readonly isNumbered: boolean
  /**
   * Returns the redacted value in the same form. If a part of the redaction fails, it does the rest and sets `failed`.
   * @param numbers the key of its conversation, for the numbers of placeholders; absent: they have none
   */
  redact(kind: TextKindName, stored: string, numbers?: string | null): Promise<string>
  /** Counts by type the values that were replaced in a stored value. */
  countReplaced(before: string, after: string): Promise<TypeCounts>
  /** True if a part of the redaction failed, so that the values do not count as redacted. */
  readonly failed: boolean
}

/** Returns a redactor that replaces every text with one placeholder. Empty and absent texts stay as they are. */
export function scrubbing(work: RedactionWork, team: Team, key: string): TextRedactor {
  return {
    mode: 'scrub',
    isNumbered: false,
    failed: false,
    redact: (kind, stored) => work.run(team, 'scrub', kind, stored, key),
    countReplaced: (before, after) => work.run(team, 'countReplaced', before, after),
  }
}

/**
 * Returns a redactor that replaces only what is found: first by the patterns, then by the hosted service in the rest.
 * @param isNumbered true if placeholders have numbers
 * @param keepsFiles true if the files of messages stay
 * @param hosted null: there is none
 * @param onFailure called when the service fails for the first time; it is not asked again
 */
export function anonymizing(
  work: RedactionWork,
  team: Team,
  key: string,
  patterns: PatternRedactorOptions,
  isNumbered: boolean,
  keepsFiles: boolean,
  hosted: Redactor | null,
  onFailure?: (error: Error) => void,
): TextRedactor {
  let failed = false

  /** Redacts a text by the service, unless that has failed before. */
  async function askHosted(hosted: Redactor, text: string, named: NamePlaceholder): Promise<string> {
    if (failed) return text
    try {
      const [redacted] = await hosted.redact([text], named)
      return redacted ?? ''
    } catch (error) {
      if (!failed) onFailure?.(error as Error)
      failed = true
      return text
    }
  }

  return {
    mode: 'anonymize',
    isNumbered,
    get failed() {
      return failed
    },
    async redact(declared, stored, numbers = null) {
      const kind = (keepsFiles && KEEPING_FILES[declared]) || declared
      const found = await work.run(team, 'anonymize', kind, stored, key, patterns, numbers)
      if (!hosted || failed) return found
      const texts = await work.run(team, 'textsOf', kind, found)
      const named = placeholders(key, numbers)
      const others = await Promise.all(texts.map((text) => askHosted(hosted, text, named)))
      const redacted = new Map(texts.map((text, index) => [text, others[index] ?? '']))
      return failed ? found : work.run(team, 'replace', kind, found, key, redacted)
    },
    countReplaced: (before, after) => work.run(team, 'countReplaced', before, after),
  }
}

/** The kinds of texts that are redacted otherwise where the files of messages stay. */
const KEEPING_FILES: Partial<Record<TextKindName, TextKindName>> = {
  attachments: 'kept_attachments',
  content: 'content_with_files',
}

/** Redacts the text columns of a row, each as it is declared. @param numbers the key of the row's conversation */
export async function redactColumns<Table extends TextTable, Values extends object>(
  table: Table,
  values: Values & { [Column in TextColumn<Table>]?: string | null },
  redactor: Pick<TextRedactor, 'redact'>,
  numbers: string | null,
): Promise<Values> {
  const redacted: Record<string, unknown> = { ...values }
  await Promise.all(
    [...textColumns(table)].map(async ([column, kind]) => {
      const stored = redacted[column as string]
      if (typeof stored === 'string')
        redacted[column as string] = await redactor.redact(kind, stored, numbers)
    }),
  )
  return redacted as Values
}

/** Redacts the texts of a row that was read, and tells whether that changes any. */
export async function redactRow<Row extends TextRow>(
  row: Row,
  redactor: Pick<TextRedactor, 'redact'>,
  numbers: string | null = null,
) {
  const texts = await redactColumns(row.table, row.texts, redactor, numbers)
  const isChanged = Object.keys(texts).some((column) => texts[column] !== row.texts[column])
  return { row, texts, isChanged }
}

/** Counts by type the values that the redaction of a row has replaced. */
export async function typesReplaced(
  { row, texts }: { row: TextRow; texts: TextRow['texts'] },
  redactor: Pick<TextRedactor, 'countReplaced'>,
): Promise<TypeCounts> {
  let counts: TypeCounts = {}
  for (const [column, after] of Object.entries(texts)) {
    const before = row.texts[column] ?? null
    if (before !== null && after !== null && after !== before)
      counts = addCounts(counts, await redactor.countReplaced(before, after))
  }
  return counts
}
