import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelKind, modelKinds } from './lib/model-kinds.ts'
import {
  address,
  boolean,
  cidrs,
  emailAddress,
  headerSecret,
  integer,
  issuerAddress,
  key32,
  listOf,
  mailAddress,
  mailDomains,
  oneOf,
  type Parser,
  privateTargets,
  publicAddress,
  storeAddress,
  text,
  title,
  webAddress,
} from './lib/setting-kinds.ts'

/** Settings of one process, read once at its start. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly masterKey: string | null
  readonly masterKeyPrevious: string | null
  readonly publicUrl: string | null
  readonly model: {
    readonly kind: ModelKind
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
    /** The most times that a model server is asked again after a failure that will pass. */
    readonly retries: number
  }
  /** The server of the model that plays customers in test runs. */
  readonly customer: {
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
  }
  readonly embedding: {
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
  }
  readonly transcription: {
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
  }
  readonly reranking: {
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
  }
  readonly redaction: { readonly url: string | null; readonly apiKey: string | null; readonly batch: number }
  /** Comma list of hosts and CIDRs, as written. */
  readonly privateTargets: string
  readonly trustedProxies: readonly string[]
  /** Requests a minute a credential; null for no limit. */
  readonly rateLimit: number | null
  /** The bearer token that `/metrics` asks for; null: none. */
  readonly metricsToken: string | null
  /** In bytes. */
  readonly bodyLimit: number
  readonly webhookBodyLimit: number
  /** The most bytes of all files of one upload. */
  readonly uploadLimit: number
  /** The most bytes of a file of a message. */
  readonly fileLimit: number
  /** The store of the files of messages; without an address the database has new ones. */
  readonly files: { readonly url: string | null; readonly key: string | null; readonly secret: string | null }
  readonly backlogLimit: number
  /** The number of days for which events and the records of rules are kept. */
  readonly eventDays: number
  /** The number of days for which the delivery log is kept. */
  readonly deliveryDays: number
  /** The number of days for which the audit is kept. */
  readonly auditDays: number
  readonly roles: readonly Role[]
  readonly logLevel: string
  readonly logText: boolean
  readonly otlpEndpoint: string | null
  /** The identity provider by which people may sign in; null when they sign in only with passwords. */
  readonly oidc: OidcSettings | null
  /** The server that accepts mail; null when nothing is mailed. */
  readonly mail: MailSettings | null
  readonly init: InitSettings
  /** True if npm runs this process, in a shell of its own. */
  readonly startedByNpm: boolean
}

export type Role = 'api' | 'worker'

/** Names of what a start makes in a database without a team. */
export interface InitSettings {
  readonly team: string
  /** The name of the agent; null for the guide to this documentation. */
  readonly agent: string | null
  /** The address with which the first owner is invited; null for an owner who chooses one. */
  readonly ownerEmail: string | null
  /** The files that get the first credentials, or hold them already; null when the credentials are printed. */
  readonly files: CredentialFiles | null
}

export interface CredentialFiles {
  readonly apiKey: string
  readonly bearerToken: string
}

export interface OidcSettings {
  /** The address as the provider writes it: a slash at its end counts. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * Anyone with a verified e-mail address of these domains becomes a member of a team; null when only invited people
   * may.
   */
  readonly newcomers: {
    readonly domains: readonly string[]
    readonly teamId: number
    readonly right: 'read' | 'respond' | 'manage'
  } | null
}

export interface MailSettings {
  /** Includes the credentials of the server, if it needs any. */
  readonly smtpUrl: string
  readonly from: string
}

/** An error in a setting that stops the start; its message is one clear line without the value of a secret. */
export class ConfigError extends Error {}

/** A setting: how it is read, and what is said of it in `.env.example` and docs/configuration.md. */
interface Setting<T> {
  readonly parse: Parser<unknown>
  /** The value when none is given. */
  readonly fallback: T
  /** One line in Markdown. */
  readonly meaning: string
  /** The fallback in words, where its value does not say it. */
  readonly byDefault?: string
  /** True if it holds credentials: it is never printed, and can be read from the file that `…_FILE` names. */
  readonly isSecret?: boolean
}

