import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { type Agent, listAllAgents } from '../agents/agent.ts'
import { teamExists, teamOfAgent } from '../agents/team-of-agent.ts'
import { byCommandLine } from '../audit/record.ts'
import { applyConfig } from '../config-files/apply-config.ts'
import { readConfigFile, withPlaces } from '../config-files/config-file.ts'
import { differences } from '../config-files/differences.ts'
import { exportConfig } from '../config-files/export-config.ts'
import { shown } from '../config-files/item.ts'
import { type Foundation, openFoundation } from '../foundation.ts'
import { timestamp } from '../lib/clock.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import { filesWithOwnSecrets, variable } from '../settings/environment.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, type CommandInput, requiredId, UsageError } from './command.ts'

export const configExport: Command = {
  name: 'config export',
  usage: 'FILE [--agent ID]',
  summary: 'Write all that is set of an agent to a YAML file, without secrets; FILE may be - for stdout',
  options: { agent: { type: 'string' } },
  positionals: 1,
  async run({ config, positionals: [file = ''], options, print }) {
    const agent = options.agent === undefined ? null : requiredId(options.agent, '--agent')
    await using foundation = await openFoundation(config)
    const { agentId, teamId } = await requiredAgent(foundation.database.db, agent)
    await using context = contextOf(foundation, teamId)
    const text = await exportConfig({ ...context, agentId })
    if (file === '-') print({ agent_id: agentId, text }, text.trimEnd().split('\n'))
    else {
      await writeFile(file, text)
      print({ agent_id: agentId, file }, `Agent ${agentId} is written to ${file}`)
    }
    return 0
  },
}

export const configApply: Command = {
  name: 'config apply',
  usage: 'FILE [--agent ID | --team ID] [--dry-run] [--prune] [--secrets-from FOLDER] [--without-secrets]',
  summary: 'Bring an agent to what a file says; --dry-run: only print what would change',
  options: {
    agent: { type: 'string' },
    team: { type: 'string' },
    'dry-run': { type: 'boolean' },
    prune: { type: 'boolean' },
    'secrets-from': { type: 'string' },
    'without-secrets': { type: 'boolean' },
  },
  positionals: 1,
  async run({ config, positionals: [file = ''], options, print }) {
    if (options.agent !== undefined && options.team !== undefined)
      throw new UsageError('give --agent or --team, not both')
    const folder = options['secrets-from']
    if (typeof folder === 'string' && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError('--secrets-from must name a folder')
    const given = readConfigFile(file, {
      variable,
      folder: typeof folder === 'string' ? folder : undefined,
      own: filesWithOwnSecrets(config.dataDir),
    })
    await using foundation = await openFoundation(config)
    const { agentId, teamId } = await targetOf(foundation.database.db, options, given.agent?.name)
    await using context = contextOf(foundation, teamId)
    const dryRun = options['dry-run'] === true
    const applied = await withPlaces(file, given.lineOf, () =>
      applyConfig(context, agentId, given, {
        dryRun,
        prune: options.prune === true,
        withoutSecrets: options['without-secrets'] === true,
      }),
    )
    const { changes } = applied
    const left_out = applied.leftOut.map((path) => ({ line: given.lineOf(path), path: shown(path) }))
    const secrets = dryRun ? [] : applied.secrets
    const agent = dryRun && agentId === null ? null : applied.agentId
    print({ agent_id: agent, dry_run: dryRun, changes, secrets, left_out }, [
      ...differences(changes),
      ...secrets.map(({ kind, name, secret }) => `The secret of ${kind} ${name}, shown only once: ${secret}`),
      ...left_out.map(({ line, path }) => `${file}:${line}: ${path} is left out: set it in the console`),
      summaryOf(changes.length, agent, dryRun),
    ])
    return 0
  },
}

function summaryOf(count: number, agent: number | null, dryRun: boolean): string {
  const whose = agent === null ? 'a new agent' : `agent ${agent}`
  if (count === 0) return `Nothing to change: ${whose} is as the file says`
  const what = count === 1 ? '1 change' : `${count} changes`
  return dryRun ? `${what} to make for ${whose}; nothing is changed yet` : `${what} made for ${whose}`
}

/** Returns the agent that a file is for; null for a new one. */
async function targetOf(
  db: Kysely<Tables>,
  { agent, team }: CommandInput['options'],
  name: unknown,
): Promise<{ agentId: number | null; teamId: number }> {
  if (team === undefined) return requiredAgent(db, agent === undefined ? null : requiredId(agent, '--agent'))
  const teamId = requiredId(team, '--team')
  if (!(await teamExists(db, teamId))) throw new UsageError(`there is no team ${teamId}`)
  const [found, other] = (await presentAgents(db)).filter((one) => one.teamId === teamId && one.name === name)
  if (other) throw new UsageError(`team ${teamId} has several agents of this name: say which with --agent`)
  return { agentId: found?.id ?? null, teamId }
}

/** Returns an agent, or the only one. */
async function requiredAgent(
  db: Kysely<Tables>,
  id: number | null,
): Promise<{ agentId: number; teamId: number }> {
  if (id !== null) {
    const teamId = await teamOfAgent(db, id)
    if (teamId === null) throw new UsageError(`there is no agent ${id}`)
    return { agentId: id, teamId }
  }
  const [only, ...others] = await presentAgents(db)
  if (!only) throw new UsageError('there is no agent: make one with "parley agents create"')
  if (others.length > 0) throw new UsageError('say with --agent which agent: "parley agents list" shows them')
  return { agentId: only.id, teamId: only.teamId }
}

async function presentAgents(db: Kysely<Tables>): Promise<Agent[]> {
  const present: Agent[] = []
  for (const agent of await listAllAgents(db))
    if ((await teamOfAgent(db, agent.id)) !== null) present.push(agent)
  return present
}

function contextOf({ config, database, box, clock }: Foundation, teamId: number) {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  const nowMs = clock()
  return {
    db: database.db,
    engine: database.engine,
    box,
    outbound,
    by: { ...byCommandLine, teamId },
    nowMs,
    now: timestamp(nowMs),
    [Symbol.asyncDispose]: () => outbound.close(),
  }
}
