import { type CutPassage, cutBlocks, readText } from './cut-document.ts'
import { readFrontMatter } from './front-matter.ts'
import { htmlToMarkdown } from './html.ts'
import { type Block, readMarkdown } from './markdown.ts'

export const documentFormats = ['markdown', 'mdx', 'text', 'html'] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** A document as it was written, read. */
export interface ReadDocument {
  /** What it calls itself: in its front matter, as a page, or by its first heading. */
  title: string | null
  /** Where its front matter says that it is. */
  url: string | null
  passages: CutPassage[]
}

/** Reads a document of any format and cuts it into passages. */
export function readDocument(content: string, format: DocumentFormat): ReadDocument {
  if (format === 'text') return { title: null, url: null, passages: cutBlocks(readText(content)) }
  if (format === 'html') {
    const page = htmlToMarkdown(content)
    const blocks = readMarkdown(page.text)
    return { title: page.title ?? firstHeading(blocks), url: null, passages: cutBlocks(blocks) }
  }
  const { fields, text } = readFrontMatter(content.replace(/\r\n?/g, '\n'))
  const blocks = readMarkdown(format === 'mdx' ? withoutCode(text) : text)
  const { title = firstHeading(blocks), url = null, description = '' } = fields
  const isTold = description === '' || text.includes(description)
  const told: Block[] = isTold ? [] : [{ kind: 'text', text: description }]
  return { title, url, passages: cutBlocks([...told, ...blocks]) }
}

function firstHeading(blocks: readonly Block[]): string | null {
  return blocks.find(({ kind }) => kind === 'heading')?.text || null
}

/** Takes imports, exports and comments out of MDX; its elements are taken out as HTML's are. */
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
