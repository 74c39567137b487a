import type { ContinuationRow } from '../../mailboxes/tables.ts'
import { type Attachment, readAttachments } from '../../transcripts/attachments.ts'
import { shownAuthor } from '../../transcripts/messages/present-to-visitors.ts'
import type { Outgoing } from '../../transcripts/messages/read-outgoing.ts'
import { outgoingParts, WHOLE } from '../outgoing-parts.ts'
import { type ContinuedWords, fillWords, wordsIn } from './words.ts'

/**
 * Writes the mail with what a visitor has not seen: each message with who said it, in order. What the visitor wrote is
 * not repeated: somebody else may have typed the address.
 */
export function unseenMail(
  messages: readonly Outgoing[],
  name: string,
  { language, page_url }: Pick<ContinuationRow, 'language' | 'page_url'>,
  stopUrl: string,
): { subject: string; text: string } | null {
  const { words } = wordsIn(language)
  const said = messages.flatMap((message) => {
    const text = [textOf(message), filesOf(message, words)].filter(Boolean).join('\n\n')
    return text === '' ? [] : [`${speakerOf(message, name, words)}:\n${text}`]
  })
  if (said.length === 0) return null
  const named = (text: string) => fillWords(text, { name })
  const parts = [
    named(words.intro),
    ...said,
    '--',
    words.reply,
    ...(page_url === null ? [] : [`${words.back}\n${page_url}`]),
    `${words.stop}\n${stopUrl}`,
  ]
  return { subject: named(words.subject), text: parts.join('\n\n') }
}

function textOf(message: Outgoing): string {
  return outgoingParts(message, false, WHOLE).texts.join('\n\n')
}

/** Names the files, which stay in the chat: its links are good only for minutes. */
function filesOf({ attachments }: Outgoing, words: ContinuedWords): string {
  const files = (readAttachments(attachments) ?? []).filter(({ state }) => state === 'stored')
  if (files.length === 0) return ''
  return fillWords(words.files, { names: files.map(nameOf).join(', ') })
}

function nameOf({ name, kind }: Attachment): string {
  return name ?? kind
}

function speakerOf(message: Outgoing, name: string, { team }: ContinuedWords): string {
  return message.role === 'operator' ? (shownAuthor(message) ?? team) : name
}