/** @param more the default in words, where its value does not say it, and whether it is a secret */
function setting<T, D extends T | null>(
  parse: Parser<T>,
  fallback: D,
  meaning: string,
  more: Pick<Setting<T>, 'byDefault' | 'isSecret'> = {},
): Setting<T | D> {
  return { parse, fallback, meaning, ...more }
}

const isSecret = true
const MEBIBYTE = 1024 * 1024

/** All settings, in the order in which they are documented. `npm run docs:settings` writes them into the docs. */
const settings = {
  PARLEY_HOST: setting(text, '127.0.0.1', 'the address at which it listens'),
  PARLEY_PORT: setting(
    integer(0, 65_535),
    8080,
    'the port at which it listens; 0 takes any free port and prints it',
  ),
  PARLEY_DATA_DIR: setting(
    text,
    './data',
    "SQLite file, generated master key and the console's scripts of the last week",
  ),
  PARLEY_DATABASE_URL: setting(address('postgres:', 'postgresql:'), null, '`postgres://…` for PostgreSQL', {
    byDefault: 'none: SQLite',
    isSecret,
  }),
  PARLEY_MASTER_KEY: setting(key32, null, '32 bytes in base64, encrypts stored secrets', {
    byDefault: 'generated with SQLite, required with PostgreSQL',
    isSecret,
  }),
  PARLEY_MASTER_KEY_PREVIOUS: setting(key32, null, 'the old key, to open secrets that it encrypted', {
    isSecret,
  }),
  PARLEY_PUBLIC_URL: setting(
    publicAddress,
    null,
    'the address at which people and platforms reach Parley; sign-in behind a [proxy](security.md#how-do-i-put-parley-behind-a-reverse-proxy) needs it',
    { byDefault: 'http://host:port' },
  ),
  PARLEY_INIT_TEAM: setting(
    title,
    'Default',
    'the name of the team that a start makes in a database without one: [Set up without hands](#how-do-i-set-it-up-without-hands)',
  ),
  PARLEY_INIT_AGENT: setting(title, null, 'the name of the agent that this start makes', {
    byDefault: 'Guide, which knows this documentation',
  }),
  PARLEY_INIT_OWNER_EMAIL: setting(
    emailAddress,
    null,
    'the address with which the first owner of this team is invited',
    {
      byDefault: 'owner@localhost',
    },
  ),
  PARLEY_INIT_API_KEY_FILE: setting(
    text,
    null,
    "the file into which this start writes the agent's API key, or from which it takes the key; only together with `PARLEY_INIT_BEARER_TOKEN_FILE`",
    { byDefault: 'none: the key is printed' },
  ),
  PARLEY_INIT_BEARER_TOKEN_FILE: setting(
    text,
    null,
    "the same for the team's bearer token; only together with `PARLEY_INIT_API_KEY_FILE`",
    {
      byDefault: 'none: the token is printed',
    },
  ),
  PARLEY_MODEL_URL: setting(webAddress, null, 'a model server: [Models](models.md)', {
    byDefault: 'none: the built-in answerer',
  }),
  PARLEY_MODEL_API_KEY: setting(headerSecret, null, 'the key of this server', { isSecret }),
  PARLEY_MODEL: setting(text, null, 'the model that this server is asked for'),
  PARLEY_MODEL_KIND: setting(
    oneOf(...modelKinds),
    'openai',
    'the protocol of this server: openai, anthropic, gemini or azure',
  ),
  PARLEY_MODEL_RETRIES: setting(
    integer(0, 10),
    2,
    'how often a model server is asked again that was too busy, or broke the connection, before its answer began',
  ),
  PARLEY_CUSTOMER_MODEL_URL: setting(
    webAddress,
    null,
    'an OpenAI-compatible model server that plays customers in [test runs](testing.md#how-do-i-test-a-whole-conversation)',
    { byDefault: "none: the agent's own model" },
  ),
  PARLEY_CUSTOMER_MODEL_API_KEY: setting(headerSecret, null, 'the key of this server', { isSecret }),
  PARLEY_CUSTOMER_MODEL: setting(text, null, 'the model that this server is asked for'),
  PARLEY_EMBEDDING_URL: setting(
    webAddress,
    null,
    'an OpenAI-compatible embedding server, by which passages are also found by meaning: [Knowledge](knowledge.md)',
    { byDefault: 'none: words alone are searched for' },
  ),
  PARLEY_EMBEDDING_API_KEY: setting(headerSecret, null, 'the key of this server', { isSecret }),
  PARLEY_EMBEDDING_MODEL: setting(text, null, 'the model that this server is asked for'),
  PARLEY_RERANK_URL: setting(
    webAddress,
    null,
    'a reranking server, which puts the passages that are found in a better order: [Knowledge](knowledge.md)',
  ),
  PARLEY_RERANK_API_KEY: setting(headerSecret, null, 'the key of this server', { isSecret }),
  PARLEY_RERANK_MODEL: setting(text, null, 'the model that this server is asked for'),
  PARLEY_TRANSCRIPTION_URL: setting(
    webAddress,
    null,
    'an OpenAI-compatible server that writes down voice messages: [Files](files.md#what-does-the-model-hear)',
    { byDefault: 'none: the agent says that it can only read text' },
  ),
  PARLEY_TRANSCRIPTION_API_KEY: setting(headerSecret, null, 'the key of this server', { isSecret }),
  PARLEY_TRANSCRIPTION_MODEL: setting(text, null, 'the model that this server is asked for'),
  PARLEY_REDACTION_URL: setting(webAddress, null, 'hosted redaction service'),
  PARLEY_REDACTION_API_KEY: setting(headerSecret, null, 'the key of this service', { isSecret }),
  // SQLite takes 32,766 values in one statement, which may list the completions of all these rows.
  PARLEY_REDACTION_BATCH: setting(
    integer(1, 30_000),
    500,
    'how many message rows one redaction call may rewrite; up to 30000',
  ),
  PARLEY_PRIVATE_TARGETS: setting(
    privateTargets,
    '',
    'private hosts and CIDRs that outgoing calls may reach',
  ),
  PARLEY_TRUSTED_PROXIES: setting(cidrs, [], 'CIDRs of proxies whose X-Forwarded-For Parley trusts'),
  PARLEY_METRICS_TOKEN: setting(
    headerSecret,
    null,
    'the bearer token without which `/metrics` answers 403; only with one do they tell costs and budgets of agents',
    { byDefault: 'none: `/metrics` needs no credentials', isSecret },
  ),
  PARLEY_RATE_LIMIT: setting(
    integer(1, 1_000_000_000),
    null,
    'requests a minute for each API key, each bearer token and each session in the console',
  ),
  PARLEY_BODY_LIMIT: setting(
    integer(1, 1024 * MEBIBYTE),
    null,
    'the largest request body, in bytes; a value that you set applies to both',
    { byDefault: '10485760; webhooks of platforms 4194304' },
  ),
  PARLEY_UPLOAD_LIMIT: setting(
    integer(1, 4096 * MEBIBYTE),
    50 * MEBIBYTE,
    'the largest upload of files to the knowledge, all its files together, in bytes',
  ),
  PARLEY_FILE_LIMIT: setting(
    integer(1, 1024 * MEBIBYTE),
    25 * MEBIBYTE,
    'the largest file of a message, in bytes',
  ),
  PARLEY_FILES_URL: setting(
    storeAddress,
    null,
    'the S3-compatible store of new files of messages: `s3://bucket/folder?endpoint=https://…&region=…`; the endpoint is that of Amazon without one: [Files](files.md)',
    { byDefault: 'none: the database' },
  ),
  PARLEY_FILES_KEY: setting(text, null, "the id of this store's access key", { isSecret }),
  PARLEY_FILES_SECRET: setting(text, null, 'the secret of this access key', { isSecret }),
  PARLEY_BACKLOG_LIMIT: setting(
    integer(1, 1_000_000_000),
    100_000,
    'how many inbound events may wait before webhooks answer 503; one team may have seven of ten of what other teams leave',
  ),
  PARLEY_EVENT_DAYS: setting(
    integer(1, 36_500),
    90,
    'how many days events, and what rules have done, are kept',
  ),
  PARLEY_DELIVERY_DAYS: setting(
    integer(1, 36_500),
    30,
    'how many days the delivery log is kept, for at most the newest 10,000 deliveries of a notification',
  ),
  PARLEY_AUDIT_DAYS: setting(integer(1, 36_500), 400, 'how many days the audit is kept'),
  PARLEY_ROLES: setting(
    listOf('api', 'worker'),
    ['api', 'worker'] as Role[],
    '`api` answers requests; `worker` works channels, deliveries, automations and retention. Without `api` a process answers only `/healthz`, `/readyz`, `/metrics` and, without the paths of the API, `/openapi.json` and `/docs`',
  ),
  PARLEY_LOG_LEVEL: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'trace, debug, info, warn, error, fatal, silent',
  ),
  PARLEY_LOG_TEXT: setting(
    boolean,
    false,
    'true logs the text of each prompt and response; redaction does not reach the log',
  ),
  PARLEY_OIDC_ISSUER: setting(
    issuerAddress,
    null,
    'the identity provider by which people may sign in: [Single sign-on](single-sign-on.md)',
  ),
  PARLEY_OIDC_CLIENT_ID: setting(text, null, 'the name under which this provider knows Parley'),
  PARLEY_OIDC_CLIENT_SECRET: setting(text, null, 'the secret that this provider has given Parley', {
    isSecret,
  }),
  PARLEY_OIDC_DOMAINS: setting(
    mailDomains,
    null,
    'whose verified e-mail address is of one of these domains becomes a person of a team',
  ),
  PARLEY_OIDC_TEAM: setting(integer(1, 2_147_483_647), null, 'the number of this team'),
  PARLEY_OIDC_RIGHT: setting(
    oneOf('read', 'respond', 'manage'),
    null,
    'their right: read, respond or manage',
    {
      byDefault: 'read',
    },
  ),
  PARLEY_SMTP_URL: setting(
    address('smtp:', 'smtps:'),
    null,
    'a mail server, such as `smtps://user:password@mail.example.com`, that sends invitations and resets',
    { isSecret },
  ),
  PARLEY_MAIL_FROM: setting(mailAddress, null, 'the sender of these mails'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webAddress, null, 'where to export spans, over OTLP/HTTP'),
}

