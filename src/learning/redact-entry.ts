import { storableText } from '../lib/storable-text.ts'
import type { TextRedactor } from '../privacy/text-redactor.ts'
import { LONGEST_READ, type MadeEntry } from './make-entry.ts'

/** Stands between texts that are redacted together: a character for private use, which no redaction replaces. */
const BORDER = '\uE000'
const BETWEEN = `\n${BORDER}\n`

/**
 * Redacts an entry together with what was said. A name that somebody introduces in a message is replaced in the entry,
 * too, where nothing shows that it is one.
 * @param said texts of the conversation that it was made of
 * @returns null when the redaction service failed
 */
export async function redactEntry(
  redactor: Pick<TextRedactor, 'redact' | 'failed'>,
  { question, answer }: MadeEntry,
  said: readonly string[],
): Promise<MadeEntry | null> {
  const texts = [question, answer, said.join('\n\n').slice(0, LONGEST_READ)].map((text) =>
    text.replaceAll(BORDER, ''),
  )
  const redacted = await redactor.redact('text', texts.join(BETWEEN))
  if (redactor.failed) return null
  const [asked = '', answered = ''] = redacted.split(BETWEEN)
  return { question: storableText(asked), answer: storableText(answered) }
}
