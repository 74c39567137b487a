import type { ModelKind } from './lib/model-kinds.ts'
import { withEnvFile } from './settings/environment.ts'
import { ConfigError, namesOf, readSetting, type Setting } from './settings/setting.ts'
import { MEBIBYTE, type Name, settings, type Values } from './settings/table.ts'

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
  readonly roles: readonly ('api' | 'worker')[]
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

interface MailSettings {
  /** Includes the credentials of the server, if it needs any. */
  readonly smtpUrl: string
  readonly from: string
}

/**
 * Reads the settings from the environment, and from a `.env` file in the working directory for names the
 * environment does not set.
 * @throws ConfigError for an unknown PARLEY_ name or a value that is not valid.
 */
export function readConfig(env: NodeJS.ProcessEnv = withEnvFile()): Config {
  const entries = Object.entries(settings) as [Name, Setting<unknown>][]
  const values = Object.fromEntries(
    entries.map(([name, one]) => [name, readSetting(env, name, one)]),
  ) as Values
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

/**
 * Returns, as text, the settings that two processes of one installation share: all but their address, keys, roles, log,
 * how they were started and what only a first start reads.
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
    roles: _r,
    startedByNpm: _s,
    ...rest
  } = config
  return JSON.stringify(rest)
}