type Name = keyof typeof settings
type Values = { [N in Name]: (typeof settings)[N] extends Setting<infer T> ? T : never }

/**
 * Reads the settings from the environment, and from a `.env` file in the working directory for names the
 * environment does not set.
 * @throws ConfigError for an unknown PARLEY_ name or a value that is not valid.
 */
export function readConfig(env: NodeJS.ProcessEnv = withEnvFile()): Config {
  const entries = Object.entries(settings) as [Name, Setting<unknown>][]
  const values = Object.fromEntries(entries.map(([name, one]) => [name, read(env, name, one)])) as Values
  const known = new Set(entries.flatMap(([name, one]) => namesOf(name, one)))
  for (const name of Object.keys(env))
    if (name.startsWith('PARLEY_') && !name.startsWith('PARLEY_TEST_') && !known.has(name))
      throw new ConfigError(`${name} is not a setting of Parley`)
  if (values.PARLEY_DATABASE_URL && !values.PARLEY_MASTER_KEY)
    throw new ConfigError('PARLEY_MASTER_KEY is required with PARLEY_DATABASE_URL: 32 bytes in base64')
  // npm sets this variable in all processes that it runs.
  return Object.freeze(arrange(values, Boolean(env.npm_execpath)))
}

function arrange(value: Values, startedByNpm: boolean): Config {
  return {
    host: value.PARLEY_HOST,
    port: value.PARLEY_PORT,
    dataDir: value.PARLEY_DATA_DIR,
    databaseUrl: value.PARLEY_DATABASE_URL,
    masterKey: value.PARLEY_MASTER_KEY,
    masterKeyPrevious: value.PARLEY_MASTER_KEY_PREVIOUS,
    publicUrl: value.PARLEY_PUBLIC_URL,
    model: {
      kind: value.PARLEY_MODEL_KIND,
      url: value.PARLEY_MODEL_URL,
      apiKey: value.PARLEY_MODEL_API_KEY,
      name: value.PARLEY_MODEL,
      retries: value.PARLEY_MODEL_RETRIES,
    },
    customer: {
      url: value.PARLEY_CUSTOMER_MODEL_URL,
      apiKey: value.PARLEY_CUSTOMER_MODEL_API_KEY,
      name: value.PARLEY_CUSTOMER_MODEL,
    },
    embedding: {
      url: value.PARLEY_EMBEDDING_URL,
      apiKey: value.PARLEY_EMBEDDING_API_KEY,
      name: value.PARLEY_EMBEDDING_MODEL,
    },
    reranking: {
      url: value.PARLEY_RERANK_URL,
      apiKey: value.PARLEY_RERANK_API_KEY,
      name: value.PARLEY_RERANK_MODEL,
    },
    transcription: {
      url: value.PARLEY_TRANSCRIPTION_URL,
      apiKey: value.PARLEY_TRANSCRIPTION_API_KEY,
      name: value.PARLEY_TRANSCRIPTION_MODEL,
    },
    redaction: {
      url: value.PARLEY_REDACTION_URL,
      apiKey: value.PARLEY_REDACTION_API_KEY,
      batch: value.PARLEY_REDACTION_BATCH,
    },
    privateTargets: value.PARLEY_PRIVATE_TARGETS,
    trustedProxies: value.PARLEY_TRUSTED_PROXIES,
    rateLimit: value.PARLEY_RATE_LIMIT,
    metricsToken: value.PARLEY_METRICS_TOKEN,
    bodyLimit: value.PARLEY_BODY_LIMIT ?? 10 * MEBIBYTE,
    webhookBodyLimit: value.PARLEY_BODY_LIMIT ?? 4 * MEBIBYTE,
    uploadLimit: value.PARLEY_UPLOAD_LIMIT,
    fileLimit: value.PARLEY_FILE_LIMIT,
    files: arrangeFiles(value),
    backlogLimit: value.PARLEY_BACKLOG_LIMIT,
    eventDays: value.PARLEY_EVENT_DAYS,
    deliveryDays: value.PARLEY_DELIVERY_DAYS,
    auditDays: value.PARLEY_AUDIT_DAYS,
    roles: value.PARLEY_ROLES,
    logLevel: value.PARLEY_LOG_LEVEL,
    logText: value.PARLEY_LOG_TEXT,
    otlpEndpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    oidc: arrangeOidc(value),
    mail: arrangeMail(value),
    init: arrangeInit(value),
    startedByNpm,
  }
}

