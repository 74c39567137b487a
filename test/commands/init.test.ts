import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import { listAllAgents } from '../../src/agents/agent.ts'
import { guideAgentId } from '../../src/agents/first-agent.ts'
import { selectTeam } from '../../src/agents/store.ts'
import { bySystem } from '../../src/audit/record.ts'
import { readConfig } from '../../src/config.ts'
import { readCredentialId, writeCredential } from '../../src/credentials/credential-text.ts'
import { issueFirstCredentials, makeFirstAgent } from '../../src/credentials/issue-first-credentials.ts'
import { type Foundation, openFoundation } from '../../src/foundation.ts'
import { listOperators } from '../../src/operators/find-operator.ts'
import { addFirstOperator } from '../../src/operators/first-operator.ts'
import { linksByMail } from '../../src/operators/mails/mail-link.ts'
import { ConfigError } from '../../src/settings/setting.ts'
import { engines, type FreshDatabase, readyDatabase } from '../support/databases.ts'
import { settingsOn, startService } from '../support/service-process.ts'

/** Returns the settings of a start that needs no hands. */
function init({ dataDir }: FreshDatabase, more: Record<string, string> = {}): Record<string, string> {
  return {
    PARLEY_INIT_TEAM: 'Support',
    PARLEY_INIT_AGENT: 'Helper',
    PARLEY_INIT_OWNER_EMAIL: 'Ada@example.com',
    PARLEY_INIT_API_KEY_FILE: join(dataDir, 'key'),
    PARLEY_INIT_BEARER_TOKEN_FILE: join(dataDir, 'token'),
    ...more,
  }
}

async function opened(database: FreshDatabase, more: Record<string, string> = {}): Promise<Foundation> {
  return openFoundation(readConfig(settingsOn(database, init(database, more))))
}

/** Does what the first start of a service does. */
async function firstStart(foundation: Foundation) {
  const { database, box, credentials, clock, config } = foundation
  const isNew = await makeFirstAgent(foundation)
  const mailLink = linksByMail(config.mail !== null, box)
  const first = await issueFirstCredentials(database.db, credentials, (db, teamId) =>
    addFirstOperator(db, teamId, clock(), config.init.ownerEmail, mailLink),
  )
  return { isNew, first }
}

async function contents({ dataDir }: FreshDatabase): Promise<{ key: string; token: string }> {
  const [key, token] = await Promise.all(
    ['key', 'token'].map((name) => readFile(join(dataDir, name), 'utf8')),
  )
  return { key: key ?? '', token: token ?? '' }
}

