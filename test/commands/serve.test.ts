import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createApp } from '../../src/app/create-app.ts'
import { agentsCreate } from '../../src/commands/agents.ts'
import { demo } from '../../src/commands/demo.ts'
import { keysCreate } from '../../src/commands/keys.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { engines, freshDatabase } from '../support/databases.ts'
import { startPeer } from '../support/peer.ts'
import { startProgram } from '../support/program.ts'
import { settingsOn } from '../support/service-process.ts'

/** Starts the service. */
function serve(env: Record<string, string>, words: string[] = []) {
  return startProgram(['serve', '--json', ...words], { env: { PARLEY_PORT: '0', ...env } })
}

it('a start on an empty PostgreSQL stops where SQLite data is beside it, unless that is meant', async () => {
  const database = await freshDatabase('postgres')
  const file = join(database.dataDir, 'parley.db')
  const filled = await openDatabase({ databaseUrl: null, dataDir: database.dataDir })
  await filled.migrate()
  const settings = settingsOn(database, { PARLEY_LOG_LEVEL: 'warn' })
  async function start(...words: string[]) {
    const child = await serve(settings, words)
    const [said, ended] = [text(child.stderr), once(child, 'exit')]
    await Promise.race([once(child.stdout, 'data'), ended])
    child.kill('SIGTERM')
    return { said: await said, code: (await ended)[0] }
  }
  await filled.db.insertInto('teams').values({ name: 'Own', created_at: '' }).execute()
  await filled.close()
  const refused = await start()
  assert.equal(refused.code, 2)
  const copying = `copy --from sqlite:${database.dataDir} --to settings`
  for (const part of [`${file} has data`, copying, 'serve --start-empty'])
    assert.ok(refused.said.includes(part), refused.said)
  for (const [command, options] of [
    [agentsCreate, { name: 'A' }],
    [demo, {}],
    [keysCreate, { agent: '1' }],
  ] as const)
    await assert.rejects(
      command.run({ config: readConfig(settings), positionals: [], options, print: () => {} }),
      new RegExp(copying),
      command.name,
    )
  assert.deepEqual(await start('--start-empty'), { said: '', code: 0 })
  assert.deepEqual(await start(), { said: '', code: 0 }, 'it is no longer empty')
  await database.remove()
})

it('a data directory that cannot be written is refused in one line', async () => {
  const database = await freshDatabase('sqlite')
  const file = join(database.dataDir, 'file')
  await writeFile(file, '')
  const child = await serve({ PARLEY_DATA_DIR: file })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.equal(said, `parley: PARLEY_DATA_DIR ${file} cannot be written: it is a file (EEXIST)\n`)
  assert.equal(code, 2)
  await database.remove()
})

it('a port that is taken is named in one line', async () => {
  const [database, other] = [await freshDatabase('sqlite'), await freshDatabase('sqlite')]
  await using peer = await startPeer()
  const child = await serve(
    settingsOn(database, { PARLEY_PORT: String(peer.port), PARLEY_LOG_LEVEL: 'warn' }),
  )
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const line = `PARLEY_PORT ${peer.port} of 127.0.0.1 is taken by another program: set another one`
  assert.equal(said, `parley: ${line}\n`)
  assert.equal(code, 1)
  const elsewhere = await serve(settingsOn(other, { PARLEY_HOST: '192.0.2.1', PARLEY_LOG_LEVEL: 'warn' }))
  const [saidElsewhere] = await Promise.all([text(elsewhere.stderr), once(elsewhere, 'exit')])
  assert.equal(saidElsewhere, 'parley: PARLEY_HOST 192.0.2.1 is no address of this machine\n')
  await Promise.all([database.remove(), other.remove()])
})

for (const engine of engines)
  it(`nobody is answered before the credentials are shown, on ${engine}`, async () => {
    const database = await freshDatabase(engine)
    const config = readConfig(settingsOn(database, { PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' }))
    const app = await createApp(await openFoundation(config))
    const order: string[] = []
    let asking: Promise<unknown> | undefined
    await app.listen(async (address) => {
      asking = fetch(`${address}/healthz`).then(() => order.push('answered'))
      // Time enough for an answer.
      await wait(200)
      order.push('shown')
    })
    await asking
    assert.deepEqual(order, ['shown', 'answered'])
    await app.close()
    await database.remove()
  })
