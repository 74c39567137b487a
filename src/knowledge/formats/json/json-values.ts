import type { Block } from '../block.ts'
import { htmlToMarkdown } from '../html/html.ts'
import { readMarkdown } from '../markdown/markdown.ts'

/** Reads a text of any kind below a heading. Its own headings stand below that one. */
export function textBlocks(text: string, level: number): Block[] {
  return readMarkdown(toMarkdown(text)).map((block) =>
    block.kind === 'heading' ? { ...block, level: block.level + level } : block,
  )
}

/** Turns HTML into Markdown. Returns any other text as it is. */
export function toMarkdown(text: string): string {
  return HTML.test(text) ? htmlToMarkdown(text).text : text
}

const HTML = /<\/?(?:p|br|div|ul|ol|li|h[1-6]|a|b|strong|em|span|table)\b[^<>]{0,500}>/i

export function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Tells whether a value is a text that people read. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