for (const engine of engines)
  describe(`a first start with PARLEY_INIT_… on ${engine}`, () => {
    it('makes the team, the agent and its credentials in files; a second one changes nothing', async () => {
      const database = await readyDatabase(engine)
      await using foundation = await opened(database)
      const { db } = foundation.database
      const { isNew, first } = await firstStart(foundation)
      assert.ok(isNew && first)
      assert.equal(first.issued, null, 'nothing is printed that files have')
      const [agent, ...others] = await listAllAgents(db)
      assert.deepEqual([agent?.name, others.length], ['Helper', 0])
      assert.equal(await guideAgentId(db), null, 'it is not the guide to the documentation')
      assert.equal((await selectTeam(db, first.teamId)).name, 'Support')
      const people = (await listOperators(db, first.teamId)).map(({ email, right }) => [email, right])
      assert.deepEqual(people, [['ada@example.com', 'own']])
      const { key, token } = await contents(database)
      const pair = await foundation.credentials.verify(key, token)
      assert.equal(pair?.agentId, first.agentId)
      assert.equal(pair?.right, 'own')
      for (const name of ['key', 'token'])
        assert.equal((await stat(join(database.dataDir, name))).mode & 0o777, 0o600)

      assert.deepEqual(await firstStart(foundation), { isNew: false, first: null })
      await using renamed = await opened(database, { PARLEY_INIT_TEAM: 'Other', PARLEY_INIT_AGENT: 'Other' })
      assert.deepEqual(await firstStart(renamed), { isNew: false, first: null })
      assert.deepEqual(await contents(database), { key, token })
      assert.equal((await listAllAgents(db)).length, 1)
      await database.remove()
    })

    it('takes credentials that the files hold, and never gives their ids again', async () => {
      const database = await readyDatabase(engine)
      const given = { key: writeCredential('key', 7), token: writeCredential('token', 1) }
      await writeFile(join(database.dataDir, 'key'), `${given.key}\n`)
      await chmod(join(database.dataDir, 'key'), 0o444)
      await writeFile(join(database.dataDir, 'token'), given.token)
      await using foundation = await opened(database)
      const { first } = await firstStart(foundation)
      assert.ok(first)
      const { credentials } = foundation
      const { db } = foundation.database
      assert.equal((await credentials.verify(given.key, given.token))?.agentId, first.agentId)
      assert.equal((await readFile(join(database.dataDir, 'key'), 'utf8')).trim(), given.key)
      const next = await credentials.issueKey(db, first.agentId, 'next', bySystem)
      assert.ok(next && next.key_id > 7)
      assert.ok(await credentials.verify(next.api_key, given.token))
      const own = { name: 'next', right: 'own', expiresAt: null } as const
      assert.ok(((await credentials.issueToken(db, first.teamId, own, bySystem))?.token_id ?? 0) > 1)
      await database.remove()
    })

    it('mails the link where there is a mail server', async () => {
      const database = await readyDatabase(engine)
      const mail = { PARLEY_SMTP_URL: 'smtp://mail.example.com', PARLEY_MAIL_FROM: 'parley@example.com' }
      await using foundation = await opened(database, mail)
      await firstStart(foundation)
      const letters = foundation.database.db.selectFrom('operator_mails').select('kind').execute()
      assert.deepEqual(await letters, [{ kind: 'invitation' }])
      await database.remove()
    })

    it('mails nobody where no owner is named', async () => {
      const database = await readyDatabase(engine)
      const mail = { PARLEY_SMTP_URL: 'smtp://mail.example.com', PARLEY_MAIL_FROM: 'parley@example.com' }
      await using foundation = await opened(database, { ...mail, PARLEY_INIT_OWNER_EMAIL: '' })
      const { first } = await firstStart(foundation)
      assert.ok(first?.joinToken)
      const letters = foundation.database.db.selectFrom('operator_mails').select('kind').execute()
      assert.deepEqual(await letters, [])
      await database.remove()
    })

    for (const [name, prepare, message] of [
      [
        'rubbish',
        (folder) => writeFile(join(folder, 'key'), 'hunter2'),
        /^PARLEY_INIT_API_KEY_FILE .*key holds something else than an API key: /,
      ],
      [
        'a token for a key',
        (folder) => writeFile(join(folder, 'key'), writeCredential('token', 1)),
        /^PARLEY_INIT_API_KEY_FILE .* holds something else than an API key/,
      ],
      [
        'an empty file',
        (folder) => writeFile(join(folder, 'token'), ''),
        /^PARLEY_INIT_BEARER_TOKEN_FILE .* holds/,
      ],
      [
        'a folder',
        (folder) => mkdir(join(folder, 'token')),
        /^PARLEY_INIT_BEARER_TOKEN_FILE .* cannot be read \(EISDIR\)/,
      ],
      [
        'a key whose secret anyone guesses',
        (folder) => writeFile(join(folder, 'key'), guessable()),
        /^PARLEY_INIT_API_KEY_FILE .* holds/,
      ],
    ] as [string, (folder: string) => Promise<unknown>, RegExp][])
      it(`refuses ${name} and makes nothing`, async () => {
        const database = await readyDatabase(engine)
        await prepare(database.dataDir)
        await using foundation = await opened(database)
        const before = await readdir(database.dataDir)
        await refused(foundation, message)
        assert.deepEqual(await readdir(database.dataDir), before)
        await database.remove()
      })

    it('refuses a path that cannot be written, makes nothing, and goes on once it can', async () => {
      const database = await readyDatabase(engine)
      const token = join(database.dataDir, 'later', 'token')
      await using foundation = await opened(database, { PARLEY_INIT_BEARER_TOKEN_FILE: token })
      await refused(foundation, /^PARLEY_INIT_BEARER_TOKEN_FILE .* cannot be written \(ENOENT\)$/)
      await assert.rejects(stat(join(database.dataDir, 'key')), { code: 'ENOENT' })
      await mkdir(join(database.dataDir, 'later'))
      const { isNew } = await firstStart(foundation)
      assert.ok(isNew)
      const key = await readFile(join(database.dataDir, 'key'), 'utf8')
      assert.ok(await foundation.credentials.verify(key, await readFile(token, 'utf8')))
      await database.remove()
    })
  })

