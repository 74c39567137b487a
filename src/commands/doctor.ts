import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../agents/agent.ts'
import { fallbacksOf, modelServerOf } from '../agents/model-of-agent.ts'
import { anyEmbedsItself } from '../agents/store.ts'
import { teamExists } from '../agents/team-of-agent.ts'
import { transcriptionServerOf } from '../agents/transcriber-of-agent.ts'
import { countWork } from '../app/count-work.ts'
import { checkAllChannels } from '../channels/check-channel.ts'
import type { Config } from '../config.ts'
import { settingsMark } from '../credentials/settings-mark.ts'
import { checkStore } from '../files/places/check-store.ts'
import { openPlaces } from '../files/places/open-places.ts'
import { type Foundation, openFoundation } from '../foundation.ts'
import { SETTINGS_MARK } from '../http/health.ts'
import { openMailer } from '../lib/mail.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import type { ModelServer } from '../model/ask-model-server.ts'
import { checkModelServer, checkTranscriptionServer } from '../model/check-model-server.ts'
import type { TranscriptionServer } from '../model/transcriber.ts'
import { openSingleSignOn } from '../operators/oidc/single-sign-on.ts'
import { settingsGiven } from '../settings/environment.ts'
import { requireDatabase } from '../storage/database.ts'
import { skewInWords } from '../storage/database-time.ts'
import type { Tables } from '../storage/tables.ts'
import { offersTools } from '../tools/offers-tools.ts'
import { localAddress } from './address-of.ts'
import { checkPublicAddress } from './check-public-address.ts'
import type { Command } from './command.ts'
import { failureInWords } from './failure-in-words.ts'

interface Finding {
  check: string
  /** True if nothing is wrong; a missing service or setting is not wrong. */
  ok: boolean
  state: 'ok' | 'failed' | 'absent'
  detail: string
}

/** The result of a check. A check that fails throws. */
interface Found {
  detail: string
  /** True if the thing to check is not set up, or does not run. */
  isAbsent?: boolean
}

/** Opens the database for the first check that needs it. Each check reports why it could not be opened. */
type Open = () => Promise<Foundation>

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary:
    'Check settings, public address, database, clock, background work, files, model, transcription, channels, sign-in and mail',
  async run({ config, print }) {
    const findings: Finding[] = []
    let opened: Promise<Foundation> | undefined
    const open = () => {
      requireDatabase(config)
      return (opened ??= openFoundation(config))
    }
    findings.push(await check('settings', async () => ({ detail: settingsInWords() })))
    findings.push(await check('service', () => checkService(config, open)))
    findings.push(await check('public address', () => checkAddress(config, open)))
    findings.push(await check('database', () => checkDatabase(open)))
    findings.push(await check('clock', () => checkClock(config, open)))
    findings.push(await check('work', () => checkWork(config, open)))
    findings.push(await check('files', () => checkFiles(config, open)))
    findings.push(await check('model', () => checkModels(config, open)))
    findings.push(await check('transcription', () => checkTranscription(config, open)))
    findings.push(await check('channels', () => checkChannels(config, open)))
    findings.push(await check('single sign-on', () => checkSingleSignOn(config, open)))
    findings.push(await check('mail', () => checkMail(config)))
    await (await opened?.catch(() => null))?.close()
    const ok = findings.every((finding) => finding.ok)
    print(
      { ok, findings },
      findings.map(({ check, state, detail }) => `${LABELS[state]}  ${check}: ${detail}`),
    )
    return ok ? 0 : 1
  },
}

const LABELS = { ok: 'ok    ', failed: 'FAILED', absent: 'absent' } as const

async function check(name: string, look: () => Promise<Found>): Promise<Finding> {
  try {
    const { detail, isAbsent } = await look()
    return { check: name, ok: true, state: isAbsent ? 'absent' : 'ok', detail }
  } catch (error) {
    return { check: name, ok: false, state: 'failed', detail: failureInWords(error) }
  }
}

/** Describes the settings of this command, because the running service may have been started with others. */
function settingsInWords(): string {
  const { names, file } = settingsGiven()
  const from =
    file === null ? 'the environment of this command' : `the environment of this command and ${file}`
  return `all are valid, read from ${from}: ${names.length > 0 ? `${names.join(', ')} set` : 'none set'}`
}

