import assert from 'node:assert/strict'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import pg from 'pg'
import { engines, type FreshDatabase } from '../support/databases.ts'
import { openLive } from '../support/live-stream.ts'
import { withDatabase } from '../support/postgres-template.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

for (const engine of engines) {
  it(`a place in the log that a restore has taken away is answered with one reset, others go on, on ${engine}`, async () => {
    const database = await databaseWithAgent(engine)
    try {
      const env = settingsOn(database)
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      const listen = (last?: string) =>
        openLive(`${service.url}/api/v1/live`, {
          ...agentOf(service).headers,
          ...(last === undefined ? {} : { 'last-event-id': last }),
        })
      /** Prompts, and the place behind the last of them. */
      async function placeBehind(prompt: string, count: number): Promise<string> {
        const stream = await listen()
        let heard = 0
        for (let n = 0; n < count; n++) await agentOf(service).prompt(`${prompt} ${n}`)
        while (heard < 2 * count) if ((await stream.next()).type === 'message') heard++
        stream.leave()
        return stream.lastId
      }

      const kept = await placeBehind('kept', 2)
      await service.end('SIGTERM')
      const restore = await copyOf(database)
      service = await startService(env)
      const goesOn = await listen(kept)
      const lost = await placeBehind('lost', 4)
      assert.equal(texts(goesOn.events)[0], 'lost 0', 'a place from before a plain restart is good')
      goesOn.leave()
      await service.end('SIGTERM')
      await restore()

      service = await startService(env)
      // The log grows past the place that was lost with the rest.
      const fresh = await placeBehind('fresh', 6)
      const stale = await listen(lost)
      // First, so that a stream without a reset has something else to say.
      await agentOf(service).prompt('now')
      assert.equal((await stale.next()).type, 'reset')
      assert.equal(
        texts([await stale.nextOf('message')])[0],
        'now',
        'nothing else is told of what was missed',
      )
      assert.equal(stale.events.filter(({ type }) => type === 'reset').length, 1)
      stale.leave()
      const after = await listen(fresh)
      assert.equal(texts([await after.nextOf('message')])[0], 'now')
      after.leave()
      if (engine === 'sqlite') {
        // Events that the copy has are of the same log.
        const resumed = await listen(kept)
        assert.equal(texts([await resumed.nextOf('message')])[0], 'fresh 0')
        assert.ok(resumed.events.every(({ type }) => type !== 'reset'))
        resumed.leave()
      }
      await service.end('SIGTERM')
    } finally {
      await database.remove()
    }
  })
}

function texts(events: { type: string; message?: { content: string } }[]): string[] {
  return events.flatMap(({ type, message }) => (type === 'message' && message ? [message.content] : []))
}

/** Copies a database that nobody uses. @returns a function that puts the copy in its place */
async function copyOf({ dataDir, databaseUrl }: FreshDatabase): Promise<() => Promise<void>> {
  if (databaseUrl === null) {
    const file = join(dataDir, 'parley.db')
    const copy = join(dataDir, 'copy.db')
    await copyFile(file, copy)
    return async () => {
      for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
      await copyFile(copy, file)
    }
  }
  const name = new URL(databaseUrl).pathname.slice(1)
  const ask = async (...queries: string[]) => {
    const client = new pg.Client({ connectionString: withDatabase(databaseUrl, 'postgres') })
    await client.connect()
    for (const query of queries) await client.query(query)
    await client.end()
  }
  await ask(`create database ${name}_copy template ${name}`)
  return () => ask(`drop database ${name} with (force)`, `alter database ${name}_copy rename to ${name}`)
}
