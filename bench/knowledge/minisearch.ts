import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Entry } from './faq.ts'

const PEERS: Record<string, string> = { minisearch: '7.2.0', stemmer: '2.0.1' }
const CACHE = fileURLToPath(new URL('../.peers/knowledge/', import.meta.url))

interface Found {
  id: number
  score: number
}

interface MiniSearch {
  addAll(documents: object[]): void
  search(query: string, options?: object): Found[]
}

type MiniSearchClass = new (options: object) => MiniSearch

/** Installs the peers into `bench/.peers/knowledge/`, without install scripts, unless they are there. */
export function installPeers(): void {
  const missing = Object.entries(PEERS).filter(([name, version]) => installedVersion(name) !== version)
  if (missing.length === 0) return
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(`${CACHE}package.json`, '{"private":true}\n')
  const wanted = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`)
  const options = ['--prefix', CACHE, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, ...wanted], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** MiniSearch over the same entries: Porter's stemmer, questions counting twice, alternates in a field of their own. */
export async function searchWithMiniSearch(entries: readonly Entry[], alternates: boolean) {
  const { stemmer } = (await import(createRequire(`${CACHE}package.json`).resolve('stemmer'))) as {
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

/** MiniSearch over plain documents, for its time. */
export function indexWithMiniSearch(texts: readonly string[]): MiniSearch {
  const index = new (loadMiniSearch())({ fields: ['text'] })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return index
}

function loadMiniSearch(): MiniSearchClass {
  const loaded: MiniSearchClass | { default: MiniSearchClass } = createRequire(`${CACHE}package.json`)(
    'minisearch',
  )
  return 'default' in loaded ? loaded.default : loaded
}

function installedVersion(name: string): string | undefined {
  const path = `${CACHE}node_modules/${name}/package.json`
  if (!existsSync(path)) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
