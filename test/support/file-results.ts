import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** The results of the files of a run. */
export interface FileResults {
  failed: string[]
  /** The duration of the tests of each file, in milliseconds. */
  took: Map<string, number>
}

/** Reports one line for each test: whether it failed, its duration, its file. */
export default async function* fileResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if ((type === 'test:fail' || type === 'test:pass') && data.file) {
      // A suite's duration is that of its tests, and a suite made by a helper has the helper's file.
      const ms = data.details.type === 'suite' ? 0 : data.details.duration_ms
      yield `${type === 'test:fail' ? 'failed' : 'passed'}\t${ms}\t${relative('.', data.file)}\n`
    }
}

export function readFileResults(text: string): FileResults {
  const failed = new Set<string>()
  const took = new Map<string, number>()
  for (const line of text.split('\n').filter(Boolean)) {
    const [outcome, ms, file = ''] = line.split('\t')
    if (outcome === 'failed') failed.add(file)
    took.set(file, (took.get(file) ?? 0) + Number(ms))
  }
  return { failed: [...failed], took }
}
