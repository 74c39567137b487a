import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { ThreadAliasesTable } from './tables.ts'

/** An event from a person whom the platform may know by several ids. */
interface Identified {
  channelId: number
  thread: string
  /** The person's ids, on platforms where a person can have several. The first known id decides. */
  ids: readonly string[]
  /** Ids that lead to the same chat from now on. */
  newIds: readonly string[]
}

/**
 * Finds the chat of each person, and stores the ids of people with several, so that each id leads to the same chat.
 * @returns the threads, in the order of `all`
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
    // No alias is needed for a person whose only id is the thread itself.
    if (ids.some((id) => id !== thread)) for (const id of ids) if (!known.has(keyOf(id))) keep(found, id)
    for (const id of newIds) keep(moved, id)
    return thread
  })
  await insertAliases(db, found, false)
  await insertAliases(db, moved, true)
  return threads
}

/** Reads the threads of the known ids, by channel and id. */
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
  // When several ids come together for the first time, one of them may already be the thread of a chat.
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
  // Always in the same order, so that no two transactions wait for each other in a deadlock.
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
