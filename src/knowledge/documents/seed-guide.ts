import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { endGuiding } from '../../agents/first-agent.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { Database } from '../../storage/opened-database.ts'
import type { Tables } from '../../storage/tables.ts'
import { addDocument } from './add-document.ts'
import { removeDocument } from './remove-document.ts'
import { hasOthers, listEdited, listSeeded, putSeeded } from './seeded-documents.ts'

/** The package's own directory. The path is the same from src/ and from dist/. */
const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..')

/** The tables that searches read. */
const SEARCHED = [
  'knowledge_documents',
  'knowledge_passages',
  'knowledge_words',
  'knowledge_vocabulary',
  'knowledge_totals',
  'knowledge_hidden',
] as const

/**
 * Gives an agent the shipped documentation: all of it the first time, later only pages that are new or have changed. A
 * page that somebody removed from the agent's knowledge stays removed, an edited page stays as it is, and a page that
 * is no longer shipped is removed. An agent with documents of its own gets none of the pages.
 * @param root the directory of README.md and docs/
 */
export async function seedGuide(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  agentId: number,
  nowMs: number,
  root: string = PACKAGE_ROOT,
): Promise<void> {
  const pages = await readPages(root)
  const shipped = pages.map(({ url }) => url)
  const seeded = await listSeeded(db, agentId)
  if (pages.length + seeded.size === 0) return
  if (await hasOthers(db, agentId, [...seeded.keys(), ...shipped])) return stepAside(db, agentId, nowMs)
  const edited = await listEdited(db, agentId)
  let hasAdded = false
  for (const { url, text } of pages) {
    const id = seeded.get(url)
    if (id === null || (id !== undefined && edited.has(id))) continue
    const page = { content: text, format: 'markdown', otherwiseTitled: url, url } as const
    const { outcome } = await addDocument(db, agentId, page, nowMs)
    if (outcome !== 'unchanged') hasAdded = true
  }
  for (const [url, id] of seeded) {
    if (id !== null && !shipped.includes(url)) await removeDocument(db, agentId, id, nowMs)
  }
  await putSeeded(db, agentId, shipped)
  if (hasAdded) await engine.noteSizes(SEARCHED)
}

/**
 * Removes the shipped documentation from an agent's knowledge for good, and ends its role as the guide: the users of an
 * agent with documents of its own ask about those.
 */
export async function stepAside(db: Kysely<Tables>, agentId: number, nowMs: number): Promise<void> {
  const present = [...(await listSeeded(db, agentId)).values()].filter((id) => id !== null)
  if (present.length === 0) return
  for (const id of present) await removeDocument(db, agentId, id, nowMs)
  await endGuiding(db, agentId, nowMs)
}

/** Reads the shipped documentation. @param root the directory of README.md and docs/ */
export async function readPages(root: string = PACKAGE_ROOT): Promise<{ url: string; text: string }[]> {
  const docs = await readdir(join(root, 'docs')).catch(nothingThere)
  const names = docs.filter((name) => name.endsWith('.md')).sort()
  const pages = []
  for (const url of ['README.md', ...names.map((name) => `docs/${name}`)]) {
    const text = await readFile(join(root, url), 'utf8').catch(nothingThere)
    if (typeof text === 'string') pages.push({ url, text })
  }
  return pages
}

function nothingThere(error: unknown): string[] {
  if (errorCode(error) === 'ENOENT') return []
  throw error
}