/** Checks whether a service runs at the configured address, and has the same settings. */
async function checkService(config: Config, open: Open): Promise<Found> {
  if (config.port === 0)
    return {
      detail: 'PARLEY_PORT is 0: a service that runs took a port that is not known here',
      isAbsent: true,
    }
  const url = localAddress(config)
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
  try {
    const answer = await outbound
      .of(null)
      .request(`${url}/healthz`, { trusted: true, timeoutMs: 5000, maxResponseBytes: 64 * 1024 })
      .catch(() => null)
    if (answer === null)
      return {
        detail: `none answers at ${url}: all that follows is about the settings of this command`,
        isAbsent: true,
      }
    const mark = answer.headers[SETTINGS_MARK]
    if (typeof mark !== 'string')
      return { detail: `what answers at ${url} is no Parley, or an older one`, isAbsent: true }
    const { credentials } = await open()
    if (mark === settingsMark(config, credentials))
      return { detail: `the one at ${url} runs with the same settings` }
    throw new Error(
      `the one at ${url} runs with other settings than this command has: run doctor in the same folder, with the same ` +
        'environment; all that follows is about the settings of this command',
    )
  } finally {
    await outbound.close()
  }
}

/** Checks the service at the address that people and proxies know. */
async function checkAddress(config: Config, open: Open): Promise<Found> {
  const { publicUrl: url, bodyLimit, uploadLimit, fileLimit } = config
  if (url === null)
    return {
      detail: 'PARLEY_PUBLIC_URL is not set: behind a proxy nobody could sign in to the console',
      isAbsent: true,
    }
  const { credentials } = await open()
  const mark = settingsMark(config, credentials)
  const largestBody = Math.max(bodyLimit, uploadLimit, fileLimit)
  return { detail: await checkPublicAddress({ url, largestBody, mark }) }
}

async function checkDatabase(open: Open): Promise<Found> {
  const { database } = await open()
  await database.ping()
  if (database.missing !== null) throw new Error(database.missing)
  const warning = await database.engine.rowSecurityWarning()
  const detail = `${database.engine.title} answers, the schema is up to date`
  return { detail: warning === null ? detail : `${detail}; ${warning}` }
}

/** Counts the background work: for parked work somebody should read the log, but it is no fault. */
async function checkWork(config: Config, open: Open): Promise<Found> {
  const { db } = (await open()).database
  const isEmbedding = config.embedding.url !== null || (await anyEmbedsItself(db))
  const counted = await countWork(db, { nowMs: Date.now(), isEmbedding, isMailing: config.mail !== null })
  const words = counted.flatMap(([kind, counts]) => {
    const some = Object.entries(counts).filter(([, count]) => count > 0)
    if (some.length === 0) return []
    return [`${kind.replace('_', ' ')} ${some.map(([state, count]) => `${count} ${state}`).join(', ')}`]
  })
  return { detail: words.length > 0 ? words.join('; ') : 'none waits or is parked' }
}

/**
 * Checks the clock. One far in the past breaks ids, signatures and expiry. One that differs from the database's by
 * seconds is wrong.
 */
async function checkClock(config: Config, open: Open): Promise<Found> {
  const now = new Date()
  if (now.getUTCFullYear() < 2026) throw new Error(`the clock says ${now.toISOString()}`)
  if (config.databaseUrl === null) return { detail: now.toISOString() }
  // Another check reports why the database cannot be opened.
  const opened = await open().catch(() => null)
  if (!opened) return { detail: now.toISOString() }
  const wrong = skewInWords(opened.database.time)
  if (wrong !== null) throw new Error(wrong)
  return { detail: `${now.toISOString()}, the database agrees` }
}

/** Writes, reads and removes a file in the store of files. */
async function checkFiles(config: Config, open: Open): Promise<Found> {
  if (config.files.url === null) return { detail: 'the database keeps them', isAbsent: true }
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
  try {
    const { db } = (await open()).database
    await checkStore(openPlaces(db, config.files, outbound.of(null)))
    return { detail: 'the store takes, returns and removes them' }
  } finally {
    await outbound.close()
  }
}

/** Checks the server of each model that an agent uses, once per server. */
async function checkModels(config: Config, open: Open): Promise<Found> {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  try {
    const { box, database } = await open()
    const agents = await listAllAgents(database.db)
    const uses = agents.flatMap((agent) => {
      const own = modelServerOf(agent, config.model, box)
      const servers = own ? [own, ...fallbacksOf(agent, own.name, box)] : [null]
      return servers.map((server) => ({ agent, server }))
    })
    return await checkServers<ModelServer>(
      uses,
      'none is set, the built-in knowledge answerer answers',
      async (server, those) =>
        checkModelServer(server, outbound.of(null), await anyOffersTools(database.db, those)),
    )
  } finally {
    await outbound.close()
  }
}

