import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type ModelKind, modelKinds } from './lib/model-kinds.ts'
import { parsePrivateTargets } from './lib/outbound/private-targets.ts'

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
  /** In bytes. */
  readonly bodyLimit: number
  readonly webhookBodyLimit: number
  /** The most bytes of all files of one upload. */
  readonly uploadLimit: number
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
  /** True if npm runs this process, in a shell of its own. */
  readonly startedByNpm: boolean
}

export type Role = 'api' | 'worker'

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

const MEBIBYTE = 1024 * 1024

/**
 * Reads the settings from the environment, and from a `.env` file in the working directory for names the
 * environment does not set.
 * @throws ConfigError for an unknown PARLEY_ name or a value that is not valid.
 */
export function readConfig(env: NodeJS.ProcessEnv = withEnvFile()): Config {
  const read = reader(env)
  const config = readAll(read)
  read.rejectUnknown()
  if (config.databaseUrl && !config.masterKey) {
    throw new ConfigError('PARLEY_MASTER_KEY is required with PARLEY_DATABASE_URL: 32 bytes in base64')
  }
  return Object.freeze(config)
}

/** Reads all settings. */
function readAll(read: Reader): Config {
  const bodyLimit = read('PARLEY_BODY_LIMIT', integer(1, 1024 * MEBIBYTE), null)
  return {
    host: read('PARLEY_HOST', text, '127.0.0.1'),
    port: read('PARLEY_PORT', integer(0, 65_535), 8080),
    dataDir: read('PARLEY_DATA_DIR', text, './data'),
    databaseUrl: read('PARLEY_DATABASE_URL', address('postgres:', 'postgresql:'), null),
    masterKey: read('PARLEY_MASTER_KEY', key32, null),
    masterKeyPrevious: read('PARLEY_MASTER_KEY_PREVIOUS', key32, null),
    publicUrl: read('PARLEY_PUBLIC_URL', publicAddress, null),
    model: {
      kind: read('PARLEY_MODEL_KIND', oneOf(...modelKinds), 'openai'),
      url: read('PARLEY_MODEL_URL', webAddress, null),
      apiKey: read('PARLEY_MODEL_API_KEY', headerSecret, null),
      name: read('PARLEY_MODEL', text, null),
      retries: read('PARLEY_MODEL_RETRIES', integer(0, 10), 2),
    },
    customer: {
      url: read('PARLEY_CUSTOMER_MODEL_URL', webAddress, null),
      apiKey: read('PARLEY_CUSTOMER_MODEL_API_KEY', headerSecret, null),
      name: read('PARLEY_CUSTOMER_MODEL', text, null),
    },
    embedding: {
      url: read('PARLEY_EMBEDDING_URL', webAddress, null),
      apiKey: read('PARLEY_EMBEDDING_API_KEY', headerSecret, null),
      name: read('PARLEY_EMBEDDING_MODEL', text, null),
    },
    reranking: {
      url: read('PARLEY_RERANK_URL', webAddress, null),
      apiKey: read('PARLEY_RERANK_API_KEY', headerSecret, null),
      name: read('PARLEY_RERANK_MODEL', text, null),
    },
    redaction: {
      url: read('PARLEY_REDACTION_URL', webAddress, null),
      apiKey: read('PARLEY_REDACTION_API_KEY', headerSecret, null),
      // SQLite takes 32,766 values in one statement, which may list the completions of all these rows.
      batch: read('PARLEY_REDACTION_BATCH', integer(1, 30_000), 500),
    },
    privateTargets: read('PARLEY_PRIVATE_TARGETS', privateTargets, ''),
    trustedProxies: read('PARLEY_TRUSTED_PROXIES', cidrs, []),
    rateLimit: read('PARLEY_RATE_LIMIT', integer(1, 1_000_000_000), null),
    bodyLimit: bodyLimit ?? 10 * MEBIBYTE,
    webhookBodyLimit: bodyLimit ?? 4 * MEBIBYTE,
    uploadLimit: read('PARLEY_UPLOAD_LIMIT', integer(1, 4096 * MEBIBYTE), 50 * MEBIBYTE),
    backlogLimit: read('PARLEY_BACKLOG_LIMIT', integer(1, 1_000_000_000), 100_000),
    eventDays: read('PARLEY_EVENT_DAYS', integer(1, 36_500), 90),
    deliveryDays: read('PARLEY_DELIVERY_DAYS', integer(1, 36_500), 30),
    auditDays: read('PARLEY_AUDIT_DAYS', integer(1, 36_500), 400),
    roles: read('PARLEY_ROLES', roles, ['api', 'worker']),
    logLevel: read(
      'PARLEY_LOG_LEVEL',
      oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      'info',
    ),
    logText: read('PARLEY_LOG_TEXT', boolean, false),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', webAddress, null),
    oidc: readOidc(read),
    mail: readMail(read),
    // npm sets this variable in all processes that it runs.
    startedByNpm: read('npm_execpath', text, null) !== null,
  }
}

