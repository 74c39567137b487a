import type { Kysely } from 'kysely'
import { quarterOf } from '../../events/count.ts'
import { takeTurns } from '../../lib/pacing/take-turns.ts'
import type { Tables } from '../../storage/tables.ts'
import { countedIn, kindsOf } from './figures.ts'
import type { SupportCounts, SupportKind, SupportRow } from './tables.ts'

type Db = Kysely<Tables>

/** Counts by figure: by quarter of an hour of a day, or for a month as one. */
type DayCounts = Map<string, Map<number, number>>

/** The quarter under which the counts of a month stand. */
const MONTH = 0

/** The number of rows that one statement writes. */
const ROWS = 100

interface Place {
  kind: SupportKind
  value: string
  day: string
}

/** Changes of the figures of an agent that one transaction writes. */
export class Changes {
  readonly #places = new Map<string, { place: Place; counts: DayCounts }>()

  /** Adds the counts of a conversation, or subtracts them. */
  add(row: SupportRow, sign: 1 | -1): void {
    const counted = countedIn(row)
    for (const [kind, value] of kindsOf(row))
      for (const { name, at } of counted) {
        this.#add({ kind, value, day: at.slice(0, 10) }, name, quarterOf(at), sign)
        this.#add({ kind, value, day: at.slice(0, 7) }, name, MONTH, sign)
      }
  }

  /** Adds the counts of a conversation to a day only, not to its month. */
  addOn(row: SupportRow, day: string): void {
    const counted = countedIn(row).filter(({ at }) => at.startsWith(day))
    for (const [kind, value] of kindsOf(row))
      for (const { name, at } of counted) this.#add({ kind, value, day }, name, quarterOf(at), 1)
  }

  /** Adds the counts of a day to its month. */
  addToMonth(month: string, { kind, value, counts }: Pick<SupportCounts, 'kind' | 'value' | 'counts'>): void {
    for (const [name, quarters] of readCounts(counts))
      for (const by of quarters.values()) this.#add({ kind, value, day: month }, name, MONTH, by)
  }

  /**
   * Puts these counts in the place of all that an agent has on a day or in a month.
   * @returns the number of rows that were wrong
   */
  async replace(db: Db, agentId: number, day: string): Promise<number> {
    const pause = takeTurns()
    const right = new Map<string, { place: Place; counts: string }>()
    for (const [key, { place, counts }] of this.#places) {
      await pause()
      right.set(key, { place, counts: writeCounts(day, counts) })
    }
    const present = new Map<string, string>()
    let deleted = 0
    for (const { kind, value, counts } of await readSupportCounts(db, agentId, day, day)) {
      const place = { kind, value, day }
      present.set(keyOf(place), counts)
      if (right.has(keyOf(place))) continue
      await deleteCounts(db, agentId, place)
      deleted++
    }
    const wrong = [...right].flatMap(([key, one]) => (present.get(key) === one.counts ? [] : [one]))
    await writeRows(db, agentId, wrong)
    return deleted + wrong.length
  }

  #add(place: Place, name: string, quarter: number, by: number): void {
    const key = JSON.stringify([place.kind, place.day, place.value])
    const entry = this.#places.get(key) ?? { place, counts: new Map() }
    this.#places.set(key, entry)
    addTo(entry.counts, name, quarter, by)
  }

  /** Writes the changes, and deletes rows whose counts are all zero now. */
  async write(db: Db, agentId: number): Promise<void> {
    const pause = takeTurns()
    const changed = [...this.#places.values()].flatMap(({ place, counts }) => {
      const left = withoutZeros(counts)
      return left.size === 0 ? [] : [{ place, counts: left }]
    })
    const present = await presentCounts(
      db,
      agentId,
      changed.map(({ place }) => place),
    )
    const written: { place: Place; counts: string }[] = []
    for (const { place, counts } of changed) {
      await pause()
      const all = readCounts(present.get(keyOf(place)) ?? '{}')
      for (const [name, quarters] of counts)
        for (const [quarter, by] of quarters) addTo(all, name, quarter, by)
      const left = withoutZeros(all)
      if (left.size > 0) written.push({ place, counts: writeCounts(place.day, left) })
      else await deleteCounts(db, agentId, place)
    }
    await writeRows(db, agentId, written)
  }
}

async function writeRows(
  db: Db,
  agentId: number,
  written: readonly { place: Place; counts: string }[],
): Promise<void> {
  for (let from = 0; from < written.length; from += ROWS)
    await db
      .insertInto('support_counts')
      .values(
        written
          .slice(from, from + ROWS)
          .map(({ place, counts }) => ({ agent_id: agentId, ...place, counts })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'day', 'kind', 'value'])
          .doUpdateSet(({ ref }) => ({ counts: ref('excluded.counts') })),
      )
      .execute()
}

/** Reads the counts of an agent from a day, or month, to another. Days come between the months around them. */
export async function readSupportCounts(db: Db, agentId: number, from: string, to: string) {
  return db
    .selectFrom('support_counts')
    .select(['kind', 'value', 'day', 'counts'])
    .where('agent_id', '=', agentId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
}

function keyOf({ kind, value, day }: Place): string {
  return JSON.stringify([kind, day, value])
}

function addTo(counts: DayCounts, name: string, quarter: number, by: number): void {
  const quarters = counts.get(name) ?? new Map<number, number>()
  counts.set(name, quarters)
  quarters.set(quarter, (quarters.get(quarter) ?? 0) + by)
}

function withoutZeros(counts: DayCounts): DayCounts {
  const left: DayCounts = new Map()
  for (const [name, quarters] of counts) {
    const some = [...quarters].filter(([, count]) => count !== 0)
    if (some.length > 0) left.set(name, new Map(some))
  }
  return left
}

async function presentCounts(
  db: Db,
  agentId: number,
  places: readonly Place[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(places, ({ kind }) => kind))
    for (const [day, ofDay] of Map.groupBy(ofKind, ({ day }) => day)) {
      const rows = await db
        .selectFrom('support_counts')
        .select(['value', 'counts'])
        .where('agent_id', '=', agentId)
        .where('kind', '=', kind)
        .where('day', '=', day)
        .where(
          'value',
          'in',
          ofDay.map(({ value }) => value),
        )
        .execute()
      for (const { value, counts } of rows) found.set(keyOf({ kind, value, day }), counts)
    }
  return found
}

async function deleteCounts(db: Db, agentId: number, { kind, value, day }: Place): Promise<void> {
  await db
    .deleteFrom('support_counts')
    .where('agent_id', '=', agentId)
    .where('kind', '=', kind)
    .where('day', '=', day)
    .where('value', '=', value)
    .execute()
}

/** True for the row of a month. */
function isMonth(day: string): boolean {
  return day.length === 7
}

/** The counts of a row as they are stored: of a day, pairs of a quarter and its count; of a month, one count. */
export type StoredCounts = Record<string, number[] | number>

function readCounts(text: string): DayCounts {
  const stored = JSON.parse(text) as StoredCounts
  const counts: DayCounts = new Map()
  for (const [name, pairs] of Object.entries(stored)) {
    if (typeof pairs === 'number') addTo(counts, name, MONTH, pairs)
    else for (let at = 0; at < pairs.length; at += 2) addTo(counts, name, pairs[at] ?? 0, pairs[at + 1] ?? 0)
  }
  return counts
}

function writeCounts(day: string, counts: DayCounts): string {
  const entries = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, quarters]) => [
      name,
      isMonth(day) ? (quarters.get(MONTH) ?? 0) : [...quarters].sort(([a], [b]) => a - b).flat(),
    ])
  return JSON.stringify(Object.fromEntries(entries))
}
