import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { drawing } from '../../support/chance.ts'
import { openFreshDatabase } from '../../support/databases.ts'

const program = join(import.meta.dirname, 'writing-process.ts')

describe('a process that is killed while it writes', () => {
  for (const enough of [1, 100, drawing()(101, 2000)])
    it(`has kept every unit that resolved, and no half of one (after ${enough})`, async () => {
      const { fresh, ...database } = await openFreshDatabase('sqlite')
      const resolved = await writeUntilKilled(fresh.dataDir, enough)
      const rows = await database.db.selectFrom('teams').select('name').execute()
      const kept = new Map<string, number>()
      for (const { name } of rows) kept.set(name, (kept.get(name) ?? 0) + 1)
      assert.deepEqual(
        resolved.filter((name) => !kept.has(name)),
        [],
      )
      assert.deepEqual(new Set(kept.values()), new Set([2]))
      await database.close()
      await fresh.remove()
    })
})

/** The names of the units that resolved before the process was killed. */
async function writeUntilKilled(dataDir: string, enough: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const piece of child.stdout.setEncoding('utf8')) {
    text += piece
    if (!child.killed && text.split('\n').length > enough) child.kill('SIGKILL')
  }
  return text.split('\n').slice(0, -1)
}
