import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A reporter of nothing but the files in which something failed, a line each. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Set<string>()
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.file && !failed.has(data.file)) {
      failed.add(data.file)
      yield `${relative('.', data.file)}\n`
    }
}
