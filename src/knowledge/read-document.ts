import { type CutPassage, cutBlocks, readText } from './cut-document.ts'
import { readCsv } from './formats/csv.ts'
import { htmlToMarkdown } from './formats/html.ts'
import { withoutCode } from './formats/mdx.ts'
import { readFrontMatter } from './front-matter.ts'
import { type Block, readMarkdown } from './markdown.ts'

export const documentFormats = ['markdown', 'mdx', 'text', 'html', 'csv'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export const textFormats = ['markdown', 'mdx', 'text', 'csv'] as const satisfies readonly DocumentFormat[]
export type TextFormat = (typeof textFormats)[number]

/** A document after reading. */
export interface ReadDocument {
  /** The title that the document gives itself: in its front matter, in the page's head, or as its first heading. */
  title: string | null
  /** Its address according to its front matter. */
  url: string | null
  /** The text that the passages were cut from, which can be read again and edited. */
  text: string
  /** The format in which to read `text`: HTML becomes Markdown. */
  format: TextFormat
  passages: CutPassage[]
}

/** Reads a document of any format and cuts it into passages. */
export function readDocument(content: string, format: DocumentFormat): ReadDocument {
  if (format === 'text')
    return { title: null, url: null, text: content, format, passages: cutBlocks(readText(content)) }
  if (format === 'csv')
    return { title: null, url: null, text: content, format, passages: cutBlocks(readCsv(content)) }
  if (format === 'html') {
    const page = htmlToMarkdown(content)
    const { text } = page
    const blocks = readMarkdown(text)
    const title = titleOf(page.title, firstHeading(blocks))
    return { title, url: null, text, format: 'markdown', passages: cutBlocks(blocks) }
  }
  const { fields, text } = readFrontMatter(content.replace(/\r\n?/g, '\n'))
  const blocks = readMarkdown(format === 'mdx' ? withoutCode(text) : text)
  const { title = firstHeading(blocks), url = null, description = '' } = fields
  const isTold = description === '' || text.includes(description)
  const told: Block[] = isTold ? [] : [{ kind: 'text', text: description }]
  return { title, url, text: content, format, passages: cutBlocks([...told, ...blocks]) }
}

function firstHeading(blocks: readonly Block[]): string | null {
  return blocks.find(({ kind }) => kind === 'heading')?.text || null
}

/** Returns a page's title without the name of the site, which follows the heading in `Returns | Shop`. */
export function titleOf(title: string | null, heading: string | null): string | null {
  if (title === null || heading === null) return title ?? heading
  const isHeading = title.startsWith(heading) && /^\s+[|–—·•:»«-]\s/.test(title.slice(heading.length))
  return isHeading ? heading : title
}
