import {
  createFirstAgent,
  type FirstCredentials,
  guideAgentId,
  issueFirstCredentials,
} from '../agents/first-agent.ts'
import { createApp, createLogger } from '../app.ts'
import { openFoundation } from '../foundation.ts'
import { seedGuide } from '../knowledge/seed-guide.ts'
import { addFirstOperator, FIRST_EMAIL } from '../operators/first-operator.ts'
import { joinUrl } from '../operators/links.ts'
import { lockDataDir } from '../storage/serving-lock.ts'
import type { Command, CommandInput } from './command.ts'

export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'Run the service',
  run: async (input) => {
    const { config } = input
    const logger = createLogger(config)
    using _lock = config.databaseUrl === null ? lockDataDir(config.dataDir) : null
    const foundation = await openFoundation(config)
    const { db } = foundation.database
    await createFirstAgent(db, foundation.clock())
    const guide = await guideAgentId(db)
    if (guide !== null) await seedGuide(db, guide, foundation.clock())
    const app = await createApp(foundation, logger)
    const stopped = untilAskedToStop()
    try {
      const address = await app.listen()
      // They are for who asks something, and are shown where that can be asked.
      const isApi = config.roles.includes('api')
      const first = isApi
        ? await issueFirstCredentials(db, foundation.credentials, (db, teamId) =>
            addFirstOperator(db, teamId, foundation.clock()),
          )
        : null
      announce(input, config.publicUrl ?? address, first)
      await stopped
      logger.info('stopping: finishing what is under way')
    } finally {
      await app.close()
    }
    return 0
  },
}

/** Resolves at SIGTERM or SIGINT; a second one ends the process at once. */
function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve()
        process.once(signal, () => process.exit(1))
      })
    }
  })
}

function announce({ print }: CommandInput, url: string, first: FirstCredentials | null): void {
  const lines = [`Parley listens on ${url}`]
  if (first) {
    lines.push(
      '',
      'An agent is ready. These credentials are shown this once:',
      '',
      `  API key       ${first.apiKey}`,
      `  Bearer token  ${first.bearerToken}`,
      '',
      `Console: ${joinUrl(url, first.joinToken)}`,
      `(the link is good once, for a day; sign in as ${FIRST_EMAIL} after that)`,
      '',
      'Ask it something:',
      '',
      `curl ${url}/api/v1/chat/completions \\`,
      `  -H 'x-api-key: ${first.apiKey}' \\`,
      `  -H 'authorization: Bearer ${first.bearerToken}' \\`,
      "  -H 'content-type: application/json' \\",
      `  -d '{"messages":[{"role":"user","content":"How do I connect a language model?"}]}'`,
      '',
    )
  }
  const credentials = first && {
    agent_id: first.agentId,
    team_id: first.teamId,
    api_key: first.apiKey,
    bearer_token: first.bearerToken,
    join_url: joinUrl(url, first.joinToken),
  }
  print({ url, ...credentials }, lines)
}
