import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parseEnv } from 'node:util'
import { comparableSettings, readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/settings/setting.ts'
import { settingTexts } from '../../src/settings/table.ts'
import { filesWithSettings } from '../support/settings-in-docs.ts'

const STORE = 's3://files/of/parley?endpoint=https://s3.example.com&region=eu-central-1'
const KEY = Buffer.alloc(32, 1).toString('base64')

describe('readConfig', () => {
  it('.env.example and the page on configuration are as npm run docs:settings writes them', () => {
    for (const [file, text] of Object.entries(filesWithSettings()))
      assert.equal(readFileSync(file, 'utf8'), text, `${file}: run npm run docs:settings`)
  })

  it('.env.example has every setting, each with its default', () => {
    const example = parseEnv(readFileSync('.env.example', 'utf8').replaceAll(/^#(?=\w+=)/gm, ''))
    assert.deepEqual(
      Object.keys(example).sort(),
      settingTexts()
        .flatMap(({ names }) => names)
        .sort(),
    )
    assert.ok(Object.keys(example).length > 50)
    assert.deepEqual(readConfig(example), readConfig({}))
  })

  it('has the documented defaults', () => {
    assert.deepEqual(readConfig({}), {
      host: '127.0.0.1',
      port: 8080,
      dataDir: './data',
      databaseUrl: null,
      masterKey: null,
      masterKeyPrevious: null,
      publicUrl: null,
      model: { kind: 'openai', url: null, apiKey: null, name: null, retries: 2 },
      customer: { url: null, apiKey: null, name: null },
      embedding: { url: null, apiKey: null, name: null },
      transcription: { url: null, apiKey: null, name: null },
      reranking: { url: null, apiKey: null, name: null },
      redaction: { url: null, apiKey: null, batch: 500 },
      privateTargets: '',
      trustedProxies: [],
      rateLimit: null,
      metricsToken: null,
      bodyLimit: 10 * 1024 * 1024,
      webhookBodyLimit: 4 * 1024 * 1024,
      uploadLimit: 50 * 1024 * 1024,
      fileLimit: 25 * 1024 * 1024,
      files: { url: null, key: null, secret: null },
      backlogLimit: 100_000,
      eventDays: 90,
      deliveryDays: 30,
      auditDays: 400,
      roles: ['api', 'worker'],
      logLevel: 'info',
      logText: false,
      otlpEndpoint: null,
      oidc: null,
      mail: null,
      init: { team: 'Default', agent: null, ownerEmail: null, files: null },
      startedByNpm: false,
    })
  })

  it('reads every setting', () => {
    const config = readConfig({
      PARLEY_HOST: '0.0.0.0',
      PARLEY_PORT: '0',
      PARLEY_DATA_DIR: '/var/lib/parley',
      PARLEY_DATABASE_URL: 'postgres://localhost/parley',
      PARLEY_MASTER_KEY: KEY,
      PARLEY_MASTER_KEY_PREVIOUS: KEY,
      PARLEY_PUBLIC_URL: 'https://chat.example.com/',
      PARLEY_MODEL_KIND: 'gemini',
      PARLEY_MODEL_URL: 'http://localhost:11434/v1//',
      PARLEY_MODEL_API_KEY: 'sk',
      PARLEY_MODEL: 'm',
      PARLEY_MODEL_RETRIES: '3',
      PARLEY_CUSTOMER_MODEL_URL: 'http://localhost:8083/v1/',
      PARLEY_CUSTOMER_MODEL_API_KEY: 'ck',
      PARLEY_CUSTOMER_MODEL: 'c',
      PARLEY_TRANSCRIPTION_URL: 'http://localhost:8084/v1',
      PARLEY_TRANSCRIPTION_API_KEY: 'tk',
      PARLEY_TRANSCRIPTION_MODEL: 't',
      PARLEY_EMBEDDING_URL: 'http://localhost:8081/v1/',
      PARLEY_EMBEDDING_API_KEY: 'ek',
      PARLEY_EMBEDDING_MODEL: 'e',
      PARLEY_RERANK_URL: 'http://localhost:8082/',
      PARLEY_RERANK_API_KEY: 'rrk',
      PARLEY_RERANK_MODEL: 'r',
      PARLEY_REDACTION_URL: 'http://localhost:5002',
      PARLEY_REDACTION_API_KEY: 'rk',
      PARLEY_REDACTION_BATCH: '7',
      PARLEY_PRIVATE_TARGETS: '127.0.0.1/32,hooks.internal',
      PARLEY_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      PARLEY_RATE_LIMIT: '60',
      PARLEY_METRICS_TOKEN: 'mt',
      PARLEY_BODY_LIMIT: '100',
      PARLEY_UPLOAD_LIMIT: '200',
      PARLEY_FILE_LIMIT: '250',
      PARLEY_FILES_URL: STORE,
      PARLEY_FILES_KEY: 'AKID',
      PARLEY_FILES_SECRET: 'hush',
      PARLEY_BACKLOG_LIMIT: '5',
      PARLEY_EVENT_DAYS: '91',
      PARLEY_DELIVERY_DAYS: '31',
      PARLEY_AUDIT_DAYS: '32',
      PARLEY_ROLES: 'worker',
      PARLEY_LOG_LEVEL: 'warn',
      PARLEY_LOG_TEXT: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      PATH: 'of no interest',
      npm_execpath: '/usr/lib/npm-cli.js',
      PARLEY_OIDC_ISSUER: 'https://id.example.com/realms/one/',
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_CLIENT_SECRET: 'cs',
      PARLEY_OIDC_DOMAINS: 'Example.com, example.org',
      PARLEY_OIDC_TEAM: '2',
      PARLEY_OIDC_RIGHT: 'respond',
      PARLEY_SMTP_URL: 'smtps://user:password@mail.example.com',
      PARLEY_MAIL_FROM: 'Parley <parley@example.com>',
      PARLEY_INIT_TEAM: 'Support',
      PARLEY_INIT_AGENT: 'Helper',
      PARLEY_INIT_OWNER_EMAIL: 'Ada@example.com',
      PARLEY_INIT_API_KEY_FILE: '/run/parley/key',
      PARLEY_INIT_BEARER_TOKEN_FILE: '/run/parley/token',
    })
    assert.deepEqual(config, {
      host: '0.0.0.0',
      port: 0,
      dataDir: '/var/lib/parley',
      databaseUrl: 'postgres://localhost/parley',
      masterKey: KEY,
      masterKeyPrevious: KEY,
      publicUrl: 'https://chat.example.com',
      model: { kind: 'gemini', url: 'http://localhost:11434/v1', apiKey: 'sk', name: 'm', retries: 3 },
      customer: { url: 'http://localhost:8083/v1', apiKey: 'ck', name: 'c' },
      embedding: { url: 'http://localhost:8081/v1', apiKey: 'ek', name: 'e' },
      transcription: { url: 'http://localhost:8084/v1', apiKey: 'tk', name: 't' },
      reranking: { url: 'http://localhost:8082', apiKey: 'rrk', name: 'r' },
      redaction: { url: 'http://localhost:5002', apiKey: 'rk', batch: 7 },
      privateTargets: '127.0.0.1/32,hooks.internal',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimit: 60,
      metricsToken: 'mt',
      bodyLimit: 100,
      webhookBodyLimit: 100,
      uploadLimit: 200,
      fileLimit: 250,
      files: { url: STORE, key: 'AKID', secret: 'hush' },
      backlogLimit: 5,
      eventDays: 91,
      deliveryDays: 31,
      auditDays: 32,
      roles: ['worker'],
      logLevel: 'warn',
      logText: true,
      otlpEndpoint: 'http://localhost:4318',
      oidc: {
        issuer: 'https://id.example.com/realms/one/',
        clientId: 'parley',
        clientSecret: 'cs',
        newcomers: { domains: ['example.com', 'example.org'], teamId: 2, right: 'respond' },
      },
      mail: {
        smtpUrl: 'smtps://user:password@mail.example.com',
        from: 'Parley <parley@example.com>',
      },
      init: {
        team: 'Support',
        agent: 'Helper',
        ownerEmail: 'ada@example.com',
        files: { apiKey: '/run/parley/key', bearerToken: '/run/parley/token' },
      },
      startedByNpm: true,
    })
    assert.ok(Object.isFrozen(config))
  })

  it('takes an empty value, and one of spaces, as not set', () => {
    assert.equal(readConfig({ PARLEY_PORT: '', PARLEY_MODEL: '  ' }).port, 8080)
  })

  for (const [name, value] of [
    ['PARLEY_PORT', '65536'],
    ['PARLEY_PORT', '-1'],
    ['PARLEY_PORT', '80.5'],
    ['PARLEY_PORT', '0x50'],
    ['PARLEY_PORT', 'http'],
    ['PARLEY_DATABASE_URL', 'mysql://localhost/parley'],
    ['PARLEY_DATABASE_URL', 'parley'],
    ['PARLEY_MASTER_KEY', 'hunter2'],
    ['PARLEY_MASTER_KEY', Buffer.alloc(31).toString('base64')],
    ['PARLEY_MASTER_KEY', `${KEY}!`],
    ['PARLEY_MASTER_KEY_PREVIOUS', 'hunter2'],
    ['PARLEY_MODEL_KIND', 'bedrock'],
    ['PARLEY_MODEL_URL', 'localhost:11434'],
    ['PARLEY_MODEL_URL', 'ftp://hunter2@localhost'],
    ['PARLEY_PUBLIC_URL', 'chat.example.com'],
    ['PARLEY_PUBLIC_URL', 'https://chat.example.com/?y=1'],
    ['PARLEY_PUBLIC_URL', 'https://chat.example.com/#'],
    ['PARLEY_PUBLIC_URL', 'https://user:hunter2@chat.example.com'],
    ['PARLEY_MODEL_URL', 'https://model.example.com/v1?key=hunter2'],
    ['PARLEY_PRIVATE_TARGETS', 'http://x'],
    ['PARLEY_REDACTION_BATCH', '0'],
    ['PARLEY_REDACTION_BATCH', '30001'],
    ['PARLEY_RATE_LIMIT', '0'],
    ['PARLEY_BODY_LIMIT', '10MiB'],
    ['PARLEY_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['PARLEY_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['PARLEY_TRUSTED_PROXIES', 'proxy.internal'],
    ['PARLEY_TRUSTED_PROXIES', '::1/129'],
    ['PARLEY_TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['PARLEY_ROLES', 'api,admin'],
    ['PARLEY_ROLES', ','],
    ['PARLEY_LOG_LEVEL', 'loud'],
    ['PARLEY_LOG_TEXT', 'yes'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://localhost/?token=hunter2'],
    ['PARLEY_OIDC_ISSUER', 'id.example.com'],
    ['PARLEY_OIDC_ISSUER', 'https://id.example.com/?x=hunter2'],
    ['PARLEY_OIDC_DOMAINS', 'ada@example.com'],
    ['PARLEY_OIDC_DOMAINS', '*.example.com'],
    ['PARLEY_OIDC_TEAM', 'Default'],
    ['PARLEY_OIDC_RIGHT', 'own'],
    ['PARLEY_SMTP_URL', 'mail.example.com'],
    ['PARLEY_SMTP_URL', 'https://hunter2@mail.example.com'],
    ['PARLEY_MAIL_FROM', 'Parley'],
    ['PARLEY_MAIL_FROM', 'Parley\r\nBcc: a@example.com'],
    ['PARLEY_FILES_URL', 'https://s3.example.com/hunter2'],
    ['PARLEY_FILES_URL', 's3://Files'],
    ['PARLEY_FILES_URL', 's3://files/../hunter2'],
    ['PARLEY_FILES_URL', 's3://files?secret=hunter2'],
    ['PARLEY_FILES_URL', 's3://files?endpoint=ftp://s3.example.com'],
    ['PARLEY_FILES_URL', 's3://files?endpoint=https://key:hunter2@s3.example.com'],
    ['PARLEY_INIT_TEAM', 'T'.repeat(201)],
    ['PARLEY_INIT_AGENT', 'A'.repeat(201)],
    ['PARLEY_INIT_OWNER_EMAIL', 'ada'],
    ['PARLEY_INIT_OWNER_EMAIL', 'Ada <ada@example.com>'],
    ['PARLEY_INIT_API_KEY_FILE', 'only-one'],
    ['PARLEY_PORT_FILE', '/run/port'],
    ['PARLEY_MODEL_URL_FILE', '/run/url'],
    ['PARLEY_PROT', '80'],
    ['PARLEY_', 'x'],
  ] as const) {
    it(`refuses ${name}=${value} in one line that names it and not the value`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.ok(error.message.startsWith(`${name} `), error.message)
          assert.ok(!error.message.includes('\n') && !error.message.includes('hunter2'))
          return true
        },
      )
    })
  }

  it('needs a master key with PostgreSQL: replicas share it', () => {
    assert.throws(
      () => readConfig({ PARLEY_DATABASE_URL: 'postgres://localhost/parley' }),
      /PARLEY_MASTER_KEY/,
    )
  })

  const oidc = { PARLEY_OIDC_ISSUER: 'https://id.example.com', PARLEY_OIDC_CLIENT_ID: 'parley' }
  const client = { ...oidc, PARLEY_OIDC_CLIENT_SECRET: 'hunter2' }
  for (const [name, env, message] of [
    [
      'a provider without a client',
      oidc,
      /^PARLEY_OIDC_CLIENT_ID and PARLEY_OIDC_CLIENT_SECRET are required/,
    ],
    ['a client without a provider', { PARLEY_OIDC_CLIENT_ID: 'parley' }, /^PARLEY_OIDC_ISSUER is required/],
    [
      'domains without a team',
      { ...client, PARLEY_OIDC_DOMAINS: 'example.com' },
      /^PARLEY_OIDC_DOMAINS and /,
    ],
    ['a team without domains', { ...client, PARLEY_OIDC_TEAM: '1' }, /^PARLEY_OIDC_DOMAINS and /],
    [
      'a right without domains',
      { ...client, PARLEY_OIDC_RIGHT: 'read' },
      /PARLEY_OIDC_RIGHT only with them$/,
    ],
    [
      'a mail server without a sender',
      { PARLEY_SMTP_URL: 'smtp://m' },
      /^PARLEY_SMTP_URL and PARLEY_MAIL_FROM/,
    ],
    [
      'a file for both credentials',
      { PARLEY_INIT_API_KEY_FILE: 'a', PARLEY_INIT_BEARER_TOKEN_FILE: 'a' },
      /and name two files$/,
    ],
    ['a store of files without a key', { PARLEY_FILES_URL: STORE }, /^PARLEY_FILES_KEY and PARLEY_FILES_/],
    ['a key of a store without its secret', { PARLEY_FILES_KEY: 'a' }, /^PARLEY_FILES_KEY and PARLEY_FILES_/],
    ['a sender without a mail server', { PARLEY_MAIL_FROM: 'a@b' }, /^PARLEY_SMTP_URL and PARLEY_MAIL_FROM/],
  ] as const)
    it(`refuses ${name}`, () => {
      assert.throws(() => readConfig(env), { message })
    })

  describe('a secret in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
    after(() => rmSync(folder, { recursive: true }))
    const holding = (content: string) => {
      const file = join(folder, 'secret')
      writeFileSync(file, content)
      return file
    }
    const secrets = settingTexts().flatMap(({ names: [name = '', file] }) => (file ? [[name, file]] : []))

    it('all that holds credentials can stand in one', () => {
      assert.deepEqual(
        secrets.map(([name]) => name),
        [
          'PARLEY_DATABASE_URL',
          'PARLEY_MASTER_KEY',
          'PARLEY_MASTER_KEY_PREVIOUS',
          'PARLEY_MODEL_API_KEY',
          'PARLEY_CUSTOMER_MODEL_API_KEY',
          'PARLEY_EMBEDDING_API_KEY',
          'PARLEY_RERANK_API_KEY',
          'PARLEY_TRANSCRIPTION_API_KEY',
          'PARLEY_REDACTION_API_KEY',
          'PARLEY_METRICS_TOKEN',
          'PARLEY_FILES_KEY',
          'PARLEY_FILES_SECRET',
          'PARLEY_OIDC_CLIENT_SECRET',
          'PARLEY_SMTP_URL',
        ],
      )
    })

    it('is read without the line break at its end', () => {
      for (const content of [KEY, `${KEY}\n`, `${KEY}\r\n`])
        assert.equal(readConfig({ PARLEY_MASTER_KEY_FILE: holding(content) }).masterKey, KEY)
      const database = holding('postgres://parley:secret@localhost/parley\n')
      const config = readConfig({ PARLEY_DATABASE_URL_FILE: database, PARLEY_MASTER_KEY: KEY })
      assert.equal(config.databaseUrl, 'postgres://parley:secret@localhost/parley')
    })

    const refused = (env: Record<string, string>, message: string) =>
      assert.throws(() => readConfig(env), { constructor: ConfigError, message })

    it('is refused beside the value itself, with every secret', () => {
      for (const [name = '', file = ''] of secrets)
        refused(
          { [name]: 'hunter2', [file]: holding('hunter2') },
          `${name} and ${file} are both set: set only one of them`,
        )
    })

    it('is refused in one line when the file cannot be read, which may be a secret in the wrong place', () => {
      const says = (why: string) => `PARLEY_MASTER_KEY_FILE names ${why}`
      refused({ PARLEY_MASTER_KEY_FILE: KEY }, says('a file that cannot be read (ENOENT)'))
      refused({ PARLEY_MASTER_KEY_FILE: folder }, says('a file that cannot be read (EISDIR)'))
      refused({ PARLEY_MASTER_KEY_FILE: holding('\n') }, says('an empty file'))
      refused({ PARLEY_MASTER_KEY_FILE: holding('k'.repeat(70_000)) }, says('a file that is too large'))
    })

    it('is refused without its value when it is none', () => {
      refused(
        { PARLEY_MASTER_KEY_FILE: holding('hunter2') },
        'PARLEY_MASTER_KEY must be 32 bytes in base64: read from PARLEY_MASTER_KEY_FILE',
      )
    })
  })

  it('ignores the variables of the tests', () => {
    readConfig({ PARLEY_TEST_DATABASE_URL: 'postgres://localhost/test' })
  })

  it('refuses a key that no header can carry, without repeating it', () => {
    for (const name of ['PARLEY_MODEL_API_KEY', 'PARLEY_REDACTION_API_KEY'])
      for (const value of ['…', 'sk-\nsecret', 'schlüssel'])
        assert.throws(
          () => readConfig({ [name]: value }),
          (error) =>
            error instanceof ConfigError && error.message === `${name} must be of printable ASCII characters`,
        )
  })

  it('the settings of two processes of one installation compare alike, however each was started', () => {
    const comparable = (env: Record<string, string>) => comparableSettings(readConfig(env))
    assert.equal(comparable({ npm_execpath: '/usr/bin/npm', PARLEY_ROLES: 'worker' }), comparable({}))
    assert.notEqual(comparable({ PARLEY_MODEL: 'other' }), comparable({}))
  })
})
