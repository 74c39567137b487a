import { type Kysely, sql } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { isFree } from '../../work/lease.ts'
import { importLeases } from './store.ts'
import type { ImportRow } from './tables.ts'

type Db = Kysely<Tables>

interface Claim {
  holder: string
  nowMs: number
  limit: number
  /** The most imports of one team that the holder may have under way. */
  ofTeam?: number
}

/** Worded as the index of open imports is. */
const OPEN = sql<boolean>`state in ('queued', 'running', 'removing')`

const dueAt = (now: string) => sql<boolean>`(next_at is not null and next_at <= ${now})`

/**
 * Claims imports that are to be removed, crawled, or crawled again. Removals come first, because a crawl may take hours.
 * Imports are given one by one to the team with the fewest under way, so that no team waits until another one's queue is
 * empty, and a team never has more than its share of a process.
 */
export async function claimImports(db: Db, claim: Claim): Promise<ImportRow[]> {
  const claimed: ImportRow[] = []
  while (claimed.length < claim.limit) {
    const teamId = await nextTeam(db, claim)
    const imports = teamId === null ? [] : await claimImport(db, teamId, claim)
    // Another process was faster: there is another look soon.
    if (imports.length === 0) break
    claimed.push(...imports)
  }
  return claimed
}

/**
 * The team whose turn it is: of those that wait, first for a removal, the one with the fewest imports under way, in all
 * processes, and of these the one whose last crawl began first.
 */
async function nextTeam(
  db: Db,
  { holder, nowMs, ofTeam = Number.MAX_SAFE_INTEGER }: Claim,
): Promise<number | null> {
  const now = timestamp(nowMs)
  const free = isFree(now)
  const { rows } = await sql<{ team_id: number }>`
    select team_id from (
      select team_id, state, leased_until, holder from knowledge_imports where ${OPEN}
      union all
      select team_id, state, leased_until, holder from knowledge_imports where ${dueAt(now)}
    ) as open
    group by team_id
    having sum(case when ${free} then 1 else 0 end) > 0
      and sum(case when ${free} or holder <> ${holder} then 0 else 1 end) < ${ofTeam}
    order by max(case when ${free} and state = 'removing' then 1 else 0 end) desc,
      sum(case when ${free} then 0 else 1 end),
      (select coalesce(max(started_at), '') from knowledge_imports as begun where begun.team_id = open.team_id),
      team_id
    limit 1`.execute(db)
  return rows[0]?.team_id ?? null
}

/** Claims the import of a team that has waited longest, but first a removal, and then what was broken off. */
async function claimImport(db: Db, teamId: number, { holder, nowMs }: Claim): Promise<ImportRow[]> {
  const waiting = db
    .selectFrom('knowledge_imports')
    .select('id')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`(${OPEN} or ${dueAt(timestamp(nowMs))})`)
    .orderBy(sql`case state when 'removing' then 0 when 'running' then 1 else 2 end`)
    .orderBy(({ fn }) => fn.coalesce('started_at', 'created_at'))
    .orderBy('id')
  return importLeases.claim(db, waiting, { holder, nowMs, limit: 1 })
}
