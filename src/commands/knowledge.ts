import type { Kysely } from 'kysely'
import { type Agent, readAgent } from '../agents/agent.ts'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { openSearch } from '../app/open-search.ts'
import { byCommandLine } from '../audit/record.ts'
import { type Foundation, openFoundation } from '../foundation.ts'
import { aboutPassage } from '../knowledge/about-passage.ts'
import { addFile, type FileOutcome, skipped } from '../knowledge/documents/add-file.ts'
import { stepAside } from '../knowledge/documents/seed-guide.ts'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import type { FoundPassage } from '../model/findings.ts'
import { createMasks } from '../privacy/mask/masks.ts'
import { startRedactionWork } from '../redaction/redaction-work.ts'
import type { Tables } from '../storage/tables.ts'
import { createUsageMeter } from '../usage/meter.ts'
import { type Command, requiredId, UsageError } from './command.ts'
import { type FoundFile, filesOf, readBytes } from './document-files.ts'
import { printable } from './printable.ts'

export const knowledgeAdd: Command = {
  name: 'knowledge add',
  usage: 'FILES… --agent ID [--url BASE]',
  summary:
    'Add Markdown, MDX, text, HTML, reStructuredText, JSON, CSV, PDF and DOCX files, or folders of them, to the knowledge of an agent',
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
    const outcomes: FileOutcome[] = []
    const fileOf = new Map<string, string>()
    for (const file of files) outcomes.push(await add(file))
    const isSkipped = ({ outcome }: FileOutcome) => outcome === 'skipped'
    if (!outcomes.every(isSkipped)) await stepAside(db, agent, foundation.clock())
    print(outcomes, outcomes.map(lineOf))
    return outcomes.some(isSkipped) ? 1 : 0

    /** Adds a file. Its source is its address under --url, or its path without --url. */
    async function add(file: FoundFile): Promise<FileOutcome> {
      if (file.refused) return skipped(file.path, file.refused)
      const url = base === null ? null : `${base}/${file.name.split('/').map(encodeURIComponent).join('/')}`
      const source = url ?? file.source
      const other = fileOf.get(source)
      if (other !== undefined) return skipped(file.path, `${other} has the same address`)
      fileOf.set(source, file.path)
      const read = await readBytes(file.source)
      if ('refused' in read) return skipped(file.path, read.refused)
      const at = url === null ? {} : { otherwiseAt: url }
      const outcome = await addFile(
        db,
        agent,
        { path: file.name, source, content: read.content, ...at },
        foundation.clock(),
        by,
      )
      return { ...outcome, file: file.path }
    }
  },
}

function lineOf({ file, outcome, document_id, reason, notes }: FileOutcome): string[] {
  return [String(document_id ?? '-'), outcome, file, ...(reason === null ? [] : [reason]), ...notes]
}

const FOUND = 10
/** The time in which to read all vectors for one search. */
const READ_WITHIN_MS = 60_000

export const knowledgeSearch: Command = {
  name: 'knowledge search',
  usage: 'QUESTION --agent ID',
  summary: 'Show the passages that fit a question best',
  options: { agent: { type: 'string' } },
  positionals: 1,
  async run({ config, positionals, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    const question = positionals[0] ?? ''
    if (question.trim() === '') throw new UsageError('the question is empty')
    await using foundation = await openFoundation(config)
    const { db } = foundation.database
    await requiredTeam(db, agent)
    const passages = await search(foundation, await readAgent(db, agent), question)
    print(
      passages.map(({ title, url, heading, text, score, coverage, similarity }) => ({
        title,
        url,
        heading,
        text,
        score,
        coverage,
        similarity,
      })),
      passages.map(({ title, heading, coverage, text }) => [
        coverage.toFixed(2),
        aboutPassage({ title, heading }),
        text.slice(0, 100).replaceAll('\n', ' '),
      ]),
    )
    return 0
  },
}

/** Searches as the service does, and reports on stderr the parts of the search that failed. */
async function search(foundation: Foundation, agent: Agent, question: string): Promise<FoundPassage[]> {
  const { config, clock, database, credentials } = foundation
  const redaction = startRedactionWork()
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  const say = (why: object, what: string) =>
    process.stderr.write(`parley: ${printable(`${what}: ${JSON.stringify(why)}`)}\n`)
  const meter = createUsageMeter(
    database.db,
    () => timestamp(clock()).slice(0, 10),
    (error) => say({ error: describeFailure(error) }, 'the usage could not be stored'),
  )
  try {
    const maskOf = createMasks({ work: redaction, key: credentials.deriveKey('placeholders') })
    const options = {
      outbound,
      metering: { meter, called: () => {} },
      maskOf,
      failed: say,
      readWithinMs: READ_WITHIN_MS,
    }
    const { findPassages } = openSearch(foundation, options)
    return (await findPassages(agent, question, FOUND)).passages
  } finally {
    await meter.close()
    await outbound.close()
    await redaction.close()
  }
}

async function requiredTeam(db: Kysely<Tables>, agentId: number): Promise<number> {
  const teamId = await teamOfAgent(db, agentId)
  if (teamId === null) throw new UsageError(`there is no agent ${agentId}`)
  return teamId
}
