import type { Block } from '../block.ts'
import { htmlToMarkdown } from '../html/html.ts'
import { readMarkdown } from '../markdown/markdown.ts'

/** Reads a text of any kind below a heading. Its own headings stand below that one. */
export function textBlocks(text: string, level: number): Block[] {
  const markdown = /<\/?(?:p|br|div|ul|ol|li|h[1-6]|a|b|strong|em|span|table)\b[^<>]{0,500}>/i.test(text)
    ? htmlToMarkdown(text).text
    : text
  return readMarkdown(markdown).map((block) =>
    block.kind === 'heading' ? { ...block, level: block.level + level } : block,
  )
}

export function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Tells whether a value is a text that people read. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
