import type { Kysely } from 'kysely'
import { DAY_MS, timestamp } from '../../lib/clock.ts'
import { csvLine } from '../../lib/csv.ts'
import type { Tables } from '../../storage/tables.ts'
import { beginOfDay } from '../local-days.ts'
import { figures } from './figures.ts'
import { namesOfValues } from './names-of-values.ts'
import type { SupportRow } from './tables.ts'

type Db = Kysely<Tables>

/** The number of rows that are read at once. */
const ROWS = 500

/** The columns with the times at which figures count, from the beginning of a conversation on. */
const times = [...new Set(Object.values(figures).map(({ at }) => at))]

const columns = {
  conversation_id: 'conversation_id',
  started_at: 'started_at',
  channel_id: 'channel_id',
  channel: null,
  language: 'language',
  group_id: 'group_id',
  group: null,
  operator_id: 'operator_id',
  operator: null,
  tags: 'tags',
  waited_at: 'waited_at',
  waiting_reason: 'reason',
  answered_at: 'answered_at',
  answer_ms: 'answer_ms',
  answer_open_ms: 'answer_open_ms',
  ended_at: 'ended_at',
  outcome: 'outcome',
  solved_by: 'solved_by',
  solution_ms: 'solution_ms',
  solution_open_ms: 'solution_open_ms',
  reopened_at: 'reopened_at',
  targets_met_at: 'met_at',
  target_missed_at: 'missed_at',
  asked_at: 'asked_at',
  rated_at: 'rated_at',
  rating: 'score',
} as const satisfies Record<string, keyof SupportRow | null>

const named = ['channel', 'group', 'operator'] as const

/**
 * Writes a line of CSV for each conversation that a figure of a period counts: those that began in it, then those of
 * which something else happened in it.
 * @param from, to days as YYYY-MM-DD
 * @param timeZone the zone whose days they are
 */
export async function* listCounted(
  db: Db,
  agentId: number,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): AsyncGenerator<string> {
  const begin = timestamp(beginOfDay(Date.parse(from), timeZone))
  const end = timestamp(beginOfDay(Date.parse(to) + DAY_MS, timeZone))
  const isWithin = (time: string | null) => time !== null && begin <= time && time < end
  yield csvLine(Object.keys(columns))
  for (const [place, at] of times.entries()) {
    const earlier = times.slice(0, place)
    let last: SupportRow | undefined
    do {
      const rows = await readAfter(db, agentId, at, [begin, end], last)
      // A page of the index is read whole, so that no query passes over more rows than that.
      const fresh = rows.filter((row) => !earlier.some((column) => isWithin(row[column])))
      if (fresh.length > 0) yield (await linesOf(db, agentId, fresh)).join('')
      last = rows.length < ROWS ? undefined : rows.at(-1)
    } while (last)
  }
}

async function readAfter(
  db: Db,
  agentId: number,
  at: (typeof times)[number],
  [begin, end]: readonly [string, string],
  last: SupportRow | undefined,
): Promise<SupportRow[]> {
  const after = last?.[at] ?? begin
  return db
    .selectFrom('support_rows')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where(at, '>=', after)
    .where(at, '<', end)
    .$if(last !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([eb(at, '>', after), eb('conversation_id', '>', last?.conversation_id ?? '')]),
      ),
    )
    .orderBy(at)
    .orderBy('conversation_id')
    .limit(ROWS)
    .execute()
}

async function linesOf(db: Db, agentId: number, rows: readonly SupportRow[]): Promise<string[]> {
  const names = new Map<string, Map<string, string | null>>()
  for (const by of named) {
    const ids = rows.map((row) => String(row[`${by}_id`] ?? ''))
    names.set(by, await namesOfValues(db, agentId, by, ids))
  }
  return rows.map((row) =>
    csvLine(
      Object.entries(columns).map(([column, from]) =>
        from === null
          ? (names.get(column)?.get(String(row[`${column}_id` as 'group_id'] ?? '')) ?? null)
          : row[from],
      ),
    ),
  )
}
