import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** How the files of a run did. */
export interface FileResults {
  failed: string[]
  /** How long the tests of each file took, in milliseconds. */
  took: Map<string, number>
}

/** A reporter of one line for each test: whether it failed, how long it took, its file. */
export default async function* fileResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if ((type === 'test:fail' || type === 'test:pass') && data.file) {
      // A suite takes what its tests take, and one that a helper makes has the helper's file.
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
