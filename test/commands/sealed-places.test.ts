import assert from 'node:assert/strict'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { createApp, createLogger } from '../../src/app/create-app.ts'
import { byCommandLine } from '../../src/audit/record.ts'
import { forgetSecretsCommand } from '../../src/commands/forget-secrets.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { sealedPlaces } from '../../src/lib/secrets/sealed-places.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { bindSecrets } from '../../src/storage/bind-secrets.ts'
import { changeSealed } from '../../src/storage/change-sealed.ts'
import type { Database } from '../../src/storage/opened-database.ts'
import { resealSecrets } from '../../src/storage/reseal-secrets.ts'
import { startApp, type TestAgent, type TestApp, testAgent } from '../support/app.ts'
import { PASSWORD, signInNew } from '../support/console.ts'
import { engines, freshDatabase } from '../support/databases.ts'

const OLD = Buffer.alloc(32, 7).toString('base64')
const NEW = Buffer.alloc(32, 8).toString('base64')
const OTHER = Buffer.alloc(32, 9).toString('base64')
const SECRET = 'a long random text'
/** A plain text that looks sealed. */
const LOOKALIKE = `v1.deadbeef.${'A'.repeat(56)}`

/** Sets every secret that the API takes. */
async function setEverySecret(agent: TestAgent): Promise<void> {
  const made = async (path: string, body: object) => {
    const { status, body: answer, text } = await agent.post(path, body)
    assert.ok(status < 300, text)
    return answer.data.id as number
  }
  const url = 'http://127.0.0.1:9'
  const server = { url, api_key: SECRET }
  assert.equal(
    (
      await agent.patch('/agent', {
        model: { ...server, fallbacks: [server] },
        embedding: server,
        transcription: server,
        redaction: server,
      })
    ).status,
    200,
  )
  for (const [kind, settings] of [
    ['messenger-one', { verify_token: SECRET, app_secret: SECRET, access_token: SECRET }],
    ['messenger-two', { verify_token: SECRET, app_secret: SECRET, access_token: SECRET }],
    ['messenger-three', { channel_secret: SECRET, access_token: SECRET, destination: 'U1', api_base: url }],
    ['helpdesk', { webhook_secret: SECRET, access_token: SECRET, account_id: 1 }],
    ['telegram', { bot_token: '110201543:a-long-random-text' }],
    ['sms', { auth_token: 'a-long-random-text' }],
    [
      'email',
      {
        imap: { host: 'mail.example.com', password: SECRET },
        smtp: { host: 'mail.example.com', password: SECRET },
      },
    ],
  ] as const)
    await made('/channels', { kind, settings })
  await made('/evaluators', { name: 'E', kind: 'webhook', settings: { url, secret: SECRET } })
  const actions = [
    { type: 'tag', tag: 'x' },
    { type: 'call_webhook', url, secret: SECRET },
  ]
  await made('/automations', { name: 'A', actions })
  await made('/macros', { name: 'M', actions, shared: true })
  await made('/widgets', { name: 'W' })
  const tool = { kind: 'http', name: 'T', description: 'x', url, headers: { authorization: SECRET } }
  await made('/tools', tool)
  const notification = await made('/notifications', { name: 'N', url, secret: SECRET, events: ['error'] })
  assert.equal((await agent.post(`/notifications/${notification}/rotate-secret`, {})).status, 200)
}

/** Has a person turn a second factor on, and another one prepare it and ask for the key of pushes. */
async function setSecretsOfPeople(service: TestApp): Promise<void> {
  const { teamId } = service.agent
  const [one, other] = [
    await signInNew(service, { teamId, right: 'read' }),
    await signInNew(service, { teamId, right: 'read' }),
  ]
  await other.call('POST', '/two-factor', { present: PASSWORD })
  assert.equal((await other.call('GET', '/notices/push')).status, 200)
  const { secret } = (await one.call('POST', '/two-factor', { present: PASSWORD })).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  assert.equal((await one.call('PUT', '/two-factor', { present: PASSWORD, code })).status, 200)
}

/** Every sealed text in any column of any table, by its place with `*` for ids and indexes. */
async function findSealed({ db }: Pick<Database, 'db'>): Promise<{ place: string; text: string }[]> {
  const found: { place: string; text: string }[] = []
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    for (const row of rows) {
      const id = name === 'installation' ? row.name : '*'
      for (const [column, value] of Object.entries(row)) {
        const isJson = typeof value === 'string' && /^[{[]/.test(value)
        visit(isJson ? JSON.parse(value) : value, `${name}|${id}|${column}`)
      }
    }
  }
  function visit(value: unknown, place: string): void {
    if (typeof value === 'string' && /^v1\.[0-9a-f]{8}\./.test(value) && value !== LOOKALIKE)
      found.push({ place, text: value })
    else if (Array.isArray(value)) for (const item of value) visit(item, `${place}.*`)
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) visit(item, `${place}.${name}`)
  }
  return found
}

