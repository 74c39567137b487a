import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createPatternRedactor, type PatternRedactor } from '../redaction/redactor.ts'
import { type Command, UsageError } from './command.ts'

export const redact: Command = {
  name: 'redact',
  usage: '[--jsonl] [--report]',
  summary:
    'Redact personal data from stdin to stdout; --jsonl: one {"text"} per line; --report: counts by type',
  options: { jsonl: { type: 'boolean' }, report: { type: 'boolean' } },
  async run({ options }) {
    const redactor = createPatternRedactor()
    const counts = new Map<string, number>()
    const work = (input: string) => redactCounting(redactor, input, counts)
    if (options.jsonl) await redactLines(work)
    else await write(work((await buffer(process.stdin)).toString('utf8')))
    if (options.report) {
      const report = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      process.stderr.write(`${JSON.stringify(report)}\n`)
    }
    return 0
  },
}

async function redactLines(work: (input: string) => string): Promise<void> {
  let number = 0
  for await (const line of linesOf(process.stdin.setEncoding('utf8'))) {
    number++
    if (line.trim() === '') continue
    const record = parseRecord(line)
    if (!record) throw new UsageError(`line ${number} is not a JSON object with a text`)
    await write(`${JSON.stringify({ ...record, text: work(record.text) })}\n`)
  }
}

/** Splits at line feeds only. node:readline would also split at \u2028 and \u2029, which JSON texts may contain. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let line = ''
  for await (const chunk of input) {
    const [end = '', ...lines] = chunk.split('\n')
    line += end
    for (const next of lines) {
      yield line
      line = next
    }
  }
  yield line
}

/** Parses a line. Some programs begin their files with a byte order mark, which JSON.parse refuses. */
function parseRecord(line: string): { text: string } | null {
  try {
    const record = JSON.parse(line.replace(/^\uFEFF/, '')) as { text?: unknown } | null
    return typeof record?.text === 'string' ? (record as { text: string }) : null
  } catch {
    return null
  }
}

function redactCounting(redactor: PatternRedactor, input: string, counts: Map<string, number>): string {
  for (const { type } of redactor.find(input)) counts.set(type, (counts.get(type) ?? 0) + 1)
  return redactor.redact(input)
}

/** Writes, and waits for a slow reader, so that a large input does not pile up in memory. */
async function write(output: string): Promise<void> {
  if (!process.stdout.write(output)) await once(process.stdout, 'drain')
}
