import { fileURLToPath } from 'node:url'
import { readRst } from '../../src/knowledge/formats/rst/rst.ts'
import { importPeer, installPeers } from '../support/install-peers.ts'
import { seenIn } from '../support/seen-in.ts'

const PEERS = fileURLToPath(new URL('../.peers/rst/', import.meta.url))

/** A node of restructured's tree. */
interface Node {
  type: string
  value?: string
  children?: Node[]
}

/** The readers of reStructuredText. Each returns the text that somebody sees. @throws Error where a reader refuses it */
export async function openReaders(): Promise<Record<string, (source: string) => string>> {
  installPeers(PEERS, { restructured: '0.0.11', 'rst-compiler': '0.5.9' })
  type Restructured = { default: { default: { parse(source: string): Node } } }
  const { parse } = (await importPeer<Restructured>(PEERS, 'restructured')).default.default
  type Compiler = { RstToHtmlCompiler: new () => { compile(source: string): { body: string } } }
  const { RstToHtmlCompiler } = await importPeer<Compiler>(PEERS, 'rst-compiler')
  return {
    own: (source) =>
      readRst(source)
        .map((block) => ('text' in block ? block.text : ''))
        .join('\n'),
    restructured: (source) => textOf(parse(source)),
    'rst-compiler': (source) => seenIn(new RstToHtmlCompiler().compile(source).body),
  }
}

function textOf({ type, value, children = [] }: Node): string {
  if (type === 'comment') return ''
  return value ?? children.map(textOf).join(INLINE.test(type) ? '' : '\n')
}

const INLINE = /^(?:paragraph|title|line|emphasis|strong|literal|reference|interpreted_text|term)$/