function arrangeOidc(value: Values): OidcSettings | null {
  const {
    PARLEY_OIDC_ISSUER: issuer,
    PARLEY_OIDC_CLIENT_ID: clientId,
    PARLEY_OIDC_CLIENT_SECRET: clientSecret,
    PARLEY_OIDC_DOMAINS: domains,
    PARLEY_OIDC_TEAM: teamId,
    PARLEY_OIDC_RIGHT: right,
  } = value
  if (issuer === null) {
    if (clientId ?? clientSecret ?? domains ?? teamId ?? right)
      throw new ConfigError('PARLEY_OIDC_ISSUER is required with the other PARLEY_OIDC settings')
    return null
  }
  if (clientId === null || clientSecret === null)
    throw new ConfigError(
      'PARLEY_OIDC_CLIENT_ID and PARLEY_OIDC_CLIENT_SECRET are required with PARLEY_OIDC_ISSUER',
    )
  if ((domains === null) !== (teamId === null) || (domains === null && right !== null))
    throw new ConfigError(
      'PARLEY_OIDC_DOMAINS and PARLEY_OIDC_TEAM are required together, PARLEY_OIDC_RIGHT only with them',
    )
  const newcomers = domains && teamId ? { domains, teamId, right: right ?? 'read' } : null
  return { issuer, clientId, clientSecret, newcomers }
}