/** Asks each server that writes down voice messages to an agent to write down a sound, once per server. */
async function checkTranscription(config: Config, open: Open): Promise<Found> {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  try {
    const { box, database } = await open()
    const uses = (await listAllAgents(database.db)).map((agent) => ({
      agent,
      server: transcriptionServerOf(agent, config.transcription, box),
    }))
    return await checkServers<TranscriptionServer>(
      uses,
      'none is set, voice messages are not written down',
      (server) => checkTranscriptionServer(server, outbound.of(null)),
    )
  } finally {
    await outbound.close()
  }
}

interface Use<Server> {
  agent: Agent
  /** Null: none. */
  server: Server | null
}

/** Checks each server once. @param none says what agents without a server do */
async function checkServers<Server>(
  uses: readonly Use<Server>[],
  none: string,
  look: (server: Server, uses: readonly Use<Server>[]) => Promise<string>,
): Promise<Found> {
  const served = Map.groupBy(uses, ({ server }) => JSON.stringify(server))
  const found: string[] = []
  const failed: string[] = []
  for (const [key, those] of served) {
    const server = JSON.parse(key) as Server | null
    const whose = served.size > 1 ? `${agentsInWords(those.map(({ agent }) => agent))}: ` : ''
    if (server === null) found.push(whose + none)
    else
      await look(server, those).then(
        (words) => found.push(whose + words),
        (error: Error) => failed.push(whose + error.message),
      )
  }
  if (failed.length > 0) throw new Error(failed.join('; '))
  return { detail: found.join('; '), isAbsent: [...served.keys()].every((key) => key === 'null') }
}

async function anyOffersTools(db: Kysely<Tables>, uses: readonly { agent: Agent }[]): Promise<boolean> {
  for (const { agent } of uses) if (await offersTools(db, agent)) return true
  return false
}

function agentsInWords(agents: readonly Agent[]): string {
  const ids = agents.slice(0, 5).map(({ id }) => id)
  return `${agents.length === 1 ? 'agent' : 'agents'} ${ids.join(', ')}${agents.length > 5 ? ', …' : ''}`
}

/** Asks each platform whether the token of its active channels works. */
async function checkChannels(config: Config, open: Open): Promise<Found> {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  try {
    const { box, database } = await open()
    const checked = await checkAllChannels({ db: database.db, box, outbound })
    const failed = checked.filter(({ failure }) => failure !== null)
    if (failed.length > 0)
      throw new Error(failed.map(({ id, kind, failure }) => `channel ${id} (${kind}): ${failure}`).join('; '))
    if (checked.length === 0) return { detail: 'there are none', isAbsent: true }
    return { detail: `the tokens of ${checked.length} work` }
  } finally {
    await outbound.close()
  }
}

/** Reads the identity provider's published description. */
async function checkSingleSignOn(config: Config, open: Open): Promise<Found> {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  try {
    const singleSignOn = await openSingleSignOn(config.oidc, { outbound, clock: Date.now })
    if (!singleSignOn) return { detail: 'PARLEY_OIDC_ISSUER is not set', isAbsent: true }
    const { newcomers, issuer } = singleSignOn.settings
    await singleSignOn.provider.check().catch((error: Error) => {
      throw new Error(
        error.message === 'provider_unreachable'
          ? `${issuer} does not answer`
          : `${issuer} does not describe itself as a provider of that name`,
      )
    })
    if (newcomers && !(await teamExists((await open()).database.db, newcomers.teamId)))
      throw new Error(`there is no team ${newcomers.teamId}, which PARLEY_OIDC_TEAM names`)
    return { detail: `${issuer} answers` }
  } finally {
    await outbound.close()
  }
}

/** Connects to the mail server and signs in there. */
async function checkMail({ mail }: Config): Promise<Found> {
  if (mail === null) return { detail: 'PARLEY_SMTP_URL is not set', isAbsent: true }
  await openMailer(mail).check()
  return { detail: `${new URL(mail.smtpUrl).host} takes mail from ${mail.from}` }
}
