import { basename, extname } from 'node:path'
import type { Kysely } from 'kysely'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { byCommandLine } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { openFoundation } from '../foundation.ts'
import { type AddedDocument, addDocument } from '../knowledge/add-document.ts'
import { formatOfFile } from '../knowledge/file-format.ts'
import { searchKnowledge } from '../knowledge/search.ts'
import { stepAside } from '../knowledge/seed-guide.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, requiredId, UsageError } from './command.ts'
import { type FoundFile, filesOf, readText } from './document-files.ts'

/** What the command did with a file. */
interface Outcome {
  file: string
  outcome: AddedDocument['outcome'] | 'skipped'
  document_id: number | null
  source: string | null
  /** Why it was skipped. */
  reason: string | null
}

export const knowledgeAdd: Command = {
  name: 'knowledge add',
  usage: 'FILES… --agent ID [--url BASE]',
  summary: 'Add Markdown, MDX, text and HTML files, or folders of them, to the knowledge of an agent',
  options: { agent: { type: 'string' }, url: { type: 'string' } },
  positionals: 'some',
  async run({ config, positionals, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    const base = typeof options.url === 'string' ? options.url.replace(/\/+$/, '') : null
    if (base !== null && !['http:', 'https:'].includes(URL.parse(base)?.protocol ?? ''))
      throw new UsageError('--url must be an http or https address')
    const named = (await Promise.all(positionals.map(filesOf))).flat()
    const files = [...new Map(named.map((file) => [file.source, file])).values()]
    await using foundation = await openFoundation(config)
    const { db } = foundation.database
    const by = { ...byCommandLine, teamId: await requiredTeam(db, agent) }
    const outcomes: Outcome[] = []
    const fileOf = new Map<string, string>()
    for (const file of files) outcomes.push(await add(file))
    const isSkipped = ({ outcome }: Outcome) => outcome === 'skipped'
    if (!outcomes.every(isSkipped)) await stepAside(db, agent, foundation.clock())
    print(outcomes, outcomes.map(lineOf))
    return outcomes.some(isSkipped) ? 1 : 0

    /** Adds a file. Its source is its address under --url, or its path without --url. */
    async function add(file: FoundFile): Promise<Outcome> {
      if (file.refused) return skipped(file, file.refused)
      const url = base === null ? null : `${base}/${file.name.split('/').map(encodeURIComponent).join('/')}`
      const source = url ?? file.source
      const other = fileOf.get(source)
      if (other !== undefined) return skipped(file, `${other} has the same address`)
      fileOf.set(source, file.path)
      const read = await readText(file.source)
      if ('refused' in read) return skipped(file, read.refused)
      try {
        const { documentId, ...added } = await addDocument(
          db,
          agent,
          {
            source,
            content: read.text,
            format: formatOfFile(file.name) ?? 'text',
            otherwiseTitled: basename(file.name, extname(file.name)),
            ...(url === null ? {} : { otherwiseAt: url }),
          },
          foundation.clock(),
          by,
        )
        return { file: file.path, ...added, document_id: documentId, reason: null }
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        return skipped(file, error.message.replace(/\.$/, ''))
      }
    }
  },
}

function skipped({ path }: FoundFile, reason: string): Outcome {
  return { file: path, outcome: 'skipped', document_id: null, source: null, reason }
}

function lineOf({ file, outcome, document_id, reason }: Outcome): string[] {
  return [String(document_id ?? '-'), outcome, file, ...(reason === null ? [] : [reason])]
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
    await requiredTeam(db, agent)
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

async function requiredTeam(db: Kysely<Tables>, agentId: number): Promise<number> {
  const teamId = await teamOfAgent(db, agentId)
  if (teamId === null) throw new UsageError(`there is no agent ${agentId}`)
  return teamId
}
