import { type CutPassage, cutBlocks, readText } from './cut-document.ts'
import { readFrontMatter } from './front-matter.ts'
import { htmlToMarkdown } from './html.ts'
import { type Block, readMarkdown } from './markdown.ts'

export const documentFormats = ['markdown', 'mdx', 'text', 'html'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export const textFormats = ['markdown', 'mdx', 'text'] as const satisfies readonly DocumentFormat[]
export type TextFormat = (typeof textFormats)[number]

/** A document after reading. */
export interface ReadDocument {
  /** The title that the document gives itself: in its front matter, in the page's head, or as its first heading. */
  title: string | null
  /** Its address according to its front matter. */
  url: string | null
  /** The text that the passages were cut from, as it can be read again and edited. */
  text: string
  /** How `text` is to be read: HTML is read as Markdown. */
  format: TextFormat
  passages: CutPassage[]
}

/** Reads a document of any format and cuts it into passages. */
export function readDocument(content: string, format: DocumentFormat): ReadDocument {
  if (format === 'text')
    return { title: null, url: null, text: content, format, passages: cutBlocks(readText(content)) }
  if (format === 'html') {
    const page = htmlToMarkdown(content)
    const { text } = page
    const blocks = readMarkdown(text)
    const title = page.title ?? firstHeading(blocks)
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

/** Removes imports, exports and comments from MDX. Its elements are removed later, as those of HTML are. */
function withoutCode(mdx: string): string {
  let isFenced = false
  let isCode = false
  const lines = mdx.split('\n').filter((line) => {
    if (/^\s*(?:`{3}|~{3})/.test(line)) isFenced = !isFenced
    if (line.trim() === '') isCode = false
    else if (!isFenced && /^(?:import|export)\s/.test(line)) isCode = true
    return !isCode
  })
  return lines.join('\n').replace(/\{\/\*[\s\S]*?(?:\*\/\}|$)/g, '')
}
