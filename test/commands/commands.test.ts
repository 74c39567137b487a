import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { startPeer } from '../support/peer.ts'
import { programFiles, runProgram } from '../support/program.ts'
import { startS3Peer } from '../support/s3-peer.ts'
import {
  databaseWithAgent,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { startTranscriptionServer } from '../support/transcription-server.ts'

const SKEWED_CLOCK = fileURLToPath(new URL('../support/skewed-clock.ts', import.meta.url))

describe('the command line, beside a running service', () => {
  let database: FreshDatabase
  let service: ServiceProcess
  let mail: MailServer

  before(async () => {
    mail = await startMailServer()
    database = await databaseWithAgent('sqlite')
    service = await startService({
      PARLEY_DATA_DIR: database.dataDir,
      PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
      ...mail.env,
    })
  })
  after(async () => {
    await service.end('SIGTERM')
    await database.remove()
    await mail.close()
  })

  const parley = (
    words: string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ) => runProgram(words, { input, env: { PARLEY_DATA_DIR: database.dataDir, ...env } })
  const json = async (...words: string[]) => {
    const { out, err, code } = await parley([...words, '--json'])
    assert.equal(code, 0, err)
    return JSON.parse(out)
  }
  const status = async (apiKey: string, token: string) => {
    const headers = { 'x-api-key': apiKey, authorization: `Bearer ${token}` }
    return (await fetch(`${service.url}/api/v1/agent`, { headers })).status
  }

  it('agents create: an agent with credentials that work at once; a named team is used', async () => {
    const made = await json('agents', 'create', '--name', 'Shop')
    assert.deepEqual(Object.keys(made), ['team_id', 'agent_id', 'api_key', 'bearer_token'])
    assert.equal(await status(made.api_key, made.bearer_token), 200)
    const sibling = await json('agents', 'create', '--name', 'Sibling', '--team', String(made.team_id))
    assert.equal(sibling.team_id, made.team_id)
    assert.equal(await status(sibling.api_key, made.bearer_token), 200)
    const listed = await json('agents', 'list')
    assert.ok(listed.some(({ agent_id }: { agent_id: number }) => agent_id === sibling.agent_id))
  })

  it('keys and tokens: made, listed without their secrets, revoked at once', async () => {
    const agent = await json('agents', 'create', '--name', 'Keys')
    const key = await json('keys', 'create', '--agent', String(agent.agent_id), '--name', 'second')
    const token = await json('tokens', 'create', '--team', String(agent.team_id), '--expires', '90d')
    assert.deepEqual(
      [Object.keys(key), Object.keys(token)],
      [
        ['key_id', 'api_key'],
        ['token_id', 'bearer_token'],
      ],
    )
    assert.equal(await status(key.api_key, token.bearer_token), 200)
    const keys = await json('keys', 'list', '--agent', String(agent.agent_id))
    assert.equal(keys.length, 2)
    assert.ok(!JSON.stringify(keys).includes('parley_key_'))
    await json('keys', 'revoke', String(key.key_id))
    assert.equal(await status(key.api_key, token.bearer_token), 403)
    assert.equal(await status(agent.api_key, token.bearer_token), 200)
    await json('tokens', 'revoke', String(token.token_id))
    assert.equal(await status(agent.api_key, token.bearer_token), 403)
    for (const time of ['12h', '30m'])
      await json('tokens', 'create', '--team', String(agent.team_id), '--expires', time)
    const tokens = await json('tokens', 'list', '--team', String(agent.team_id))
    assert.equal(tokens.filter(({ revoked_at }: { revoked_at: string | null }) => revoked_at).length, 1)
    const minutes = tokens.map(
      ({ created_at, expires_at }: { created_at: string; expires_at: string | null }) =>
        expires_at && Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 60_000),
    )
    assert.deepEqual(new Set(minutes), new Set([null, 90 * 24 * 60, 12 * 60, 30]))
  })

  it('a token has the right that is named, and may manage where none is; those of a new agent have every right', async () => {
    const { team_id } = await json('agents', 'create', '--name', 'Rights')
    const team = String(team_id)
    await json('tokens', 'create', '--team', team)
    for (const right of ['chat', 'read', 'respond', 'own'])
      await json('tokens', 'create', '--team', team, '--right', right)
    const listed = await json('tokens', 'list', '--team', team)
    assert.deepEqual(
      listed.map(({ right }: { right: string }) => right),
      ['own', 'manage', 'chat', 'read', 'respond', 'own'],
    )
    const wrong = await parley(['tokens', 'create', '--team', team, '--right', 'everything'])
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /chat, read, respond, manage, own/)
  })

  it('what is stored is printed without anything that a terminal obeys, and forges no line or column', async () => {
    const name = 'A\u001b]0;owned\u0007\u009b2J\u202e\u007f\r\n1\tteam 1\tforged'
    const { agent_id, team_id } = await json('agents', 'create', '--name', name)
    await json('keys', 'create', '--agent', String(agent_id), '--name', name)
    await json('tokens', 'create', '--team', String(team_id), '--name', name)
    for (const [words, rows] of [
      [['agents', 'list'], null],
      [['keys', 'list', '--agent', String(agent_id)], 2],
      [['tokens', 'list', '--team', String(team_id)], 2],
      [['agents', 'create', '--name', name], null],
      [['knowledge', 'add', name, '--agent', String(agent_id)], null],
    ] as const) {
      for (const more of [[], ['--json']]) {
        const { out, err } = await parley([...words, ...more])
        assert.doesNotMatch(out + err, /[^\P{Cc}\n\t]|\u202e/u, words.join(' '))
        assert.ok(!out.includes('\n1\tteam 1\tforged'))
        if (rows && more.length === 0) assert.equal(out.trimEnd().split('\n').length, rows)
      }
    }
    const listed = (await json('agents', 'list')) as { agent_id: number; name: string }[]
    assert.equal(listed.find((agent) => agent.agent_id === agent_id)?.name, name, 'JSON reads as it was')
  })

  it('keys and tokens: of no agent or team there is no list, however large its number', async () => {
    for (const id of ['999', '3000000000', '999999999999999']) {
      const keys = await parley(['keys', 'list', '--agent', id])
      assert.deepEqual([keys.code, keys.out, keys.err], [2, '', `parley: there is no agent ${id}\n`])
      const tokens = await parley(['tokens', 'list', '--team', id])
      assert.deepEqual([tokens.code, tokens.out, tokens.err], [2, '', `parley: there is no team ${id}\n`])
    }
  })

  it('operators invite and reset: the service mails the links, when the command knows of a mail server', async () => {
    const email = 'mailed@example.com'
    const words = ['operators', 'invite', email, '--team', '1', '--right', 'read', '--json']
    const invited = JSON.parse((await parley(words, { env: mail.env })).out)
    await mail.until(1)
    assert.equal(mail.letters[0]?.to, email)
    const [, token = '#'] = invited.join_url.split('#')
    assert.ok(mail.letters[0]?.text.includes(token))
    await json('operators', 'reset', String(invited.operator_id))
    await parley(['operators', 'reset', String(invited.operator_id)], { env: mail.env })
    await mail.until(2)
    assert.match(mail.letters[1]?.raw ?? '', /^Subject: Choose a new password/m)
  })

  it('migrate, doctor, openapi, compact, backup', async () => {
    assert.deepEqual(await json('migrate'), { applied: [], remaining: [] })
    const { ok, findings } = await json('doctor')
    assert.equal(ok, true)
    assert.deepEqual(
      findings.map(({ check }: { check: string }) => check),
      [
        'settings',
        'service',
        'public address',
        'database',
        'clock',
        'work',
        'files',
        'model',
        'transcription',
        'channels',
        'single sign-on',
        'mail',
      ],
    )
    assert.deepEqual(
      findings
        .filter(({ state }: { state: string }) => state === 'absent')
        .map(({ check }: { check: string }) => check),
      ['service', 'public address', 'files', 'model', 'transcription', 'channels', 'single sign-on', 'mail'],
    )
    const dataDir = join(database.dataDir, 'of nobody')
    const { out } = await parley(['openapi'], { env: { PARLEY_DATA_DIR: dataDir } })
    assert.equal(JSON.parse(out).openapi, '3.1.0')
    await assert.rejects(stat(dataDir), { code: 'ENOENT' })
    assert.deepEqual(await json('compact'), { compacted: true })
    const file = join(database.dataDir, 'copy.db')
    assert.equal((await json('backup', file)).file, file)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await parley(['backup', file])).code, 1)
  })

  it('migrate and doctor make no database where there is none', async () => {
    const dataDir = join(database.dataDir, 'mistyped')
    const env = { PARLEY_DATA_DIR: dataDir }
    for (const name of ['migrate', 'doctor']) {
      const { code, out, err } = await parley([name], { env })
      assert.equal(code, 1, name)
      assert.match(out + err, /there is no database in .*mistyped: the first start creates it/, name)
    }
    await assert.rejects(stat(dataDir), { code: 'ENOENT' })
  })

  it('doctor: fails when the model server cannot be reached', async () => {
    const { code, out } = await parley(['doctor'], { env: { PARLEY_MODEL_URL: 'http://127.0.0.1:9/v1' } })
    assert.equal(code, 1)
    assert.match(out, /FAILED +model/)
  })

  describe('doctor', () => {
    const SECRET = 'sk-hunter2-hunter2'
    let model: ModelServer
    before(async () => {
      model = await startModelServer()
    })
    after(() => model.close())

    async function finding(check: string, env: Record<string, string>) {
      const { out } = await parley(['doctor', '--json'], { env })
      assert.ok(!out.includes('hunter2'), out)
      const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; detail: string }[] }
      const found = findings.find((finding) => finding.check === check)
      return `${found?.ok} ${found?.detail}`
    }
    const ofModel = (env: Record<string, string>) =>
      finding('model', { PARLEY_MODEL_URL: model.url, PARLEY_MODEL_API_KEY: SECRET, ...env })

    it('refuses a clock that differs from that of the database by seconds', async (t) => {
      const fresh = await freshDatabase('postgres')
      t.after(() => fresh.remove())
      const clockAhead = (skewMs: number) =>
        finding(
          'clock',
          settingsOn(fresh, { SKEW_MS: `${skewMs}`, NODE_OPTIONS: `--import ${SKEWED_CLOCK}` }),
        )
      assert.match(await clockAhead(0), /^true .*, the database agrees$/)
      assert.equal(
        await clockAhead(60_000),
        "false the clock of this machine is 60 s ahead of the database's",
      )
      assert.equal(await clockAhead(-60_000), "false the clock of this machine is 60 s behind the database's")
    })

    it('writes to the store of files, and names what it answers', async () => {
      await using store = await startS3Peer()
      const ofFiles = (env: Record<string, string>) => finding('files', { ...store.settings, ...env })
      assert.equal(await ofFiles({}), 'true the store takes, returns and removes them')
      assert.equal(store.objects.size, 0)
      assert.equal(
        await ofFiles({ PARLEY_FILES_SECRET: SECRET }),
        'false the store of files answered 403 SignatureDoesNotMatch',
      )
      store.inPlace = (_, response) => response.destroy() !== undefined
      assert.match(await ofFiles({}), /^false the store of files could not be reached: /)
    })

    it('asks the identity provider and the mail server whether they work, and says nothing of their secrets', async () => {
      await using idp = await startIdentityProvider('http://127.0.0.1:1/console/api/oidc/callback')
      const signOn = (env: Record<string, string>) => finding('single sign-on', { ...idp.env, ...env })
      assert.equal(await signOn({}), `true ${idp.issuer} answers`)
      const down = { PARLEY_OIDC_ISSUER: 'http://127.0.0.1:9' }
      assert.equal(await signOn(down), 'false http://127.0.0.1:9 does not answer')
      const other = { PARLEY_OIDC_ISSUER: `${idp.issuer}/other` }
      assert.match(await signOn(other), /^false .* does not describe itself/)
      const team = { PARLEY_OIDC_DOMAINS: 'example.com', PARLEY_OIDC_TEAM: '999' }
      assert.equal(await signOn(team), 'false there is no team 999, which PARLEY_OIDC_TEAM names')

      await using mail = await startMailServer()
      const { host } = new URL(mail.url)
      const ofMail = () => finding('mail', mail.env)
      assert.equal(await ofMail(), `true ${host} takes mail from Parley <parley@example.com>`)
      mail.mood = 'distrusts'
      assert.equal(
        await ofMail(),
        'false the mail server cannot be used: it refuses the user name or the password with reply 535',
      )
      await mail.close()
      assert.equal(await ofMail(), 'false the mail server cannot be used: it cannot be reached')
    })

    it('takes a model that its server lists, and one that answers without being listed', async () => {
      assert.match(await ofModel({ PARLEY_MODEL: 'test-model' }), /^true the server lists test-model/)
      assert.equal(model.requests.length, 0)
      assert.match(await ofModel({ PARLEY_MODEL: 'alias' }), /^true alias answers/)
      assert.deepEqual(model.requests[0]?.body.max_tokens, 1)
    })

    it('says what a server says of a wrong name or key, and what it lists', async () => {
      const message = `The model \`wrong\` does not exist for ${SECRET}`
      const body = JSON.stringify({ error: { message, code: 'model_not_found' } })
      model.answer = { status: 404, raw: { body, content_type: 'application/json' } }
      assert.equal(
        await ofModel({ PARLEY_MODEL: 'wrong' }),
        'false The model server answered with status 404: model_not_found, The model `wrong` does not exist for [key]; it lists test-model',
      )
      model.reset()
      await using refusing = await startPeer((response) => {
        response
          .writeHead(401)
          .end(JSON.stringify({ error: { message: `Bad key ${SECRET}`, code: 'invalid_api_key' } }))
      })
      assert.equal(
        await ofModel({ PARLEY_MODEL_URL: refusing.url }),
        'false the model server refuses the key (status 401): invalid_api_key, Bad key [key]',
      )
    })

    it('says which kind a server is that is asked as another', async () => {
      assert.match(
        await ofModel({ PARLEY_MODEL_KIND: 'gemini', PARLEY_MODEL: 'alias' }),
        /^false .*status 404.*; it is a server of the kind openai: set PARLEY_MODEL_KIND or model\.kind$/,
      )
    })

    it('takes no address for a model server that is none, or Parley itself', async () => {
      await using nothing = await startPeer((response) => response.writeHead(404).end('<h1>Not Found</h1>'))
      assert.match(await ofModel({ PARLEY_MODEL_URL: nothing.url }), /^false .*status 404: Not Found/)
      for (const path of ['/v1', '/api/v1'])
        assert.match(await ofModel({ PARLEY_MODEL_URL: service.url + path }), /^false .*of a Parley/)
    })

    it('says which settings it read, and whether the service that runs has the same', async () => {
      const env = {
        ...mail.env,
        PARLEY_PORT: new URL(service.url).port,
        PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
      }
      assert.match(
        await finding('service', env),
        /^true the one at http:\/\/127\.0\.0\.1:\d+ runs with the same settings/,
      )
      assert.match(
        await finding('service', { ...env, PARLEY_MODEL: 'other' }),
        /^false .*runs with other settings/,
      )
      assert.match(await finding('service', { PARLEY_PORT: '9' }), /^true none answers at/)
      const read = await finding('settings', { PARLEY_MODEL_API_KEY: SECRET })
      assert.match(read, /^true .*environment.*PARLEY_DATA_DIR, PARLEY_MODEL_API_KEY/)
    })

    it('lets the transcription server write down a sound, and says what it answers instead', async () => {
      await using server = await startTranscriptionServer()
      const env = { PARLEY_TRANSCRIPTION_URL: server.url, PARLEY_TRANSCRIPTION_API_KEY: SECRET }
      server.answer = { body: '{"text":""}' }
      assert.equal(await finding('transcription', env), 'true whisper-1 writes down a sound')
      const { file, authorization } = server.requests[0] ?? assert.fail()
      assert.deepEqual([file.name, file.size, authorization], ['voice.wav', 32_044, `Bearer ${SECRET}`])
      server.answer = { status: 401, body: `{"error":{"message":"Bad key ${SECRET}"}}` }
      assert.match(await finding('transcription', env), /^false .*status 401.*Bad key \[key\]/)
      server.answer = { body: '{}' }
      assert.match(await finding('transcription', env), /^false .*no text/)
      const nowhere = { PARLEY_TRANSCRIPTION_URL: 'http://127.0.0.1:9/v1' }
      assert.match(await finding('transcription', nowhere), /^false The transcription server/)
    })

    it("asks the server of each agent's own model", async () => {
      const { api_key, bearer_token, agent_id } = await json('agents', 'create', '--name', 'Own model')
      const change = (model: object) =>
        fetch(`${service.url}/api/v1/agent`, {
          method: 'PATCH',
          headers: {
            'x-api-key': api_key,
            authorization: `Bearer ${bearer_token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ model }),
        })
      assert.equal((await change({ url: model.url, name: 'test-model' })).status, 200)
      assert.match(
        await finding('model', { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' }),
        new RegExp(`^true agents? .*built-in.*agent ${agent_id}: the server lists test-model`),
      )
      assert.match(await finding('model', {}), new RegExp(`^false agent ${agent_id}: `))
      await change({ url: null })
    })
  })

  it('doctor: names the channel whose token its platform refuses', async () => {
    await using peer = await startPeer((response) => response.writeHead(401).end())
    const env = { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' }
    const { agent_id, api_key, bearer_token } = await json('agents', 'create', '--name', 'Channels')
    const made = await fetch(`${service.url}/api/v1/channels`, {
      method: 'POST',
      headers: {
        'x-api-key': api_key,
        authorization: `Bearer ${bearer_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        kind: 'helpdesk',
        settings: { access_token: 'refused', account_id: '1', api_base: peer.url },
      }),
    })
    assert.equal(made.status, 201)
    const { data } = (await made.json()) as { data: { id: number; agent_id: number } }
    assert.equal(data.agent_id, agent_id)
    const { code, out } = await parley(['doctor', '--json'], { env })
    assert.equal(code, 1)
    const { ok, findings } = JSON.parse(out)
    assert.equal(ok, false)
    assert.deepEqual(
      findings.filter(({ ok }: { ok: boolean }) => !ok),
      [
        {
          check: 'channels',
          ok: false,
          state: 'failed',
          detail: `channel ${data.id} (helpdesk): unauthorized`,
        },
      ],
    )
  })

  it('redact: stdin to stdout, lines of JSON in their order, counts by type', async () => {
    const plain = await parley(['redact'], { input: 'Write to ada@example.org now' })
    assert.equal(plain.out, 'Write to [EMAIL_ADDRESS] now')
    const input = '{"text":"ada@example.org","n":1}\n{"text":"nothing","n":2}\n'
    const lines = await parley(['redact', '--jsonl', '--report'], { input })
    assert.equal(lines.out, '{"text":"[EMAIL_ADDRESS]","n":1}\n{"text":"nothing","n":2}\n')
    assert.deepEqual(JSON.parse(lines.err), { EMAIL_ADDRESS: 1 })
    const wrong = await parley(['redact', '--jsonl'], { input: '{"no":1}\n' })
    assert.equal(wrong.code, 2)
  })

  it('redact: a line ends where JSON ends it, also with CRLF, behind a byte order mark and without a last line break', async () => {
    const input = `\uFEFF{"text":"one\u2028ada@example.org\u2029two"}\r\n\r\n{"text":"${'long '.repeat(40_000)}"}`
    const { out, err, code } = await parley(['redact', '--jsonl'], { input })
    assert.equal(code, 0, err)
    const texts = out.split('\n').map((line) => line && JSON.parse(line).text)
    assert.deepEqual(texts, ['one\u2028[EMAIL_ADDRESS]\u2029two', 'long '.repeat(40_000), ''])
    const plain = '\uFEFFada@example.org\r\n\r\nbye'
    assert.equal((await parley(['redact'], { input: plain })).out, '\uFEFF[EMAIL_ADDRESS]\r\n\r\nbye')
  })

  it('a reader that stops early, as head does, is no failure', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'parley-pipe-'))
    after(() => rm(temporary, { recursive: true }))
    const sentence = 'Write to ada@example.org. '
    for (const [words, expected] of [
      ['openapi', '{\n'],
      ['redact', 'Write to [EMAIL_ADDRESS]. '],
      ['redact --jsonl', '{"text":"[EMAIL_ADDRESS]"}\n'],
    ] as const) {
      const record = '{"text":"ada@example.org"}\n'
      const input = (words === 'redact' ? sentence : record).repeat(20_000)
      const pipe = `"$0" "$1" ${words} | head -c ${expected.length}`
      const { main } = await programFiles()
      const child = spawn('bash', ['-o', 'pipefail', '-c', pipe, process.execPath, main], {
        env: { ...process.env, PARLEY_DATA_DIR: database.dataDir, TMPDIR: temporary },
      })
      // The command goes before it has read everything.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const [out, err, [code]] = await Promise.all([
        buffer(child.stdout),
        buffer(child.stderr),
        once(child, 'exit'),
      ])
      assert.deepEqual([out.toString(), err.toString(), code], [expected, '', 0], words)
    }
    // The folder of the empty database is gone; Node's own cache stays.
    assert.deepEqual(
      (await readdir(temporary)).filter((name) => name !== 'node-compile-cache'),
      [],
    )
  })

  it('typed wrong: exit code 2 and one line', async () => {
    for (const words of [
      ['agents', 'create'],
      ['agents', 'create', '--name', 'x', '--team', '999'],
      ['keys', 'create', '--agent', 'x'],
      ['keys', 'revoke', '999'],
      ['tokens', 'revoke', '999'],
      ['tokens', 'create', '--team', '1', '--expires', 'soon'],
      ['backup'],
      ['migrate', '--wrong'],
    ]) {
      const { code, err } = await parley(words)
      assert.equal(code, 2, words.join(' '))
      assert.match(err, /^parley: [^\n]+\n$/)
    }
    assert.equal((await parley(['nonsense'])).code, 2)
    const { err } = await parley(['demo', '--remov'])
    assert.equal(err, "parley: Unknown option '--remov'; usage: parley demo [--team ID] [--remove]\n")
  })

  it('a bad setting stops every command with one line that names it', async () => {
    for (const env of [
      { PARLEY_NONSENSE: '1' },
      { PARLEY_PORT: 'x' },
      { PARLEY_PRIVATE_TARGETS: '10.0.0.0/99' },
      { PARLEY_DATABASE_URL: 'postgres://x/y' },
    ]) {
      const { code, err } = await parley(['serve'], { env })
      assert.notEqual(code, 0)
      assert.match(err, /^parley: [^\n]*PARLEY_[^\n]+\n$/)
    }
  })
})