describe('the first start of a service with PARLEY_INIT_…', () => {
  it('prints the link of the owner, and no credentials', async () => {
    const database = await readyDatabase('sqlite')
    const first = await startService(settingsOn(database, init(database)))
    const { key, token } = await contents(database)
    const headers = { 'x-api-key': key, authorization: `Bearer ${token}` }
    const answer = await fetch(`${first.url}/api/v1/agent`, { headers })
    assert.equal(((await answer.json()) as { data: { name: string } }).data.name, 'Helper')
    assert.match(first.joinUrl ?? '', /\/console\/join#/)
    assert.equal(first.credentials, null)
    await first.end('SIGTERM')
    await database.remove()
  })

  it('is refused in one line', async () => {
    const database = await readyDatabase('sqlite')
    const settings = settingsOn(database, init(database, { PARLEY_INIT_API_KEY_FILE: '/proc/x/key' }))
    const { status, stderr } = spawnSync(process.execPath, ['src/main.js', 'serve'], {
      env: { ...process.env, ...settings, PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'warn' },
      encoding: 'utf8',
    })
    assert.equal(stderr, 'parley: PARLEY_INIT_API_KEY_FILE /proc/x/key cannot be written (ENOENT)\n')
    assert.equal(status, 2)
    await database.remove()
  })
})

it('of three that start at once on postgres, one makes the team', async () => {
  const database = await readyDatabase('postgres')
  const foundations = await Promise.all([1, 2, 3].map(() => opened(database)))
  const starts = await Promise.all(foundations.map(firstStart))
  assert.deepEqual(starts.map(({ isNew }) => isNew).sort(), [false, false, true])
  assert.equal(starts.filter(({ first }) => first !== null).length, 1)
  const [foundation] = foundations
  assert.ok(foundation)
  const { db } = foundation.database
  assert.equal((await listAllAgents(db)).length, 1)
  assert.equal((await listOperators(db, 1)).length, 1)
  const { key, token } = await contents(database)
  assert.ok(await foundation.credentials.verify(key, token))
  await Promise.all(foundations.map((one) => one.close()))
  await database.remove()
})

/** Returns a key of the right form whose secret is one character over and over. */
function guessable(): string {
  const head = `parley_key_1_${'a'.repeat(43)}`
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let checksum = ''
  for (let rest = crc32(head); rest > 0; rest = Math.floor(rest / 62)) checksum = digits[rest % 62] + checksum
  const text = head + checksum.padStart(6, '0')
  assert.equal(readCredentialId('key', text), 1)
  return text
}

async function refused(foundation: Foundation, message: RegExp): Promise<void> {
  await assert.rejects(makeFirstAgent(foundation), (error: Error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, message)
    assert.ok(!/\n|hunter2/.test(error.message), 'one line without the value')
    return true
  })
  assert.deepEqual(await listAllAgents(foundation.database.db), [])
}
