import { fileURLToPath } from 'node:url'
import { htmlToMarkdown } from '../../src/knowledge/formats/html/html.ts'
import { importPeer, installPeers } from '../support/install-peers.ts'

const PEERS = fileURLToPath(new URL('../.peers/html/', import.meta.url))

/** The readers of HTML. Each returns a page as Markdown. @throws Error where a reader refuses it */
export async function openReaders(): Promise<Record<string, (page: string) => string>> {
  installPeers(PEERS, {
    '@joplin/turndown-plugin-gfm': '1.0.68',
    '@mozilla/readability': '0.6.0',
    linkedom: '0.18.15',
    'node-html-markdown': '2.0.0',
    turndown: '7.2.5',
  })
  type Turndown = {
    default: new (options: object) => { use(plugin: unknown): void; turndown(page: string): string }
  }
  type Readability = { Readability: new (document: unknown) => { parse(): { content: string } | null } }
  const { default: TurndownService } = await importPeer<Turndown>(PEERS, 'turndown')
  const { gfm } = await importPeer<{ gfm: unknown }>(PEERS, '@joplin/turndown-plugin-gfm')
  const { Readability } = await importPeer<Readability>(PEERS, '@mozilla/readability')
  const { parseHTML } = await importPeer<{ parseHTML(page: string): { document: unknown } }>(
    PEERS,
    'linkedom',
  )
  const { NodeHtmlMarkdown } = await importPeer<{
    NodeHtmlMarkdown: { translate(page: string): string }
  }>(PEERS, 'node-html-markdown')
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  service.use(gfm)
  const turndown = (page: string) => service.turndown(page)
  return {
    own: (page) => htmlToMarkdown(page).text,
    turndown,
    'readability, turndown': (page) => {
      const { document } = parseHTML(`<html><body>${page}</body></html>`)
      return turndown(new Readability(document).parse()?.content ?? '')
    },
    'node-html-markdown': (page) => NodeHtmlMarkdown.translate(page),
  }
}
