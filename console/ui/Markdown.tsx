import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Block, type Inline, readMarkdown } from '../../browser/read-markdown.ts'

type OnCitation = ((number: number) => void) | undefined

interface MarkdownProps {
  text: string
  /** Opens a source by its number; without this, numbers in brackets are text. */
  onCitation?: OnCitation
}

/**
 * Draws a text of an agent or a person as the elements that its Markdown means. It is never HTML: unknown Markdown is
 * shown as written. Only plain elements are used, since a hostile text has thousands of them.
 */
export function Markdown({ text, onCitation }: MarkdownProps) {
  return <div className="markdown foreign">{blocks(readMarkdown(text), onCitation)}</div>
}

function blocks(content: readonly Block[], onCitation: OnCitation): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text have no identity but their place
  return content.map((block, index) => <BlockOf key={index} block={block} onCitation={onCitation} />)
}

function BlockOf({ block, onCitation }: { block: Block; onCitation: OnCitation }) {
  switch (block.type) {
    case 'heading':
      return <p className="markdown-heading">{inlines(block.text, onCitation)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{blocks(block.content, onCitation)}</blockquote>
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one list have no identity but their place
        <li key={index}>{blocks(item, onCitation)}</li>
      ))
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>
    }
    case 'table':
      return <TableOf block={block} onCitation={onCitation} />
    case 'rule':
      return <hr />
    case 'paragraph':
      return <p>{inlines(block.text, onCitation)}</p>
  }
}

interface TableProps {
  block: Extract<Block, { type: 'table' }>
  onCitation: OnCitation
}

function TableOf({ block: { head, rows }, onCitation }: TableProps) {
  const cells = (Cell: 'th' | 'td', row: readonly Inline[][]) =>
    row.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells of one row have no identity but their place
      <Cell key={index}>{inlines(cell, onCitation)}</Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables must be scrollable by keyboard
    <div className="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>{cells('th', head)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one table have no identity but their place
            <tr key={index}>{cells('td', row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inlines(parts: readonly Inline[], onCitation: OnCitation): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no identity but their place
  return parts.map((part, index) => <InlineOf key={index} part={part} onCitation={onCitation} />)
}

function InlineOf({ part, onCitation }: { part: Inline; onCitation: OnCitation }) {
  if (typeof part === 'string') return part
  switch (part.type) {
    case 'strong':
      return <strong>{inlines(part.content, onCitation)}</strong>
    case 'emphasis':
      return <em>{inlines(part.content, onCitation)}</em>
    case 'code':
      return <code>{part.text}</code>
    case 'source':
      return onCitation ? <Citation number={part.number} onCitation={onCitation} /> : `[${part.number}]`
    case 'link':
      return (
        <a href={part.url} target="_blank" rel="noreferrer noopener">
          {part.text}
        </a>
      )
  }
}

function Citation({ number, onCitation }: { number: number; onCitation: (number: number) => void }) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="citation"
      aria-label={t('inbox.source', { number })}
      onClick={() => onCitation(number)}
    >
      {`[${number}]`}
    </button>
  )
}
