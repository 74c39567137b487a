import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { createApp, createLogger } from '../../src/app/create-app.ts'
import { backup } from '../../src/commands/backup.ts'
import type { Command, CommandInput } from '../../src/commands/command.ts'
import { restore } from '../../src/commands/restore.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { HOUR_MS } from '../../src/lib/clock.ts'
import { OWN_VERSION } from '../../src/lib/own-version.ts'
import { sealBackup } from '../../src/storage/backup-seal.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import { startApp, type TestApp, testAgent } from '../support/app.ts'
import { engines, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { hasPostgresTools } from '../support/postgres-tools.ts'
import { agentOf, factsOf, releasedDatabase, releases } from '../support/releases.ts'
import { settingsOn } from '../support/service-process.ts'

/** Runs a command in this process; returns what it prints with --json. */
async function run(
  command: Command,
  env: Record<string, string>,
  file: string,
  options: CommandInput['options'] = {},
) {
  const printed: Record<string, unknown>[] = []
  const print: CommandInput['print'] = (answer) => void printed.push(answer as Record<string, unknown>)
  assert.equal(await command.run({ config: readConfig(env), positionals: [file], options, print }), 0)
  return printed[0] as Record<string, unknown>
}

for (const engine of engines)
  describe(`backup and restore on ${engine}`, {
    skip: engine === 'postgres' && !hasPostgresTools && 'no pg_dump',
  }, () => {
    let service: TestApp
    let settings: Record<string, string>
    let folder: string
    let file: string
    const acknowledged: string[] = []

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
      file = join(folder, 'parley.backup')
      service = await startApp(engine)
      settings = settingsOn(placeOf(service))
      for (let n = 0; n < 3; n++) acknowledged.push((await service.agent.prompt(`Before ${n}`)).id)
      let isOver = false
      const load = (async () => {
        while (!isOver) await service.agent.prompt('Meanwhile')
      })()
      await run(backup, settings, file, { 'with-key': `${file}.key` })
      isOver = true
      await load
      await service.app.close()
    })
    after(async () => {
      await service.close()
      await rm(folder, { recursive: true })
    })

    const placeOf = ({ app }: TestApp) => app.foundation.config
    const elsewhere = async (test: (target: FreshDatabase) => Promise<void>) => {
      const target = await freshDatabase(engine)
      await emptied(target)
      await test(target).finally(target.remove)
    }

    it('a drill: elsewhere, all that was acknowledged before is there, and the service goes on', () =>
      elsewhere(async (target) => {
        const key = engine === 'sqlite' ? { key: `${file}.key` } : {}
        const restored = await run(restore, settingsOn(target), file, key)
        assert.deepEqual([restored.restored, restored.key_opens], [true, true])
        const env = { ...settingsOn(target), PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' }
        if (engine === 'sqlite') Reflect.deleteProperty(env, 'PARLEY_MASTER_KEY')
        const config = readConfig(env)
        const app = await createApp(await openFoundation(config), createLogger(config))
        const agent = testAgent(`${await app.listen()}/api/v1`, service.agent)
        for (const id of acknowledged) assert.equal((await agent.get(`/chat/completions/${id}`)).status, 200)
        await agent.prompt('After')
        await app.close()
        await assert.rejects(run(restore, settingsOn(target), file), /is there already|has tables already/)
      }))

    it('--verify reads all of it and tries the key, and restores nothing', () =>
      elsewhere(async (target) => {
        const read = await run(restore, settingsOn(target), file, { verify: true })
        assert.deepEqual([read.restored, read.key_opens], [false, true])
        assert.ok(Number(read.rows) > 10)
        const other = settingsOn(target, { PARLEY_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') })
        for (const options of [{ verify: true }, {}])
          await assert.rejects(run(restore, other, file, options), /another master key/)
        await assertEmpty(target)
      }))

    it('a changed byte is found wherever it is', async () => {
      const bad = join(folder, 'bad')
      const bytes = await readFile(file)
      const ofSeal = Array.from({ length: 160 }, (_, at) => bytes.length - 1 - at)
      const anywhere = Array.from({ length: 100 }, () => randomInt(bytes.length))
      await writeFile(bad, bytes)
      using changed = openedForWriting(bad)
      for (const place of [...ofSeal, ...anywhere]) {
        const was = bytes.readUInt8(place)
        const is = was ^ randomInt(1, 256)
        changed.write(place, is)
        await assert.rejects(
          run(restore, settings, bad, { verify: true }),
          /bad is (damaged or cut off|no backup)/,
          `byte ${place} of ${bytes.length}: ${was} became ${is}`,
        )
        changed.write(place, was)
      }
      assert.equal((await run(restore, settings, bad, { verify: true })).version, OWN_VERSION)
      await rm(bad)
    })

    it('is noted by the time of the database, as receipts are', {
      skip: engine === 'sqlite' && 'there the clocks are one',
    }, async (context) => {
      const now = Date.now()
      context.mock.timers.enable({ apis: ['Date'], now: now + HOUR_MS })
      const ahead = join(folder, 'ahead')
      await run(backup, settings, ahead)
      context.mock.timers.reset()
      await rm(ahead)
      const [noted] = await query(placeOf(service), 'select max(at) as at from backups')
      assert.ok(Math.abs(Date.parse((noted as { at: string }).at) - now) < HOUR_MS / 2)
    })

    it('one of a newer version is refused, with both versions, and nothing of it is left', () =>
      elsewhere(async (target) => {
        await query(placeOf(service), "insert into schema_migrations values ('9999-later', '')")
        const newer = join(folder, 'newer')
        await dumpOf(placeOf(service), newer)
        const refuse = async (reason: RegExp) => {
          for (const options of [{ verify: true }, {}])
            await assert.rejects(run(restore, settingsOn(target), newer, options), reason)
        }
        const own = OWN_VERSION.replaceAll('.', '\\.')
        await refuse(new RegExp(`a newer version of Parley, and this is ${own}, .* migration 9999-later`))
        await sealBackup(newer, '9.8.7')
        await refuse(new RegExp(`version 9\\.8\\.7 of Parley, and this is ${own}, .* migration 9999-later`))
        await assertEmpty(target)
        await query(placeOf(service), "delete from schema_migrations where name = '9999-later'")
        await rm(newer)
      }))

    for (const release of releases)
      it(`one of version ${release} is restored, brought up to date by its first start, and goes on`, () =>
        elsewhere(async (target) => {
          const facts = factsOf(release, engine)
          const source = await releasedDatabase(release, engine)
          const older = join(folder, 'older')
          await dumpOf(source, older)
          await source.remove()
          const restored = await run(restore, settingsOn(target), older)
          assert.deepEqual([restored.restored, restored.version], [true, null], 'it has no checksum')
          const config = readConfig(settingsOn(target, { PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent' }))
          const app = await createApp(await openFoundation(config), createLogger(config))
          const agent = agentOf(facts, await app.listen())
          assert.equal((await agent.get(`/chat/completions/${facts.kept}`)).status, 200)
          await agent.prompt('How do I return a lamp?', { external_id: 'kept' })
          await app.close()
          await rm(older)
        }))

    it('a damaged, cut-off, foreign or newer file is refused, and nothing of it is left', () =>
      elsewhere(async (target) => {
        const bad = join(folder, 'bad')
        const refuse = async (reason: RegExp) => {
          for (const options of [{ verify: true }, {}])
            await assert.rejects(run(restore, settingsOn(target), bad, options), reason)
          await rm(bad)
        }
        const { size } = await stat(file)
        for (const left of [size - 1, Math.floor(size / 2)]) {
          await copyFile(file, bad)
          await truncate(bad, left)
          await refuse(/bad is damaged or cut off/)
        }
        const bytes = await readFile(file)
        bytes.fill(0xa5, Math.floor(size / 2), Math.floor(size / 2) + 5000)
        await writeFile(bad, bytes)
        await refuse(/bad is damaged or cut off/)
        await writeFile(bad, 'something else')
        await refuse(/is no backup of Parley/)
        await assert.rejects(run(restore, settingsOn(target), join(folder, 'missing')), /ENOENT/)
        await assertEmpty(target)
      }))

    it(
      'a PostgreSQL database with any table is refused, and keeps it',
      {
        skip: engine === 'sqlite',
      },
      () =>
        elsewhere(async (target) => {
          // Parley has a table of this name as well.
          await query(target, 'create table conversations as select 7 as id')
          await assert.rejects(
            run(restore, settingsOn(target), file),
            /such as public.conversations: restore into a new/,
          )
          assert.deepEqual(await query(target, 'select id from conversations'), [{ id: 7 }])
        }),
    )

    it('a key of the settings stays there: nothing writes it beside the data', () =>
      elsewhere(async (target) => {
        await run(restore, settingsOn(target), file)
        assert.equal(existsSync(join(target.dataDir, 'master.key')), false)
      }))

    it('what exists is not written over, and nothing partial is left', async () => {
      await assert.rejects(run(backup, settings, file, { 'with-key': `${file}.other` }), /already exists/)
      assert.ok(!existsSync(`${file}.other`), 'no key without its backup')
      await assert.rejects(run(backup, settings, file, { 'with-key': file }), /names the file of the backup/)
      assert.deepEqual(readdirSync(folder).sort(), ['parley.backup', 'parley.backup.key'])
      for (const name of readdirSync(folder))
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
    })
  })

/** Writes what a backup holds before its seal, as older versions and `pg_dump` do. */
async function dumpOf(place: DatabasePlace, file: string): Promise<void> {
  await writeFile(file, '')
  const { engine, close } = await openDatabase(place)
  await engine.backup(file).finally(close)
}

function openedForWriting(file: string) {
  const opened = openSync(file, 'r+')
  return {
    write: (place: number, byte: number) => writeSync(opened, Buffer.of(byte), 0, 1, place),
    [Symbol.dispose]: () => closeSync(opened),
  }
}

async function assertEmpty(target: FreshDatabase): Promise<void> {
  if (target.databaseUrl === null)
    return assert.deepEqual(
      readdirSync(target.dataDir).filter((name) => name !== 'serving.lock'),
      [],
    )
  const { db, close } = await openDatabase(target)
  assert.deepEqual(await db.introspection.getTables(), [])
  await close()
}

/** Takes the schema out of a database that has it from the start. */
async function emptied(target: FreshDatabase): Promise<void> {
  if (target.databaseUrl === null) return
  await query(target, 'drop schema public cascade')
  await query(target, 'create schema public')
}

async function query(target: DatabasePlace, text: string): Promise<unknown[]> {
  const { db, close } = await openDatabase(target)
  const { rows } = await sql.raw(text).execute(db)
  await close()
  return rows
}
