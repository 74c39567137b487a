import { DemoRefused, type MadeDemo, makeDemo } from '../demo/make-demo.ts'
import { removeDemo } from '../demo/remove-demo.ts'
import { type Foundation, openFoundation } from '../foundation.ts'
import { typed } from '../lib/typed-command.ts'
import { listOperators } from '../operators/find-operator.ts'
import { addressOf } from './address-of.ts'
import { type Command, requiredId, UsageError } from './command.ts'

const DAYS = 30

const ADDRESS_TOLD =
  '(if the service has another address: the one that it printed when it started, or run this with its variables)'

export const demo: Command = {
  name: 'demo',
  usage: '[--team ID] [--remove]',
  summary:
    'Make an agent "Demo" with a month of conversations of a fictitious shop; --remove: delete it again',
  options: { team: { type: 'string' }, remove: { type: 'boolean' } },
  async run({ config, options, print }) {
    const team = options.team === undefined ? null : requiredId(options.team, '--team')
    if (options.remove && team !== null)
      throw new UsageError('--remove goes without --team: there is one demo')
    await using foundation = await openFoundation(config)
    if (options.remove) {
      const agentId = await removeDemo(foundation)
      const line =
        agentId === null ? 'There is no demo.' : `Agent ${agentId}, the demo, is deleted with all its data.`
      print({ agent_id: agentId, removed: agentId !== null }, line)
      return 0
    }
    const made = await makeDemo(foundation, { team, days: DAYS, onProgress: showProgress() }).catch(
      (error: unknown) => {
        throw error instanceof DemoRefused ? new UsageError(error.message) : error
      },
    )
    const url = `${addressOf(config)}/console/agents/${made.agentId}/inbox`
    print(
      {
        agent_id: made.agentId,
        team_id: made.teamId,
        conversations: made.conversations,
        documents: made.documents,
        languages: made.languages,
        console_url: url,
      },
      [
        `Agent ${made.agentId} "Demo" of team ${made.teamId} has ${made.conversations} conversations of the last ${DAYS} days, in ${made.languages.length} languages, and ${made.documents} documents.`,
        '',
        `Console: ${url}`,
        ...(config.publicUrl === null ? [ADDRESS_TOLD] : []),
        await howToSignIn(foundation, made),
        '',
        `${typed('demo --remove')}   deletes the agent and all that is said in it`,
      ],
    )
    return 0
  },
}

async function howToSignIn({ database }: Foundation, { teamId }: MadeDemo): Promise<string> {
  const first = (await listOperators(database.db, teamId)).find(({ active }) => active)
  if (!first)
    return `Nobody has joined it yet: "${typed('serve')}" prints the address at which you join, once.`
  return `Sign in as ${first.email}. "${typed(`operators reset ${first.id}`)}" makes an address at which you choose a password.`
}

/** Shows the progress on a terminal. */
function showProgress(): (part: number) => void {
  if (!process.stderr.isTTY) return () => {}
  let shown = -1
  return (part) => {
    const percent = Math.floor(part * 100)
    if (percent === shown) return
    shown = percent
    process.stderr.write(percent === 100 ? '\r\u001b[K' : `\rMaking a month of conversations: ${percent} %`)
  }
}
