import { globSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { openFoundation } from '../foundation.ts'
import { importDocument } from '../knowledge/import-document.ts'
import { searchKnowledge } from '../knowledge/search.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, requiredId, UsageError } from './command.ts'
import { printable } from './printable.ts'

const FORMATS: Record<string, 'markdown' | 'text' | 'html'> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
}

export const knowledgeAdd: Command = {
  name: 'knowledge add',
  usage: 'FILES… --agent ID [--url BASE]',
  summary: 'Add Markdown, text and HTML files, or folders of them, to what an agent knows',
  options: { agent: { type: 'string' }, url: { type: 'string' } },
  positionals: 'some',
  async run({ config, positionals, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    const base = typeof options.url === 'string' ? options.url.replace(/\/+$/, '') : null
    if (base !== null && !URL.canParse(base)) throw new UsageError('--url must be an address')
    const files = (await Promise.all(positionals.map(filesOf))).flat()
    if (files.length === 0) throw new UsageError('there is no .md, .txt or .html file')
    await using foundation = await openFoundation(config)
    const { db } = foundation.database
    await requireAgent(db, agent)
    const added: { file: string; document_id: number; changed: boolean }[] = []
    for (const { path, name } of files) {
      try {
        const { documentId, changed } = await importDocument(
          db,
          agent,
          {
            content: await readText(path),
            format: FORMATS[extname(path).toLowerCase()] ?? 'text',
            otherwiseTitled: basename(name, extname(name)),
            url: base === null ? null : `${base}/${name}`,
          },
          foundation.clock(),
        )
        added.push({ file: path, document_id: documentId, changed })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        process.stderr.write(`parley: ${printable(`${path}: ${error.message}`)}\n`)
      }
    }
    print(
      added,
      added.map(({ file, document_id, changed }) => [
        String(document_id),
        changed ? 'added' : 'unchanged',
        file,
      ]),
    )
    return added.length === files.length ? 0 : 1
  },
}

export const knowledgeSearch: Command = {
  name: 'knowledge search',
  usage: 'QUESTION --agent ID',
  summary: 'Show the passages that fit a question best',
  options: { agent: { type: 'string' } },
  positionals: 1,
  async run({ config, positionals, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    await using foundation = await openFoundation(config)
    const { db } = foundation.database
    await requireAgent(db, agent)
    const { passages } = await searchKnowledge(db, agent, positionals[0] ?? '', 10)
    print(
      passages.map(({ title, url, heading, text, score, coverage }) => ({
        title,
        url,
        heading,
        text,
        score,
        coverage,
      })),
      passages.map(({ title, heading, coverage, text }) => [
        coverage.toFixed(2),
        `${title} › ${heading}`,
        text.slice(0, 100).replaceAll('\n', ' '),
      ]),
    )
    return 0
  },
}

/** The files that a word names: itself, or those of a folder. */
async function filesOf(word: string): Promise<{ path: string; name: string }[]> {
  const found = await stat(word).catch(() => null)
  if (!found) throw new UsageError(`there is no file ${word}`)
  if (!found.isDirectory()) return [{ path: word, name: basename(word) }]
  return globSync(join(word, '**/*'))
    .filter((path) => extname(path).toLowerCase() in FORMATS)
    .sort()
    .map((path) => ({ path, name: relative(word, path) }))
}

async function requireAgent(db: Kysely<Tables>, id: number): Promise<void> {
  const agent = await db.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst()
  if (!agent) throw new UsageError(`there is no agent ${id}`)
}

/** @throws ApiError invalid_request for a file of another kind, such as a PDF */
async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause
    throw new ApiError('invalid_request', { message: 'it is no text in UTF-8.', cause })
  }
}