for (const engine of engines)
  describe(`sealed secrets on ${engine}`, () => {
    it('are at the places listed, each of which is used, and a rotation reaches all', async () => {
      await using service = await startApp(engine, {
        PARLEY_MASTER_KEY: OLD,
        // Nobody listens there, so that the mail stays.
        PARLEY_SMTP_URL: 'smtp://127.0.0.1:9',
        PARLEY_MAIL_FROM: 'parley@example.com',
      })
      await setEverySecret(service.agent)
      await setSecretsOfPeople(service)
      await service.agent.post('/operators', { email: 'ada@example.com', right: 'read' })
      const { database } = service.app.foundation
      const before = await findSealed(database)
      assert.deepEqual(
        [...new Set(before.map(({ place }) => place))].toSorted(),
        Object.keys(sealedPlaces).toSorted(),
      )

      const box = createSecretBox(NEW, OLD)
      assert.deepEqual(await resealSecrets(database.db, box), { resealed: before.length, unopened: [] })
      const after = await findSealed(database)
      assert.equal(after.length, before.length)
      assert.ok(after.every(({ text }) => box.isCurrent(text)))
      assert.deepEqual(await resealSecrets(database.db, createSecretBox(NEW)), { resealed: 0, unopened: [] })
    })

    it('that nothing opens any more are listed, and forgotten when that is meant: all of them, and all credentials', async () => {
      await using service = await startApp(engine, {
        PARLEY_MASTER_KEY: OLD,
        PARLEY_SMTP_URL: 'smtp://127.0.0.1:9',
        PARLEY_MAIL_FROM: 'parley@example.com',
      })
      await setEverySecret(service.agent)
      await setSecretsOfPeople(service)
      const { database, config } = service.app.foundation
      const before = await findSealed(database)
      async function forget(options: { yes?: boolean }) {
        const printed: { unopened: string[]; forgotten: boolean }[] = []
        const print = (answer: unknown) => void printed.push(answer as (typeof printed)[number])
        const masterKey = NEW
        await forgetSecretsCommand.run({ config: { ...config, masterKey }, positionals: [], options, print })
        return printed[0]
      }
      const listed = await forget({})
      assert.deepEqual([listed?.unopened.length, listed?.forgotten], [before.length, false])
      assert.deepEqual(await findSealed(database), before, 'nothing is changed')
      assert.deepEqual(await forget({ yes: true }), { ...listed, forgotten: true })
      assert.deepEqual((await forget({}))?.unopened, [])
      const foundation = await openFoundation({ ...config, masterKey: NEW, port: 0 })
      const app = await createApp(foundation, createLogger(config))
      try {
        const url = `${await app.listen()}/api/v1`
        const { agentId, teamId } = service.agent
        assert.equal((await testAgent(url, service.agent).get('/agent')).status, 403)
        const { key, token } = await database.db.transaction().execute(async (db) => ({
          key: await foundation.credentials.issueKey(db, agentId, 'new', byCommandLine),
          token: await foundation.credentials.issueToken(
            db,
            teamId,
            { name: 'new', right: 'own', expiresAt: null },
            byCommandLine,
          ),
        }))
        assert.ok(key && token)
        const agent = testAgent(url, {
          agentId,
          teamId,
          apiKey: key.api_key,
          bearerToken: token.bearer_token,
        })
        for (const path of ['/agent', '/channels', '/evaluators', '/automations', '/tools', '/notifications'])
          assert.equal((await agent.get(path)).status, 200, path)
        const box = createSecretBox(NEW)
        assert.ok((await findSealed(database)).every(({ text }) => box.isCurrent(text)))
      } finally {
        await app.close()
      }
    })

    it('are no texts that look sealed: these stay as they are', async () => {
      await using service = await startApp(engine, { PARLEY_MASTER_KEY: OLD })
      const { agent } = service
      const cta = { name: LOOKALIKE, content: LOOKALIKE }
      const { id } = (await agent.post('/ctas', cta)).body.data
      await agent.patch('/agent', { greeting: LOOKALIKE, model: { name: LOOKALIKE } })
      const { resealed, unopened } = await resealSecrets(
        service.app.foundation.database.db,
        createSecretBox(NEW, OLD),
      )
      assert.ok(resealed > 0)
      assert.deepEqual(unopened, [])
      const { name, content } = (await agent.get(`/ctas/${id}`)).body.data
      assert.deepEqual({ name, content }, cta)
      assert.equal((await agent.get('/agent')).body.data.greeting, LOOKALIKE)
    })

    it('of a version without origins open for nothing until they are bound to the addresses beside them', async () => {
      await using service = await startApp(engine, { PARLEY_MASTER_KEY: OLD })
      const { agent } = service
      const { database, box } = service.app.foundation
      await setEverySecret(agent)
      const shown = async () => [
        (await agent.get('/agent')).body.data,
        ...(await Promise.all(
          ['/channels', '/evaluators', '/automations', '/tools'].map(async (path) => {
            const { data } = (await agent.get(path)).body
            // What the connection of a channel meets meanwhile depends on when it is tried.
            return data.map((row: object) => ({ ...row, updated_at: 0, connection: 0, activity: 0 }))
          }),
        )),
      ]
      const before = await shown()
      const unmarked = await changeSealed(database.db, ({ sealed, address }) =>
        address === undefined ? sealed : sealed.split('.').slice(0, 3).join('.'),
      )
      assert.ok(unmarked.changed > 0)
      const { last_four } = (await agent.get('/agent')).body.data.model.api_key
      assert.equal(last_four, null)
      assert.equal(await bindSecrets(database.db, box), unmarked.changed)
      assert.deepEqual(await shown(), before)
      assert.equal(await bindSecrets(database.db, box), 0)
    })

    it('of a key that is not at hand are named; the others are sealed anew, and a further run goes on', async () => {
      await using service = await startApp(engine, { PARLEY_MASTER_KEY: OLD })
      const { db } = service.app.foundation.database
      await setEverySecret(service.agent)
      const [row] = await db.selectFrom('evaluators').selectAll().execute()
      assert.ok(row)
      const place = `evaluators|${row.id}|settings.secret` as const
      const { url } = JSON.parse(row.settings)
      const settings = {
        ...JSON.parse(row.settings),
        secret: createSecretBox(OTHER).sealFor(url, SECRET, place),
      }
      await db
        .updateTable('evaluators')
        .set({ settings: JSON.stringify(settings) })
        .execute()
      const all = (await findSealed(service.app.foundation.database)).length

      const first = await resealSecrets(db, createSecretBox(NEW, OLD))
      assert.deepEqual(first, { resealed: all - 1, unopened: [place] })
      const second = await resealSecrets(db, createSecretBox(NEW, OTHER))
      assert.deepEqual(second, { resealed: 1, unopened: [] })
      assert.throws(() => createSecretBox(NEW).openFor(url, settings.secret, place), {
        message: new RegExp(`evaluators\\|${row.id}\\|settings`),
      })
    })

    it('of more rows than a batch are all reached, also when they change meanwhile', async () => {
      await using service = await startApp(engine, { PARLEY_MASTER_KEY: OLD })
      const { db } = service.app.foundation.database
      const { agent } = service
      const { id } = (
        await agent.post('/notifications', { name: 'N', url: 'http://127.0.0.1:9', events: ['error'] })
      ).body.data
      const template = await db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow()
      const old = createSecretBox(OLD)
      const rows = Array.from({ length: 450 }, (_, index) => {
        const own = id + 1 + index
        return {
          ...template,
          id: own,
          secret: old.sealFor(template.url, SECRET, `notifications|${own}|secret`),
        }
      })
      await db.insertInto('notifications').values(rows).execute()
      const box = createSecretBox(NEW, OLD)
      const rotating = resealSecrets(db, box)
      await Promise.all(
        rows.slice(0, 50).map((row) =>
          db
            .updateTable('notifications')
            .set({ secret: old.sealFor(row.url, 'changed', `notifications|${row.id}|secret`) })
            .where('id', '=', row.id)
            .execute(),
        ),
      )
      const { unopened } = await rotating
      await resealSecrets(db, box)
      assert.deepEqual(unopened, [])
      const now = await db.selectFrom('notifications').select(['id', 'secret']).execute()
      const fresh = createSecretBox(NEW)
      for (const { id, secret } of now) {
        const isChanged = rows.slice(0, 50).some((row) => row.id === id)
        const opened = fresh.openFor(template.url, secret, `notifications|${id}|secret`)
        if (isChanged) assert.equal(opened, 'changed')
      }
      assert.equal(now.length, 451)
    })
  })

describe('forget-secrets in a data directory', () => {
  const forget = (dataDir: string) =>
    forgetSecretsCommand.run({
      config: readConfig({ PARLEY_DATA_DIR: dataDir }),
      positionals: [],
      options: { yes: true },
      print: () => {},
    })

  it('forgets nothing while there is a master key, even one that cannot be read', async () => {
    const { dataDir, remove } = await freshDatabase('sqlite')
    const config = readConfig({ PARLEY_DATA_DIR: dataDir })
    const stored = async () => {
      await using foundation = await openFoundation(config)
      return foundation.database.db.selectFrom('installation').selectAll().orderBy('name').execute()
    }
    const before = await stored()
    const key = join(dataDir, 'master.key')
    await chmod(key, 0o644)
    await assert.rejects(forget(dataDir), /every user of this machine may read/)
    await chmod(key, 0o600)
    assert.deepEqual(await stored(), before)
    await remove()
  })

  it('makes no database where there is none', async () => {
    const { dataDir, remove } = await freshDatabase('sqlite')
    await assert.rejects(forget(dataDir), /there is no database in/)
    await remove()
  })
})
