import type { Kysely } from 'kysely'
import type { TypeCounts } from '../../redaction/count-placeholders.ts'
import { contentWithoutFiles } from '../../redaction/files-of-message.ts'
import type { Tables } from '../../storage/tables.ts'
import type { TextRow } from '../../texts/text-rows.ts'
import { keysOfConversations } from '../../transcripts/conversations/keys.ts'
import type { MessageTextRow } from '../../transcripts/doors/waiting-for-redaction.ts'
import { redactRow, type TextRedactor, typesReplaced } from '../text-redactor.ts'
import type { BatchTexts } from './read-batch.ts'

/** A row with its texts redacted, which are not written yet. */
interface RedactedRow<Row extends TextRow> {
  row: Row
  texts: TextRow['texts']
  isChanged: boolean
  types: TypeCounts
}

/** The texts of a batch, redacted. */
export interface RedactedTexts {
  completions: RedactedRow<TextRow>[]
  messages: RedactedRow<MessageTextRow>[]
  asides: RedactedRow<TextRow>[]
  strays: RedactedRow<TextRow>[]
}

/** Redacts the texts of a batch, with the keys of their conversations where placeholders have numbers. */
export async function redactTexts(
  db: Kysely<Tables>,
  agentId: number,
  redactor: TextRedactor,
  { completions, messages, asides, strays }: BatchTexts,
): Promise<RedactedTexts> {
  const conversations = new Map(completions.map((row) => [row.completionId, row.conversationId]))
  const conversationOf = ({ conversationId, completionId }: TextRow) =>
    conversationId ?? conversations.get(completionId) ?? ''
  const keys = redactor.isNumbered
    ? await keysOfConversations(db, agentId, [...messages, ...completions, ...strays].map(conversationOf))
    : null
  const redact = <Row extends TextRow>(rows: Row[]): Promise<RedactedRow<Row>[]> =>
    Promise.all(
      rows.map(async (row) => {
        const done = sayingFiles(await redactRow(row, redactor, keys?.get(conversationOf(row))))
        return { ...done, types: await typesReplaced(done, redactor) }
      }),
    )
  return {
    completions: await redact(completions),
    messages: await redact(messages),
    asides: await redact(asides),
    strays: await redact(strays),
  }
}

/** Puts placeholders for the deleted files of a message into its content. */
function sayingFiles<Done extends { row: TextRow; texts: TextRow['texts']; isChanged: boolean }>(
  done: Done,
): Done {
  const { row, texts } = done
  const { content: before } = row.texts
  const { attachments } = texts
  if (row.table !== 'messages' || !before || !texts.content || !attachments) return done
  const content = contentWithoutFiles(before, texts.content, attachments)
  return { ...done, texts: { ...texts, content }, isChanged: done.isChanged || content !== before }
}
