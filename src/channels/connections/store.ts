import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { leasesOf, takenOver } from '../../work/lease.ts'
import type { ChannelConnectionRow } from './tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for connections. */
export const CONNECTIONS = 'connections'

export const connectionLeases = leasesOf('channel_connections')

/**
 * Has a channel be connected anew, within the transaction that changes it. A worker that has the connection loses it.
 */
export async function connectAnew(
  db: Db,
  { id, agent_id }: Pick<ChannelConnectionRow, 'id' | 'agent_id'>,
  now: string,
): Promise<void> {
  const anew = { way: null, failure: null, due_at: now }
  await db
    .insertInto('channel_connections')
    .values({ id, agent_id, ...anew, webhook_url: null, leased_until: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...anew, attempts: 0, ...takenOver('channel_connections') }),
    )
    .execute()
  wake(db, CONNECTIONS)
}

/** Makes the connections due whose platform sends events to another address than it should. */
export async function connectMoved(db: Db, baseUrl: string, now: string): Promise<void> {
  await db
    .updateTable('channel_connections')
    .set({ due_at: now })
    .where('due_at', 'is', null)
    .where(sql<boolean>`substr(webhook_url, 1, ${sql.lit(baseUrl.length + 1)}) <> ${`${baseUrl}/`}`)
    .execute()
}

/** Selects the connections that are due, those first that have been due longest. */
export function dueConnections(db: Db, now: string) {
  return db
    .selectFrom('channel_connections')
    .select('id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
}

/** Returns when the next connection becomes due; null when none waits. */
export async function nextDue(db: Db, now: string): Promise<string | null> {
  const row = await db
    .selectFrom('channel_connections')
    .select('due_at')
    .where('due_at', '>', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

export async function updateConnection(
  db: Db,
  id: number,
  values: Partial<
    Pick<ChannelConnectionRow, 'way' | 'webhook_url' | 'position' | 'failure' | 'attempts' | 'due_at'>
  >,
): Promise<void> {
  await db.updateTable('channel_connections').set(values).where('id', '=', id).execute()
}

/** Reads the connections of some channels. */
export async function selectConnections(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Pick<ChannelConnectionRow, 'way' | 'failure'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('channel_connections')
    .select(['id', 'way', 'failure'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/** Selects, to use in a query, the channels that cannot be connected because their platform refuses the token. */
export function refusedConnections(db: Pick<Db, 'selectFrom'>) {
  return db.selectFrom('channel_connections').select(['id', 'agent_id']).where('failure', '=', 'unauthorized')
}
