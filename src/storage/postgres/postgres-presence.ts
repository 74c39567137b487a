import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { timestamp } from '../../lib/clock.ts'
import type { followedTime } from '../database-time.ts'
import { GONE_AFTER_MS, joinProcesses, leaveProcesses, type Presence } from '../presence.ts'
import type { Tables } from '../tables.ts'
import type { KeptSession } from './postgres-session.ts'

/** A process that itself paused for longer than this cannot tell whether the others were alive meanwhile. */
const ATTENTIVE_MS = 1500
/** The further time that it gives them after the pause: if the database was away, they may still be connecting. */
const RECONNECTING_MS = 5000

/** SQL for the time of the database, in milliseconds since the epoch. */
export const NOW_MS = 'extract(epoch from clock_timestamp())::float8 * 1000'

/** Raises this process's count and returns the counts of the others, and the time. */
const BEAT = `with mine as (
    insert into processes (id, beats, gone, seen_at) values ($1, 1, 0, $2)
    on conflict (id) do update set beats = processes.beats + 1, gone = 0, seen_at = excluded.seen_at)
  select id, beats, ${NOW_MS} as now from processes where gone = 0 and id <> $1
  union all select null, 0, ${NOW_MS}`

/**
 * Creates presence by beats: each process raises a count in its own row and watches the counts of the others. Each
 * measures time by its own clock, so the clocks need not agree.
 */
export function postgresPresence(
  db: Kysely<Tables>,
  session: KeptSession,
  time: ReturnType<typeof followedTime>,
): Presence {
  const id = randomUUID()
  let isOn = false
  let lastBeat = Number.NEGATIVE_INFINITY
  /** The counts of the others, with the time since which each has stood still. */
  let seen = new Map<string, { beats: number; since: number }>()

  async function beat(client: pg.Client): Promise<void> {
    // The session also serves other purposes, and needs a query to find out whether it is still open.
    if (!isOn)
      return time.measure(
        async () => (await client.query<{ now: number }>(`select ${NOW_MS} as now`)).rows[0]?.now ?? 0,
      )
    let counts: { id: string | null; beats: number }[] = []
    await time.measure(async () => {
      const { rows } = await client.query<{ id: string | null; beats: number; now: number }>(BEAT, [
        id,
        timestamp(Date.now()),
      ])
      counts = rows
      return rows.at(-1)?.now ?? 0
    })
    const now = performance.now()
    const hasPaused = now - lastBeat > ATTENTIVE_MS
    if (hasPaused) seen = new Map()
    const first = hasPaused && Number.isFinite(lastBeat) ? now + RECONNECTING_MS : now
    lastBeat = now
    const before = seen
    seen = new Map()
    for (const { id, beats } of counts) {
      if (id === null) continue
      const known = before.get(id)
      const since = known === undefined ? first : known.beats === beats ? known.since : now
      seen.set(id, { beats, since })
      if (now - since > GONE_AFTER_MS)
        await client.query('update processes set gone = 1 where id = $1 and beats = $2', [id, beats])
    }
  }

  session.add({ beat })
  return {
    id,
    async start() {
      await joinProcesses(db, id, Date.now())
      isOn = true
      session.open()
    },
    async stop() {
      if (!isOn) return
      isOn = false
      await leaveProcesses(db, id)
    },
  }
}
