import { teamExists } from '../agents/team-of-agent.ts'
import { byCommandLine } from '../audit/record.ts'
import type { Config } from '../config.ts'
import { type Foundation, openFoundation } from '../foundation.ts'
import { listOperators, teamOfOperator } from '../operators/find-operator.ts'
import { joinUrl } from '../operators/links.ts'
import { linksByMail } from '../operators/mails/mail-link.ts'
import type { OperatorRight } from '../operators/operator.ts'
import { invitation } from '../operators/schemas.ts'
import { changeOperator, inviteOperator, resetOperator } from '../operators/team-operators.ts'
import { addressOf } from './address-of.ts'
import { type Command, requiredId, textOption, UsageError } from './command.ts'

export const operatorsInvite: Command = {
  name: 'operators invite',
  usage: 'EMAIL --team ID --right read|respond|manage|own [--name N]',
  summary: 'Invite a person into a team',
  positionals: 1,
  options: { team: { type: 'string' }, right: { type: 'string' }, name: { type: 'string' } },
  async run({ config, positionals, options, print }) {
    const team = requiredId(options.team, '--team')
    const right = rightOption(options.right)
    const name = options.name === undefined ? undefined : textOption(options.name, '--name', '')
    const email = invitation.shape.email.safeParse(positionals[0])
    if (!email.success) throw new UsageError('EMAIL must be an e-mail address')
    await using foundation = await openFoundation(config)
    const { database, box, clock } = foundation
    if (!(await teamExists(database.db, team))) throw new UsageError(`there is no team ${team}`)
    const wish = { email: email.data, right, name }
    const mailLink = linksByMail(config.mail !== null, box)
    const dependencies = { ...database, mailLink }
    const { operator, token } = await inviteOperator(dependencies, team, wish, byCommandLine, clock())
    printLink(print, config, operator.id, token, `Invited ${operator.email}. They join here within 7 days:`)
    return 0
  },
}

export const operatorsList: Command = {
  name: 'operators list',
  usage: '--team ID',
  summary: "List a team's people",
  options: { team: { type: 'string' } },
  async run({ config, options, print }) {
    const team = requiredId(options.team, '--team')
    await using foundation = await openFoundation(config)
    const operators = await listOperators(foundation.database.db, team)
    print(
      operators,
      operators.map(({ id, email, name, right, active }) => [
        String(id),
        email,
        name,
        right,
        ...(active ? [] : ['disabled']),
      ]),
    )
    return 0
  },
}

export const operatorsDisable: Command = {
  name: 'operators disable',
  usage: 'ID',
  summary: 'Sign a person out and do not let them sign in again',
  positionals: 1,
  async run({ config, positionals, print }) {
    const id = requiredId(positionals[0], 'ID')
    await using foundation = await openFoundation(config)
    const team = await teamOf(foundation, id)
    const { db } = foundation.database
    await changeOperator(db, team, id, { active: false }, byCommandLine, foundation.clock())
    print({ operator_id: id, active: false }, `Disabled operator ${id}`)
    return 0
  },
}

export const operatorsReset: Command = {
  name: 'operators reset',
  usage: 'ID',
  summary: 'Sign a person out and make a link by which they choose a new password',
  positionals: 1,
  async run({ config, positionals, print }) {
    const id = requiredId(positionals[0], 'ID')
    await using foundation = await openFoundation(config)
    const team = await teamOf(foundation, id)
    const { database, box, clock } = foundation
    const dependencies = { db: database.db, mailLink: linksByMail(config.mail !== null, box) }
    const { token } = await resetOperator(dependencies, team, id, byCommandLine, clock())
    printLink(print, config, id, token, 'They choose a new password here within 7 days:')
    return 0
  },
}

function printLink(
  print: Parameters<Command['run']>[0]['print'],
  config: Config,
  operator_id: number,
  token: string,
  intro: string,
): void {
  const join_url = joinUrl(addressOf(config), token)
  print({ operator_id, join_url }, [intro, `  ${join_url}`])
}

async function teamOf({ database }: Foundation, id: number): Promise<number> {
  const team = await teamOfOperator(database.db, id)
  if (team === null) throw new UsageError(`there is no operator ${id}`)
  return team
}

function rightOption(value: string | boolean | undefined): OperatorRight {
  const right = invitation.shape.right.safeParse(value)
  if (!right.success) throw new UsageError('--right must be read, respond, manage or own')
  return right.data
}
