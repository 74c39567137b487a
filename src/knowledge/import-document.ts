import type { Kysely } from 'kysely'
import { invalidField } from '../errors.ts'
import type { Tables } from '../storage/tables.ts'
import { type AddedDocument, addDocument } from './add-document.ts'
import { htmlToMarkdown } from './html.ts'
import { readMarkdown } from './markdown.ts'

/** A document as it is brought in. */
export interface ImportedDocument {
  /** The page's own title when absent; an FAQ entry's question. */
  title?: string | undefined
  /** Its title when it gives itself none. */
  otherwiseTitled?: string | undefined
  url?: string | null | undefined
  content: string
  format: 'markdown' | 'text' | 'html'
  /** Other ways to ask for it. */
  questions?: readonly string[] | undefined
}

/**
 * Adds a document in any format, replacing the one of the same address or title.
 * @throws ApiError invalid_request for one without a title or without any text
 */
export async function importDocument(
  db: Kysely<Tables>,
  agentId: number,
  { title, otherwiseTitled, url, content, format, questions }: ImportedDocument,
  now: number,
): Promise<AddedDocument> {
  const page = format === 'html' ? htmlToMarkdown(content) : { title: null, text: content }
  const named = title ?? page.title ?? firstHeading(page.text) ?? otherwiseTitled
  if (!named) throw invalidField('title', 'the document has none.')
  if (page.text.trim() === '') throw invalidField('content', 'there is no text in it.')
  return addDocument(
    db,
    agentId,
    {
      title: named.slice(0, 500),
      url: url ?? null,
      text: page.text,
      format: format === 'text' ? 'text' : 'markdown',
      ...(questions ? { alternates: questions } : {}),
    },
    now,
  )
}

function firstHeading(content: string): string | null {
  return readMarkdown(content).find(({ kind }) => kind === 'heading')?.text || null
}
