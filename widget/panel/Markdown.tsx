import { type Block, type Inline, readMarkdown } from '../../browser/read-markdown.ts'
import type { Child } from '../draw/jsx-runtime.ts'

interface Links {
  /** Called when a link to elsewhere was followed. */
  onLeave?: ((url: string) => void) | undefined
  /** Returns the element for `[1]`; null leaves the characters themselves. */
  source?: ((number: number) => Child) | undefined
}

/** A text, as the elements that its Markdown means. It is never HTML, and no direction mark reaches beyond it. */
export function Markdown({ text, ...links }: { text: string } & Links) {
  return <div class="text">{blocksOf(readMarkdown(text), links)}</div>
}

function blocksOf(blocks: readonly Block[], links: Links): Child {
  return blocks.map((block) => blockOf(block, links))
}

function blockOf(block: Block, links: Links): Child {
  switch (block.type) {
    case 'paragraph':
      return <p dir="auto">{inlinesOf(block.text, links)}</p>
    case 'heading':
      return (
        <p dir="auto">
          <strong>{inlinesOf(block.text, links)}</strong>
        </p>
      )
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
        <pre tabIndex={0} dir="ltr">
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{blocksOf(block.content, links)}</blockquote>
    case 'rule':
      return <hr />
    case 'list': {
      // Markers and columns stand on the side where the words begin.
      const items = block.items.map((item) => <li>{itemOf(item, links)}</li>)
      return block.start === null ? (
        <ul dir="auto">{items}</ul>
      ) : (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      )
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
        <div class="table" tabIndex={0}>
          <table dir="auto">
            <thead>
              <tr>
                {block.head.map((cell) => (
                  <th>{inlinesOf(cell, links)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{inlinesOf(cell, links)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

/** Draws a list item. An item of one paragraph needs no paragraph element. */
function itemOf(item: readonly Block[], links: Links): Child {
  const [first, ...others] = item
  if (first?.type !== 'paragraph') return blocksOf(item, links)
  return [inlinesOf(first.text, links), blocksOf(others, links)]
}

function inlinesOf(parts: readonly Inline[], links: Links): Child {
  return parts.map((part) => inlineOf(part, links))
}

function inlineOf(part: Inline, links: Links): Child {
  if (typeof part === 'string') return part
  switch (part.type) {
    case 'strong':
      return <strong>{inlinesOf(part.content, links)}</strong>
    case 'emphasis':
      return <em>{inlinesOf(part.content, links)}</em>
    case 'code':
      return <code>{part.text}</code>
    case 'source':
      return links.source?.(part.number) ?? `[${part.number}]`
    case 'link':
      return (
        <Link url={part.url} onLeave={links.onLeave}>
          {part.text}
        </Link>
      )
  }
}

/** A link that leaves the chat. One within the page's own site stays in its tab, because the chat is there too. */
export function Link(props: {
  url: string
  class?: string
  onLeave?: ((url: string) => void) | undefined
  children: Child
}) {
  const { url, onLeave, children } = props
  const isHere = new URL(url).origin === location.origin
  return (
    <a
      href={url}
      class={props.class}
      target={isHere ? '_self' : '_blank'}
      rel="noopener noreferrer"
      onClick={() => onLeave?.(url)}
    >
      {children}
    </a>
  )
}
