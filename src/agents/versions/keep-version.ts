import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { type Actor, bySystem } from '../../audit/record.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Agent } from '../agent.ts'
import { deleteVersionsUpTo, insertVersion, newestVersion } from './store.ts'
import { settingsOf } from './version-settings.ts'

/** The number of versions of an agent that are kept, the newest ones. */
const VERSIONS_KEPT = 1000

/**
 * Stores the agent's settings after a change, in its transaction, which has locked the agent. Before the first change
 * it also stores the earlier settings. A change without an effect creates no version.
 */
export async function keepVersion(
  db: Kysely<Tables>,
  before: Agent,
  after: Agent,
  by: Actor,
  at: string,
): Promise<void> {
  const changes = changedFields(before, after)
  if (changes.length === 0) return
  const newest = await newestVersion(db, before.id)
  if (newest === 0) await insert(1, before, bySystem.actor, before.createdAt, [])
  const number = Math.max(newest, 1) + 1
  await insert(number, after, by, at, changes)
  if (number > VERSIONS_KEPT) await deleteVersionsUpTo(db, before.id, number - VERSIONS_KEPT)

  async function insert(
    number: number,
    agent: Agent,
    { kind, id, name }: Actor,
    at: string,
    changes: string[],
  ) {
    await insertVersion(db, {
      agent_id: agent.id,
      number,
      at,
      actor_kind: kind,
      actor_id: id,
      actor_name: name,
      changes: JSON.stringify(changes),
      settings: JSON.stringify(settingsOf(agent)),
    })
  }
}

const SERVERS = ['model', 'embedding', 'transcription', 'redaction'] as const

/** Returns the names of the settings in which two states of an agent differ; for servers, the names of their fields. */
function changedFields(before: Agent, after: Agent): string[] {
  const { model: _, embedding: __, transcription: ____, redaction: ___, ...plain } = after.settings
  const names = differing({ ...before.settings, name: before.name }, { name: after.name, ...plain })
  const inside = SERVERS.flatMap((server) =>
    differing(before.settings[server], after.settings[server]).map((field) => `${server}.${field}`),
  )
  return [...names, ...inside]
}

function differing(before: object, after: object): string[] {
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(Reflect.get(before, name), value))
    .map(([name]) => name)
}
