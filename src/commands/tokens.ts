import { byCommandLine } from '../audit/record.ts'
import { openFoundation } from '../foundation.ts'
import { isRight, type Right, rights } from '../http/rights.ts'
import { type Command, requiredId, textOption, UsageError } from './command.ts'

export const tokensCreate: Command = {
  name: 'tokens create',
  usage: '--team ID [--name N] [--right R] [--expires 90d]',
  summary: 'Make a bearer token for a team, with the right manage unless --right names another',
  options: {
    team: { type: 'string' },
    name: { type: 'string' },
    right: { type: 'string' },
    expires: { type: 'string' },
  },
  async run({ config, options, print }) {
    const team = requiredId(options.team, '--team')
    const name = textOption(options.name, '--name', 'token')
    const right = rightOption(options.right)
    const lifetime = options.expires === undefined ? null : duration(String(options.expires))
    await using foundation = await openFoundation(config)
    const { database, credentials, clock } = foundation
    const expiresAt = lifetime === null ? null : clock() + lifetime
    const token = await database.db
      .transaction()
      .execute((db) => credentials.issueToken(db, team, { name, right, expiresAt }, byCommandLine))
    if (!token) throw new UsageError(`there is no team ${team}`)
    print(token, [`Token ${token.token_id}, shown only once:`, `  ${token.bearer_token}`])
    return 0
  },
}

export const tokensList: Command = {
  name: 'tokens list',
  usage: '--team ID',
  summary: "List a team's bearer tokens",
  options: { team: { type: 'string' } },
  async run({ config, options, print }) {
    const team = requiredId(options.team, '--team')
    await using foundation = await openFoundation(config)
    const rows = await foundation.credentials.listTokens(team)
    if (!rows) throw new UsageError(`there is no team ${team}`)
    const tokens = rows.map(({ id, name, right, created_at, expires_at, revoked_at }) => ({
      token_id: id,
      name,
      right,
      created_at,
      expires_at,
      revoked_at,
    }))
    print(
      tokens,
      tokens.map((token) => {
        const state = token.revoked_at ? 'revoked' : token.expires_at ? `until ${token.expires_at}` : 'no end'
        return [String(token.token_id), token.name, token.right, token.created_at, state]
      }),
    )
    return 0
  },
}

export const tokensRevoke: Command = {
  name: 'tokens revoke',
  usage: 'ID',
  summary: 'Revoke a bearer token at once',
  positionals: 1,
  async run({ config, positionals, print }) {
    const token_id = requiredId(positionals[0], 'ID')
    await using foundation = await openFoundation(config)
    const revoked = await foundation.credentials.revokeToken({ id: token_id }, byCommandLine)
    if (!revoked) throw new UsageError(`there is no valid token ${token_id}`)
    print({ token_id, revoked }, `Revoked token ${token_id}`)
    return 0
  },
}

function rightOption(value: string | boolean | undefined): Right {
  if (value === undefined) return 'manage'
  if (typeof value !== 'string' || !isRight(value))
    throw new UsageError(`--right must be one of ${rights.join(', ')}`)
  return value
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses `90d`, `12h` or `30m` to milliseconds. */
function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (!count || !unit) throw new UsageError('--expires must be a time such as 90d, 12h or 30m')
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}
