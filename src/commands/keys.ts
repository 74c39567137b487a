import { byCommandLine } from '../audit/record.ts'
import { writeCredential } from '../credentials/credential-text.ts'
import { openFoundation } from '../foundation.ts'
import { type Command, requiredId, textOption, UsageError } from './command.ts'

export const keysCreate: Command = {
  name: 'keys create',
  usage: '--agent ID [--name N]',
  summary: 'Make an API key for an agent',
  options: { agent: { type: 'string' }, name: { type: 'string' } },
  async run({ config, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    const name = textOption(options.name, '--name', 'key')
    await using foundation = await openFoundation(config)
    const { database, credentials } = foundation
    const key = await database.db
      .transaction()
      .execute((db) => credentials.issueKey(db, agent, name, byCommandLine))
    if (!key) throw new UsageError(`there is no agent ${agent}`)
    print(key, [`Key ${key.key_id}, shown only once:`, `  ${key.api_key}`])
    return 0
  },
}

export const keysList: Command = {
  name: 'keys list',
  usage: '--agent ID',
  summary: "List an agent's API keys",
  options: { agent: { type: 'string' } },
  async run({ config, options, print }) {
    const agent = requiredId(options.agent, '--agent')
    await using foundation = await openFoundation(config)
    const rows = await foundation.credentials.listKeys(agent)
    if (!rows) throw new UsageError(`there is no agent ${agent}`)
    const keys = rows.map(({ id, name, created_at, revoked_at }) => ({
      key_id: id,
      name,
      created_at,
      revoked_at,
    }))
    print(
      keys,
      keys.map((key) => [
        String(key.key_id),
        key.name,
        key.created_at,
        ...(key.revoked_at ? ['revoked'] : []),
      ]),
    )
    return 0
  },
}

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: 'ID',
  summary: 'Revoke an API key at once',
  positionals: 1,
  async run({ config, positionals, print }) {
    const key_id = requiredId(positionals[0], 'ID')
    await using foundation = await openFoundation(config)
    const revoked = await foundation.credentials.revokeKey({ id: key_id }, byCommandLine)
    if (!revoked) throw new UsageError(`there is no valid key ${key_id}`)
    print({ key_id, revoked }, `Revoked key ${key_id}`)
    return 0
  },
}

export const keysGenerate: Command = {
  name: 'keys generate',
  usage: '',
  summary: 'Make an API key and a bearer token for the files of PARLEY_INIT_…, before there is a database',
  async run({ print }) {
    const made = { api_key: writeCredential('key', 1), bearer_token: writeCredential('token', 1) }
    print(made, [`API key       ${made.api_key}`, `Bearer token  ${made.bearer_token}`])
    return 0
  },
}