function arrangeFiles({
  PARLEY_FILES_URL: url,
  PARLEY_FILES_KEY: key,
  PARLEY_FILES_SECRET: secret,
}: Values): Config['files'] {
  if ((key === null) !== (secret === null) || (url !== null && key === null))
    throw new ConfigError(
      'PARLEY_FILES_KEY and PARLEY_FILES_SECRET are required together, and with PARLEY_FILES_URL',
    )
  return { url, key, secret }
}

function arrangeMail({ PARLEY_SMTP_URL: smtpUrl, PARLEY_MAIL_FROM: from }: Values): MailSettings | null {
  if (smtpUrl === null && from === null) return null
  if (smtpUrl === null || from === null)
    throw new ConfigError('PARLEY_SMTP_URL and PARLEY_MAIL_FROM are required together')
  return { smtpUrl, from }
}

function arrangeInit(value: Values): InitSettings {
  const { PARLEY_INIT_API_KEY_FILE: apiKey, PARLEY_INIT_BEARER_TOKEN_FILE: bearerToken } = value
  if ((apiKey === null) !== (bearerToken === null) || (apiKey !== null && apiKey === bearerToken))
    throw new ConfigError(
      'PARLEY_INIT_API_KEY_FILE and PARLEY_INIT_BEARER_TOKEN_FILE are required together, and name two files',
    )
  return {
    team: value.PARLEY_INIT_TEAM,
    agent: value.PARLEY_INIT_AGENT,
    ownerEmail: value.PARLEY_INIT_OWNER_EMAIL,
    files: apiKey !== null && bearerToken !== null ? { apiKey, bearerToken } : null,
  }
}

