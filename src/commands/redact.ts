import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createPatternRedactor, type PatternRedactor } from '../redaction/redactor.ts'
import { type Command, UsageError } from './command.ts'

export const redact: Command = {
  name: 'redact',
  usage: '[--jsonl] [--report]',
  summary:
    'Redact personal data from stdin to stdout; --jsonl: one {"text"} a line; --report: counts by type',
  options: { jsonl: { type: 'boolean' }, report: { type: 'boolean' } },
  async run({ options }) {
    const redactor = createPatternRedactor()
    const counts = new Map<string, number>()
    const work = (input: string) => redactCounting(redactor, input, counts)
    if (options.jsonl) await redactLines(work)
    else await write(work(await text(process.stdin)))
    if (options.report) {
      const report = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      process.stderr.write(`${JSON.stringify(report)}\n`)
    }
    return 0
  },
}

async function redactLines(work: (input: string) => string): Promise<void> {
  let number = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const record = parseRecord(line)
    if (!record) throw new UsageError(`line ${number} is no JSON object with a text`)
    await write(`${JSON.stringify({ ...record, text: work(record.text) })}\n`)
  }
}

function parseRecord(line: string): { text: string } | null {
  try {
    const record = JSON.parse(line) as { text?: unknown } | null
    return typeof record?.text === 'string' ? (record as { text: string }) : null
  } catch {
    return null
  }
}

function redactCounting(redactor: PatternRedactor, input: string, counts: Map<string, number>): string {
  for (const { type } of redactor.find(input)) counts.set(type, (counts.get(type) ?? 0) + 1)
  return redactor.redact(input)
}

/** Waits for a slow reader, so that a large input does not pile up in memory. */
async function write(output: string): Promise<void> {
  if (!process.stdout.write(output)) await once(process.stdout, 'drain')
}
