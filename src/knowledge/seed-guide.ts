import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { addDocument, removeDocument } from './add-document.ts'
import { listSeeded, putSeeded } from './store.ts'

/** The package's own directory, the same way up from src/knowledge and from dist/knowledge. */
const PACKAGE_ROOT = join(import.meta.dirname, '..', '..')

/**
 * Gives an agent the shipped documentation: all of it the first time, later what is new or has changed. A page that
 * was taken out of the agent's knowledge by hand stays out; one that is no longer shipped goes.
 * @param root where README.md and docs/ are
 */
export async function seedGuide(
  db: Kysely<Tables>,
  agentId: number,
  now: number,
  root: string = PACKAGE_ROOT,
): Promise<void> {
  const pages = await readPages(root)
  const seeded = await listSeeded(db, agentId)
  for (const { url, text } of pages) {
    const known = seeded.get(url)
    if (known === 'removed') continue
    await addDocument(db, agentId, { title: titleOf(text, url), url, text, format: 'markdown' }, now)
  }
  const shipped = pages.map(({ url }) => url)
  for (const [url, state] of seeded) {
    if (state === 'present' && !shipped.includes(url)) await removeDocument(db, agentId, { title: url, url })
  }
  await putSeeded(db, agentId, shipped)
}

async function readPages(root: string): Promise<{ url: string; text: string }[]> {
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
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}

/** The first heading, else the file's name. */
function titleOf(text: string, url: string): string {
  return /^# +(.+?)\s*$/m.exec(text)?.[1] ?? url
}
