import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { teamOfAgent } from '../agents/team-of-agent.ts'
import { byCommandLine, record } from '../audit/record.ts'
import { type ExportProgress, exportConversations } from '../exports/export-rows.ts'
import { type ExportFormat, exportFormats, exportText } from '../exports/export-text.ts'
import { openFoundation } from '../foundation.ts'
import { timeFilter } from '../http/schemas.ts'
import { timestamp } from '../lib/clock.ts'
import { type Command, requiredId, UsageError } from './command.ts'

type Option = string | boolean | undefined

const PROGRESS_MS = 1000

export const exportCommand: Command = {
  name: 'export',
  usage: '--agent ID [--from TIME] [--to TIME] [--format jsonl|csv] [--output FILE]',
  summary:
    'Write all conversations of an agent to a file, which appears when it is whole, or to stdout; progress goes to stderr',
  options: {
    agent: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    format: { type: 'string' },
    output: { type: 'string' },
  },
  async run({ config, options, print }) {
    const agentId = requiredId(options.agent, '--agent')
    const range = { from: timeOption(options.from, '--from'), to: timeOption(options.to, '--to') }
    const format = formatOption(options.format)
    const file = typeof options.output === 'string' ? options.output : null
    if (file !== null && (await stat(file).catch(() => null)))
      throw new UsageError(`${file} is there already`)
    await using foundation = await openFoundation(config)
    const { db } = foundation.database
    const teamId = await teamOfAgent(db, agentId)
    if (teamId === null || teamId === undefined) throw new UsageError(`there is no agent ${agentId}`)
    const act = { teamId, agentId, at: timestamp(foundation.clock()), details: { format, ...range } }
    await record(db, { ...byCommandLine, ...act, action: 'export.made' })
    let progress: ExportProgress = { conversations: 0, total: 0 }
    const timer = setInterval(() => printProgress(progress), PROGRESS_MS)
    try {
      const rows = exportConversations(db, agentId, range, (now) => {
        progress = now
      })
      const pieces = exportText(rows, format)
      if (file === null) await writeAll(pieces, process.stdout)
      else await writeFile(pieces, file)
    } finally {
      clearInterval(timer)
    }
    const { conversations } = progress
    if (file !== null) print({ file, conversations }, `Exported ${conversations} conversations to ${file}`)
    return 0
  },
}

function printProgress({ conversations, total }: ExportProgress): void {
  process.stderr.write(`${conversations} of ${total} conversations\n`)
}

function timeOption(value: Option, name: string): string | null {
  if (value === undefined) return null
  const { data } = timeFilter.safeParse(value)
  if (data === undefined) throw new UsageError(`${name} must be a time such as 2026-11-20T00:00:00Z`)
  return data
}

function formatOption(value: Option): ExportFormat {
  const format = exportFormats.find((one) => one === (value ?? 'jsonl'))
  if (!format) throw new UsageError(`--format must be one of ${exportFormats.join(', ')}`)
  return format
}

/**
 * Writes a file that gets its name only once it is complete and on the disk, so that no part is taken for the whole.
 */
async function writeFile(pieces: AsyncIterable<string>, file: string): Promise<void> {
  const part = `${file}.part`
  const output = createWriteStream(part, { mode: 0o600, flush: true })
  try {
    await writeAll(pieces, output)
    output.end()
    await once(output, 'close')
    await rename(part, file)
  } catch (error) {
    output.destroy()
    await rm(part, { force: true })
    throw error
  }
}

async function writeAll(pieces: AsyncIterable<string>, output: Writable): Promise<void> {
  for await (const piece of pieces) if (!output.write(piece)) await once(output, 'drain')
}
