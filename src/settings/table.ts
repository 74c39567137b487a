import { modelKinds } from '../lib/model-kinds.ts'
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
  privateTargets,
  publicAddress,
  storeAddress,
  text,
  title,
  webAddress,
} from './kinds.ts'
import { namesOf, type Setting, setting } from './setting.ts'

const isSecret = true
export const MEBIBYTE = 1024 * 1024

/** All settings, in the order in which they are documented. `npm run docs:settings` writes them into the docs. */
export const settings = {
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
    ['api', 'worker'] as ('api' | 'worker')[],
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

export type Name = keyof typeof settings
/** The values of all settings, by name. */
export type Values = { [N in Name]: (typeof settings)[N] extends Setting<infer T> ? T : never }

/** The words about a setting in `.env.example` and docs/configuration.md. */
interface SettingText {
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