function readOidc(read: Reader): OidcSettings | null {
  const issuer = read('PARLEY_OIDC_ISSUER', issuerAddress, null)
  const clientId = read('PARLEY_OIDC_CLIENT_ID', text, null)
  const clientSecret = read('PARLEY_OIDC_CLIENT_SECRET', text, null)
  const domains = read('PARLEY_OIDC_DOMAINS', mailDomains, null)
  const teamId = read('PARLEY_OIDC_TEAM', integer(1, 2_147_483_647), null)
  const right = read('PARLEY_OIDC_RIGHT', oneOf('read', 'respond', 'manage'), null)
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

function readMail(read: Reader): MailSettings | null {
  const smtpUrl = read('PARLEY_SMTP_URL', address('smtp:', 'smtps:'), null)
  const from = read('PARLEY_MAIL_FROM', mailAddress, null)
  if (smtpUrl === null && from === null) return null
  if (smtpUrl === null || from === null)
    throw new ConfigError('PARLEY_SMTP_URL and PARLEY_MAIL_FROM are required together')
  return { smtpUrl, from }
}

/** Returns the name of each setting, in the order in which they are read. */
export function settingNames(): string[] {
  const read = reader({})
  readAll(read)
  return read.names()
}

/** Returns, as text, the settings that two processes of one installation share: all but their address, keys and log. */
export function comparableSettings(config: Config): string {
  const {
    host: _h,
    port: _p,
    masterKey: _k,
    masterKeyPrevious: _kp,
    logLevel: _l,
    logText: _t,
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

type Parser<T> = (value: string) => T

type Reader = ReturnType<typeof reader>

function reader(env: NodeJS.ProcessEnv) {
  const known = new Set<string>()
  function read<T, D extends T | null>(name: string, parse: Parser<T>, fallback: D): T | D {
    known.add(name)
    const value = env[name]?.trim()
    if (value === undefined || value === '') return fallback
    try {
      return parse(value)
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`)
    }
  }
  read.names = () => [...known].filter((name) => name !== 'npm_execpath')
  read.rejectUnknown = () => {
    for (const name of Object.keys(env)) {
      if (name.startsWith('PARLEY_') && !name.startsWith('PARLEY_TEST_') && !known.has(name)) {
        throw new ConfigError(`${name} is not a setting of Parley`)
      }
    }
  }
  return read
}

/** Returns the environment, completed with the names of an `.env` file that are not set. */
function withEnvFile(): NodeJS.ProcessEnv {
  const file = join(process.cwd(), '.env')
  if (existsSync(file)) process.loadEnvFile(file)
  return process.env
}

const text: Parser<string> = (value) => value

/** Parses a secret that is sent in a header, which allows no other characters. */
const headerSecret: Parser<string> = (value) => {
  if (!/^[\x20-\x7e]+$/.test(value)) throw new Error('must be of printable ASCII characters')
  return value
}

function integer(least: number, most: number): Parser<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return number
  }
}

function oneOf<T extends string>(...values: T[]): Parser<T> {
  return (value) => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}`)
    return value as T
  }
}

const boolean: Parser<boolean> = (value) => oneOf('true', 'false')(value) === 'true'

function address(...protocols: string[]): Parser<string> {
  return (value) => {
    if (!protocols.includes(URL.parse(value)?.protocol ?? '')) {
      throw new Error(
        `must be an address that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`,
      )
    }
    return value
  }
}

/** Parses an address to which paths are appended. */
const webAddress: Parser<string> = (value) => {
  address('http:', 'https:')(value)
  if (/[?#]/.test(value)) throw new Error('must be an address without ? and #')
  return value.replace(/\/+$/, '')
}

const publicAddress: Parser<string> = (value) => {
  const address = webAddress(value)
  const { username, password } = new URL(address)
  if (username || password) throw new Error('must be an address without user and password')
  return address
}

const issuerAddress: Parser<string> = (value) => {
  publicAddress(value)
  return value
}

const mailAddress: Parser<string> = (value) => {
  if (!/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value))
    throw new Error('must be an e-mail address, or a name with one: Parley <parley@example.com>')
  return value
}

const mailDomains: Parser<string[]> = (value) =>
  list(value.toLowerCase()).map((domain) => {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))
      throw new Error('must be a comma list of domains such as example.com')
    return domain
  })

const privateTargets: Parser<string> = (value) => {
  parsePrivateTargets(value)
  return value
}

const key32: Parser<string> = (value) => {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value) || Buffer.from(value, 'base64').length !== 32) {
    throw new Error('must be 32 bytes in base64')
  }
  return value
}

const list: Parser<string[]> = (value) => value.split(',').flatMap((entry) => entry.trim() || [])

const cidrs: Parser<string[]> = (value) =>
  list(value).map((entry) => {
    const [host = '', bits, ...rest] = entry.split('/')
    const most = isIP(host) === 6 ? 128 : 32
    // Fastify does not support a network of all addresses.
    const valid =
      isIP(host) &&
      !rest.length &&
      (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
    if (!valid) throw new Error('must be a comma list of addresses and CIDRs')
    return entry
  })

const roles: Parser<Role[]> = (value) => {
  const chosen = list(value).map(oneOf<Role>('api', 'worker'))
  if (!chosen.length) throw new Error('must name api, worker or both')
  return chosen
}
