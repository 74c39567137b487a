import { withoutWordBreaks } from '../../language/words/word-breaks.ts'
import type { Block } from './block.ts'
import { readCsv } from './csv.ts'
import { type CutPassage, cutBlocks, readText } from './cut-document.ts'
import { htmlToMarkdown } from './html/html.ts'
import { readJson } from './json/json.ts'
import { countLeftOut, type Leave } from './left-out.ts'
import { withLineFeeds } from './line-feeds.ts'
import { toPlainMarkdown } from './markdown/dialects.ts'
import { readFrontMatter } from './markdown/front-matter.ts'
import { readMarkdown } from './markdown/markdown.ts'
import { isMdx, withoutCode } from './markdown/mdx.ts'
import { readRst } from './rst/rst.ts'

export const documentFormats = ['markdown', 'mdx', 'text', 'html', 'csv', 'rst', 'json'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export const textFormats = [
  'markdown',
  'mdx',
  'text',
  'csv',
  'rst',
  'json',
] as const satisfies readonly DocumentFormat[]
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
  /** Notes on what was left out, in words for people. */
  notes: string[]
}

/** Reads a document of any format and cuts it into passages. */
export function readDocument(content: string, format: DocumentFormat): ReadDocument {
  const { leave, notes } = countLeftOut()
  const read = readAs(withoutWordBreaks(content), format, leave)
  return { ...read, passages: cutBlocks(read.blocks), notes: notes() }
}

interface ReadBlocks extends Pick<ReadDocument, 'title' | 'url' | 'text' | 'format'> {
  blocks: Block[]
}

function readAs(content: string, format: DocumentFormat, leave: Leave): ReadBlocks {
  if (format === 'markdown' || format === 'mdx') return readMarkdownFile(content, format, leave)
  if (format === 'html') {
    const { title, text } = htmlToMarkdown(content, leave)
    const blocks = readMarkdown(text)
    return { title: titleOf(title, firstHeading(blocks)), url: null, text, format: 'markdown', blocks }
  }
  const blocks = BLOCKS[format](content, leave)
  const title = format === 'rst' ? firstHeading(blocks) : format === 'json' ? soleHeading(blocks) : null
  return { title, url: null, text: content, format, blocks }
}

const BLOCKS: Record<Exclude<TextFormat, 'markdown' | 'mdx'>, (content: string, leave: Leave) => Block[]> = {
  text: readText,
  csv: readCsv,
  rst: readRst,
  json: readJson,
}

function readMarkdownFile(content: string, format: 'markdown' | 'mdx', leave: Leave): ReadBlocks {
  const { fields, text } = readFrontMatter(withLineFeeds(content))
  const markdown = withoutCode(text, leave, format === 'mdx' || isMdx(text))
  const blocks = readMarkdown(toPlainMarkdown(markdown, leave), leave)
  const { title = firstHeading(blocks), url = null, description = '' } = fields
  const isTold = description === '' || text.includes(description)
  const told: Block[] = isTold ? [] : [{ kind: 'text', text: description }]
  return { title, url, text: content, format, blocks: [...told, ...blocks] }
}

function firstHeading(blocks: readonly Block[]): string | null {
  return blocks.find((block) => block.kind === 'heading')?.text || null
}

/** Returns the heading above all of a document; null: there is none. */
function soleHeading(blocks: readonly Block[]): string | null {
  const [first, ...others] = blocks.filter((block) => block.kind === 'heading' && block.level === 1)
  return first?.kind === 'heading' && others.length === 0 ? first.text : null
}

/** Returns a page's title without the name of the site, which stands beside the heading in `Returns | Shop`. */
export function titleOf(title: string | null, heading: string | null): string | null {
  if (title === null || heading === null) return title ?? heading
  return isNamedBy(title, heading) ? heading : title
}

/** Tells whether a title is a heading, alone or with the name of the site before or behind it. */
export function isNamedBy(title: string, heading: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()
  const [whole, part] = [plain(title), plain(heading)]
  if (part === '') return false
  const isFirst = whole.startsWith(part) && /^(?:$|\s*[|»«:]\s|\s[–—·•-]\s)/.test(whole.slice(part.length))
  return isFirst || (whole.endsWith(part) && /(?:[|»«:]\s|\s[–—·•-]\s)$/.test(whole.slice(0, -part.length)))
}
