import { WORDS_OF_FILES } from '../../../../src/redaction/files-of-message.ts'
import type { Message } from '../../../api/types.ts'

/** The words that stand for files, such as `[image]`; redaction writes them in capitals. */
const WORDS = new RegExp(WORDS_OF_FILES, 'i')

/**
 * Returns the text of a message; parts that are not text are replaced by their kind. Leading words that stand for files
 * are left out where the files themselves are shown.
 */
export function textOf({ content, kind, attachments, tool_calls }: Message): string {
  const text =
    typeof content === 'string'
      ? content
      : (content ?? [])
          .filter((part) => !('attachment_id' in part))
          .map((part) => ('text' in part ? String(part.text) : `[${part.type}]`))
          .join('\n')
  const calls = (tool_calls ?? []).map(({ function: called }) => `${called.name}(${called.arguments})`)
  const whole = [text, ...calls].filter((part) => part !== '').join('\n')
  const isNamed = attachments && (kind !== 'text' || attachments.some(({ state }) => state === 'deleted'))
  return isNamed ? whole.replace(WORDS, '') : whole
}
