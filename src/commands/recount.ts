import { teamOfAgent } from '../agents/team-of-agent.ts'
import { recount as recountFigures } from '../analytics/recount.ts'
import { openFoundation } from '../foundation.ts'
import { type Command, requiredId, UsageError } from './command.ts'

export const recount: Command = {
  name: 'recount',
  usage: '[--agent ID]',
  summary: 'Count the figures of the analytics anew, while the service runs',
  options: { agent: { type: 'string' } },
  yields: true,
  async run({ config, options, print }) {
    const agent = options.agent === undefined ? null : requiredId(options.agent, '--agent')
    await using foundation = await openFoundation(config)
    const { database, clock } = foundation
    if (agent !== null && (await teamOfAgent(database.db, agent)) === null)
      throw new UsageError(`there is no agent ${agent}`)
    const report = (words: string) => void process.stderr.write(`${words}\n`)
    const done = await recountFigures({ database, clock, report }, agent)
    const { events, conversations, righted, left } = done
    print(done, [
      `Counted ${events} events and ${conversations} conversations anew: ${righted === 0 ? 'all figures were right' : `${righted} stored counts were wrong and are right now`}`,
      ...(left === 0
        ? []
        : [
            `${left} conversations could not be counted together: the service counts them one by one, and parks those that fail`,
          ]),
    ])
    return 0
  },
}
