import { once } from 'node:events'
import type { Logger } from 'pino'
import { guideAgentId } from '../agents/first-agent.ts'
import { type App, createApp, createLogger } from '../app/create-app.ts'
import { DRAIN_LIMIT_MS } from '../app/workers.ts'
import type { Config } from '../config.ts'
import { keepAssets } from '../console/keep-assets.ts'
import {
  type FirstCredentials,
  issueFirstCredentials,
  makeFirstAgent,
} from '../credentials/issue-first-credentials.ts'
import { openFoundation } from '../foundation.ts'
import { seedGuide } from '../knowledge/documents/seed-guide.ts'
import { typed } from '../lib/typed-command.ts'
import { addFirstOperator, FIRST_EMAIL } from '../operators/first-operator.ts'
import { joinUrl } from '../operators/links.ts'
import { linksByMail } from '../operators/mails/mail-link.ts'
import { untilAvailable } from '../storage/keep-trying.ts'
import { lockFolder } from '../storage/sqlite/serving-lock.ts'
import type { Command, CommandInput } from './command.ts'
import { whenNpmIsGone } from './when-npm-is-gone.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** The time after the drain limit in which the answers that were cut off can be stored. */
const STORE_LIMIT_MS = 3000

export const serve: Command = {
  name: 'serve',
  usage: '[--start-empty]',
  summary: 'Run the service; --start-empty: although the data directory has data that this database has not',
  options: { 'start-empty': { type: 'boolean' } },
  run: async (input) => {
    const { config } = input
    const logger = createLogger(config)
    logWarnings(logger)
    const stopped = stopSignal(config, logger)
    using _lock = lockFolder(config)
    try {
      const app = await start(input, logger, stopped)
      if (!stopped.aborted) await once(stopped, 'abort')
      await app.close()
    } catch (error) {
      // It was told to stop while it waited for the database.
      if (!stopped.aborted) throw error
    }
    return 0
  },
}

async function start(input: CommandInput, logger: Logger, stopped: AbortSignal): Promise<App> {
  const insist = untilAvailable(logger, stopped)
  const { config } = input
  const foundation = await openFoundation(config, Date.now, insist, {
    report: (words) => logger.info(`schema: ${words}`),
    signal: stopped,
    startEmpty: input.options['start-empty'] === true,
  })
  const { db, engine } = foundation.database
  await insist(engine, () => makeFirstAgent(foundation))
  await insist(engine, async () => {
    const guide = await guideAgentId(db)
    if (guide !== null) await seedGuide(foundation.database, guide, foundation.clock())
  })
  await keepAssets(config.dataDir, foundation.clock()).catch((error: unknown) =>
    logger.warn(
      { err: error },
      "the console's scripts are not kept for pages that are open at the next upgrade",
    ),
  )
  const app = await createApp(foundation, logger)
  // Only a process that answers requests can use credentials.
  const isApi = config.roles.includes('api')
  const onListening = async (address: string) => {
    const mailLink = linksByMail(config.mail !== null, foundation.box)
    const issue = () =>
      issueFirstCredentials(db, foundation.credentials, (db, teamId) =>
        addFirstOperator(db, teamId, foundation.clock(), config.init.ownerEmail, mailLink),
      )
    announce(input, config.publicUrl ?? address, isApi ? await insist(engine, issue) : null)
  }
  try {
    await app.listen(onListening, insist)
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Logs warnings of Node and of libraries like everything else, so that no plain text mixes with the JSON. */
function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning: NodeJS.ErrnoException) =>
    logger.warn({ warning: { name: warning.name, code: warning.code } }, 'a library warns'),
  )
}

/**
 * Returns a signal that is aborted at SIGTERM or SIGINT, and when the npm that started this process has gone. The
 * process then ends within a time limit, even if something hangs. A second signal ends it at once.
 */
function stopSignal({ startedByNpm }: Config, logger: Logger): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) return
    logger.info('stopping: finishing what is under way')
    for (const signal of SIGNALS) process.once(signal, () => process.exit(1))
    setTimeout(() => {
      logger.error('stopping: something hangs and is left unfinished')
      process.exit(1)
    }, DRAIN_LIMIT_MS + STORE_LIMIT_MS).unref()
    stopping.abort()
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  if (startedByNpm) whenNpmIsGone(stop)
  return stopping.signal
}

function announce({ config, print }: CommandInput, url: string, first: FirstCredentials | null): void {
  const { init, mail } = config
  const listens = `Parley listens on ${url}`
  if (!first) {
    print({ url }, listens)
    return
  }
  const join_url = init.ownerEmail !== null && mail !== null ? null : joinUrl(url, first.joinToken)
  const { agentId: agent_id, teamId: team_id, issued } = first
  const credentials = issued
    ? { api_key: issued.apiKey, bearer_token: issued.bearerToken }
    : { api_key_file: init.files?.apiKey, bearer_token_file: init.files?.bearerToken }
  print({ url, agent_id, team_id, ...credentials, ...(join_url === null ? {} : { join_url }) }, [
    listens,
    '',
    ...(issued
      ? [
          'An agent is ready. These credentials are shown only once:',
          '',
          `  API key       ${issued.apiKey}`,
          `  Bearer token  ${issued.bearerToken}`,
        ]
      : ['An agent is ready. Its API key and bearer token are in the files of PARLEY_INIT_….']),
    '',
    ...(join_url === null
      ? [`An invitation is mailed to ${init.ownerEmail}.`]
      : [
          `Console: ${join_url}`,
          init.ownerEmail === null
            ? `(works once, within a day; later sign in as ${FIRST_EMAIL}. docs/people.md tells how)`
            : `(works once, within seven days; later sign in as ${init.ownerEmail}. docs/people.md tells how)`,
        ]),
    '',
    ...(issued ? askSomething(url, issued) : []),
    `See it with a month of conversations of a shop: ${typed('demo')}`,
    '',
  ])
}

function askSomething(
  url: string,
  { apiKey, bearerToken }: NonNullable<FirstCredentials['issued']>,
): string[] {
  return [
    'Ask it something:',
    '',
    `curl ${url}/api/v1/chat/completions \\`,
    `  -H 'x-api-key: ${apiKey}' \\`,
    `  -H 'authorization: Bearer ${bearerToken}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '{"messages":[{"role":"user","content":"How do I connect a language model?"}]}'`,
    '',
  ]
}
