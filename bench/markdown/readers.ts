import { fileURLToPath } from 'node:url'
import { type Inline, readMarkdown as readChat, type Block as Shown } from '../../browser/read-markdown.ts'
import { toPlainMarkdown } from '../../src/knowledge/formats/markdown/dialects.ts'
import { readFrontMatter } from '../../src/knowledge/formats/markdown/front-matter.ts'
import { readMarkdown } from '../../src/knowledge/formats/markdown/markdown.ts'
import { isMdx, withoutCode } from '../../src/knowledge/formats/markdown/mdx.ts'
import { importPeer, installPeers } from '../support/install-peers.ts'
import { seenIn } from '../support/seen-in.ts'

/** The folder of the packages that this bench compares with. */
export const PEERS = fileURLToPath(new URL('../.peers/markdown/', import.meta.url))

/** The readers of Markdown. Each returns the text that somebody sees. */
export type Reader = (markdown: string) => string

export async function openReaders(): Promise<Record<string, Reader>> {
  installPeers(PEERS, {
    'commonmark-spec': '0.31.2',
    marked: '18.2.1',
    'markdown-it': '15.0.3',
    micromark: '4.0.2',
    'micromark-extension-gfm': '3.0.0',
  })
  const { marked } = await importPeer<{ marked: { parse(text: string): string } }>(PEERS, 'marked')
  const { default: MarkdownIt } = await importPeer<{
    default: new (options: { html: boolean; linkify: boolean }) => { render(text: string): string }
  }>(PEERS, 'markdown-it')
  type Micromark = (text: string, options: object) => string
  const { micromark } = await importPeer<{ micromark: Micromark }>(PEERS, 'micromark')
  const { gfm, gfmHtml } = await importPeer<Record<'gfm' | 'gfmHtml', () => object>>(
    PEERS,
    'micromark-extension-gfm',
  )
  const markdownIt = new MarkdownIt({ html: true, linkify: true })
  const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  return {
    'for documents': readForDocuments,
    'for the chat': (markdown) => readChat(markdown).map(textOf).join('\n'),
    marked: (markdown) => seenIn(marked.parse(markdown)),
    'markdown-it': (markdown) => seenIn(markdownIt.render(markdown)),
    micromark: (markdown) => seenIn(micromark(markdown, options)),
  }
}

function readForDocuments(markdown: string): string {
  const { text } = readFrontMatter(markdown)
  return readMarkdown(
    toPlainMarkdown(
      withoutCode(text, () => {}, isMdx(text)),
      () => {},
    ),
  )
    .map((block) => (block.kind === 'end' ? '' : block.text))
    .join('\n')
}

function textOf(block: Shown): string {
  if (block.type === 'rule') return ''
  if (block.type === 'code') return block.text
  if (block.type === 'quote') return block.content.map(textOf).join('\n')
  if (block.type === 'list') return block.items.flat().map(textOf).join('\n')
  if (block.type === 'table')
    return [block.head, ...block.rows].map((row) => row.map(said).join(' ')).join('\n')
  return said(block.text)
}

function said(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (typeof inline === 'string') return inline
      if ('content' in inline) return said(inline.content)
      return 'text' in inline ? inline.text : `[${inline.number}]`
    })
    .join('')
}