/** Returns the value of a setting. @throws ConfigError */
function read(
  env: NodeJS.ProcessEnv,
  name: string,
  { parse, fallback, isSecret }: Setting<unknown>,
): unknown {
  const given = env[name]?.trim()
  const fileName = `${name}_FILE`
  const file = isSecret && env[fileName]?.trim()
  if (given && file) throw new ConfigError(`${name} and ${fileName} are both set: set only one of them`)
  const value = file ? secretIn(file, fileName) : given
  if (!value) return fallback
  try {
    return parse(value)
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}${file ? `: read from ${fileName}` : ''}`)
  }
}

/** The most bytes of a file with a secret. */
const LARGEST_SECRET = 64 * 1024

/** Reads a secret from a file, without the line break at its end. The errors repeat neither it nor the file's name. */
function secretIn(file: string, setting: string): string {
  let secret: string
  try {
    secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${setting} names a file that cannot be read (${code})`)
  }
  if (secret.trim() === '') throw new ConfigError(`${setting} names an empty file`)
  if (secret.length > LARGEST_SECRET) throw new ConfigError(`${setting} names a file that is too large`)
  return secret
}

/** The words about a setting in `.env.example` and docs/configuration.md. */
export interface SettingText {
  /** Its name, and with a secret the one that names a file. */
  names: string[]
  /** The default as one writes it; empty when there is none. */
  value: string
  /** The default in words. */
  byDefault: string
  meaning: string
}

/** Returns what is said of each setting, in the order of the table. */
export function settingTexts(): SettingText[] {
  return Object.entries<Setting<unknown>>(settings).map(([name, one]) => {
    const value = String(one.fallback ?? '')
    return {
      names: namesOf(name, one),
      value,
      byDefault: one.byDefault ?? (value || 'none'),
      meaning: one.meaning,
    }
  })
}

function namesOf(name: string, { isSecret }: Setting<unknown>): string[] {
  return isSecret ? [name, `${name}_FILE`] : [name]
}

/**
 * Returns, as text, the settings that two processes of one installation share: all but their address, keys, log and
 * what only a first start reads.
 */
export function comparableSettings(config: Config): string {
  const {
    host: _h,
    port: _p,
    masterKey: _k,
    masterKeyPrevious: _kp,
    logLevel: _l,
    logText: _t,
    init: _i,
    ...rest
  } = config
  return JSON.stringify(rest)
}

/** Returns the names of the given settings, and the `.env` file from which some of them may come. */
export function settingsGiven(env: NodeJS.ProcessEnv = withEnvFile()): {
  names: string[]
  file: string | null
} {
  const names = Object.keys(env).filter((name) => name.startsWith('PARLEY_') && env[name]?.trim())
  const file = join(process.cwd(), '.env')
  return { names: names.sort(), file: existsSync(file) ? file : null }
}

/** Returns a variable that a file of the user's names, such as one with a secret; undefined when it is not set. */
export function variable(name: string): string | undefined {
  return process.env[name]
}

/** Returns the files and folders that hold secrets of Parley itself, whether they are there or not. */
export function filesWithOwnSecrets({ dataDir }: Pick<Config, 'dataDir'>): string[] {
  const named = Object.entries(withEnvFile()).filter(([name]) => /^PARLEY_\w+_FILE$/.test(name))
  return [dataDir, join(process.cwd(), '.env'), ...named.flatMap(([, file]) => file?.trim() || [])]
}

/** Returns the environment, completed with the names of an `.env` file that are not set. */
function withEnvFile(): NodeJS.ProcessEnv {
  const file = join(process.cwd(), '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}

/** Returns the environment for a program that is started, with more in it, such as a password. */
export function environmentWith(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more }
}
