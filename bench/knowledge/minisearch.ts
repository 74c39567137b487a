import { createRequire } from 'node:module'
import { installPeers } from '../support/install-peers.ts'
import type { Entry } from './faq.ts'
import { PEERS } from './peers.ts'

interface Found {
  id: number
  score: number
}

interface MiniSearch {
  addAll(documents: object[]): void
  search(query: string, options?: object): Found[]
}

type MiniSearchClass = new (options: object) => MiniSearch

/** Installs MiniSearch and the stemmer that it uses, unless they are there. */
export function installMiniSearch(): void {
  installPeers(PEERS, { minisearch: '7.2.0', stemmer: '2.0.1' })
}

/** Searches the same entries with MiniSearch: Porter's stemmer, questions counting twice, a field for alternates. */
export async function searchWithMiniSearch(entries: readonly Entry[], alternates: boolean) {
  const { stemmer } = (await import(createRequire(`${PEERS}package.json`).resolve('stemmer'))) as {
    stemmer: (word: string) => string
  }
  const index = new (loadMiniSearch())({
    fields: ['question', 'alternates', 'answer'],
    processTerm: (term: string) => stemmer(term.toLowerCase()),
  })
  index.addAll(
    entries.map(({ question, alternates: others, answer }, id) => ({
      id,
      question,
      alternates: alternates ? others.join('\n') : '',
      answer,
    })),
  )
  return (query: string): Found[] => index.search(query, { boost: { question: 2, alternates: 2 } })
}

/** Indexes plain documents with MiniSearch, to measure its time. */
export function indexWithMiniSearch(texts: readonly string[]): MiniSearch {
  const index = new (loadMiniSearch())({ fields: ['text'] })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return index
}

function loadMiniSearch(): MiniSearchClass {
  const loaded: MiniSearchClass | { default: MiniSearchClass } = createRequire(`${PEERS}package.json`)(
    'minisearch',
  )
  return 'default' in loaded ? loaded.default : loaded
}
