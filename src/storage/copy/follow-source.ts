import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { type BulkRow, type BulkTable, keyOf, type Note, parseKey } from '../bulk.ts'
import type { CopyNotes } from '../copy-notes.ts'
import { type CopyPlace, remaining } from './copy-place.ts'
import { type CopyWork, keepPlace } from './copy-tables.ts'

/** The work of a copy whose source is in use. */
interface FollowWork extends CopyWork {
  notes: CopyNotes
  /** Aborted when the copy is to end, although its source may go on. */
  stop: AbortSignal
  /** True once nobody writes to the source any more. */
  isOver(): Promise<boolean>
  /** Called when the target has all that the source has, for the first time. */
  caughtUp(): void
}

const PAUSE_MS = 200
/** The number of rows that are read and written at once by their keys. */
const KEYS_AT_ONCE = 500
const KEEP_ON_EVERY_MS = 60_000

/**
 * Copies a source that is in use, and follows its changes until it is over or the copy is to stop. Each step brings the
 * target to one snapshot of the source, as far as the copy has come in it.
 * @returns the place at its end, with the source still at the snapshot that the target has
 * @throws Error if it is to stop before all is copied
 */
export async function followSource(work: FollowWork, begun: CopyPlace): Promise<CopyPlace> {
  const { source, notes, stop, report } = work
  let place = begun
  let [isNear, isLast] = [false, false]
  // A copy that goes on may have little of its time left.
  let keptOn = Number.NEGATIVE_INFINITY
  const counted = new Map<string, { done: number; of: number }>()
  // Whoever described the tables has seen the source as it was then.
  await source.renew()
  for (;;) {
    // SQLite works without a pause, in which no signal would come.
    await turn()
    const { page, noted, reached } = await step(work, place)
    if (page) {
      const { name } = page.table
      const { done, of } = counted.get(name) ?? { done: 0, of: await source.count(page.table, null) }
      counted.set(name, { done: done + page.rows.length, of })
      report({ table: name, done: done + page.rows.length, of })
    }
    // Nobody holds the snapshot between two steps: it would keep SQLite from erasing what is in its log.
    if (!isLast) await source.renew()
    if (noted.length > 0) await notes.forget(noted)
    place = reached
    if (performance.now() - keptOn > KEEP_ON_EVERY_MS) {
      await notes.keepOn()
      keptOn = performance.now()
    }
    if (page) {
      if (stop.aborted) throw new Error('stopped before all was copied: run it again, and it goes on')
      continue
    }
    if (isLast) return place
    if (!isNear) work.caughtUp()
    isNear = true
    // Changes that were written until then come with one more step.
    isLast = stop.aborted || (await work.isOver())
    if (!isLast) await wait(PAUSE_MS, undefined, { signal: stop }).catch(() => {})
  }
}

/** The rows that a step copies, the notes of changes that it follows, and the place that it reaches. */
interface Step {
  page: { table: BulkTable; rows: BulkRow[] } | null
  noted: Note[]
  reached: CopyPlace
}

/** Writes the rows that have changed, and the next page, in one transaction with the place; nothing if nothing is new. */
async function step(work: FollowWork, place: CopyPlace): Promise<Step> {
  const { source, target, tables } = work
  const noted = await source.notes()
  const page = await nextPage(work, place)
  if (!page && noted.length === 0 && place.isComplete) return { page, noted, reached: place }
  const reached: CopyPlace = page
    ? {
        ...place,
        table: page.table.name,
        after: keyOf(page.table, page.rows.at(-1) as BulkRow).map(String),
      }
    : { ...place, isComplete: true }
  await target.transaction(async (writes) => {
    const changed = keysOf(noted, tables)
    // Before any is written: a row may have what another one had.
    for (const [table, keys] of changed) for (const some of pieces(keys)) await writes.delete(table, some)
    for (const [table, keys] of changed) {
      const upTo = reachedIn(table, tables, place)
      if (upTo === 'nothing') continue
      for (const some of pieces(keys)) await writes.insert(table, await source.readKeys(table, some, upTo))
    }
    if (page) await writes.insert(page.table, page.rows)
    await keepPlace(writes, tables, reached)
  })
  return { page, noted, reached }
}

/** Reads the rows after a place; null at the end of the last table. */
async function nextPage({ source, tables }: CopyWork, place: CopyPlace): Promise<Step['page']> {
  if (place.isComplete) return null
  for (const { table, after } of remaining(tables, place)) {
    const rows = await source.read(table, after)
    if (rows.length > 0) return { table, rows }
  }
  return null
}

/** Returns the key up to which a table is copied, null if all of it is. */
function reachedIn(
  table: BulkTable,
  tables: readonly BulkTable[],
  place: CopyPlace,
): BulkRow | null | 'nothing' {
  if (place.isComplete) return null
  const at = tables.findIndex(({ name }) => name === place.table)
  const own = tables.indexOf(table)
  if (own > at) return 'nothing'
  return own < at || !place.after ? null : parseKey(table, place.after)
}

/** Returns the keys of changed rows by table, each once. */
function keysOf(notes: readonly Note[], tables: readonly BulkTable[]): [BulkTable, BulkRow[]][] {
  const byTable = Map.groupBy(notes, ({ table }) => table)
  return tables.flatMap((table): [BulkTable, BulkRow[]][] => {
    const keys = new Set(byTable.get(table.name)?.map(({ key }) => key))
    return keys.size > 0 ? [[table, [...keys].map((key) => parseKey(table, JSON.parse(key)))]] : []
  })
}

function* pieces<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += KEYS_AT_ONCE) yield all.slice(at, at + KEYS_AT_ONCE)
}
