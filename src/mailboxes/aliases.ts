import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { ThreadAliasesTable } from './tables.ts'

/** Something of a person who may be known under several ids. */
export interface Identified {
  channelId: number
  thread: string
  /** The person's ids, where a person can have several: the first that is known decides. */
  ids: readonly string[]
  /** Ids that lead to the same chat from now on. */
  newIds: readonly string[]
}

/**
 * Finds the chat of each, and keeps the ids of those with several: whichever of them comes next leads to the same chat.
 * @returns the threads in the order of what was given
 */
export async function resolveThreads(db: Kysely<Tables>, all: readonly Identified[]): Promise<string[]> {
  const known = await readAliases(db, all)
  const found = new Map<string, ThreadAliasesTable>()
  const moved = new Map<string, ThreadAliasesTable>()
  const threads = all.map(({ channelId, thread: named, ids, newIds }) => {
    const keyOf = (id: string) => `${channelId} ${id}`
    const thread = ids.map((id) => known.get(keyOf(id))).find((thread) => thread !== undefined) ?? named
    const keep = (rows: typeof found, alias: string) => {
      known.set(keyOf(alias), thread)
      rows.set(keyOf(alias), { channel_id: channelId, alias, thread })
    }
    // A number by itself names its chat.
    if (ids.some((id) => id !== thread)) for (const id of ids) if (!known.has(keyOf(id))) keep(found, id)
    for (const id of newIds) keep(moved, id)
    return thread
  })
  await insertAliases(db, found, false)
  await insertAliases(db, moved, true)
  return threads
}

/** The threads of ids that are known, by channel and id. */
async function readAliases(db: Kysely<Tables>, all: readonly Identified[]): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const asked = all.filter(({ ids }) => ids.length > 0)
  if (asked.length === 0) return known
  const aliases = await db
    .selectFrom('thread_aliases')
    .selectAll()
    .where('channel_id', 'in', channelsOf(asked))
    .where('alias', 'in', idsOf(asked))
    .execute()
  for (const { channel_id, alias, thread } of aliases) known.set(`${channel_id} ${alias}`, thread)
  // Two ids that come together for the first time: one of them may name a chat already.
  const unknown = asked.filter(
    ({ channelId, ids }) => ids.length > 1 && !ids.some((id) => known.has(`${channelId} ${id}`)),
  )
  if (unknown.length === 0) return known
  const mailboxes = await db
    .selectFrom('mailboxes')
    .select(['channel_id', 'thread'])
    .where('channel_id', 'in', channelsOf(unknown))
    .where('thread', 'in', idsOf(unknown))
    .execute()
  for (const { channel_id, thread } of mailboxes) known.set(`${channel_id} ${thread}`, thread)
  return known
}

function channelsOf(all: readonly Identified[]): number[] {
  return [...new Set(all.map(({ channelId }) => channelId))]
}

function idsOf(all: readonly Identified[]): string[] {
  return [...new Set(all.flatMap(({ ids }) => ids))]
}

async function insertAliases(
  db: Kysely<Tables>,
  rows: Map<string, ThreadAliasesTable>,
  replaces: boolean,
): Promise<void> {
  if (rows.size === 0) return
  // In one order whoever accepts, so that no two transactions wait for each other.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await db
    .insertInto('thread_aliases')
    .values(sorted)
    .onConflict((conflict) => {
      const same = conflict.columns(['channel_id', 'alias'])
      return replaces ? same.doUpdateSet((row) => ({ thread: row.ref('excluded.thread') })) : same.doNothing()
    })
    .execute()
}
