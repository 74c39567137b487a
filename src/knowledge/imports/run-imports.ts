import type { Kysely } from 'kysely'
import { bySystem, record } from '../../audit/record.ts'
import { raise } from '../../events/raise.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { ProcessEnded } from '../../work/retry.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import { dueAgain } from '../../work/work-columns.ts'
import { because } from '../reasons.ts'
import { type CrawlEnd, crawl, removeFound } from './crawl.ts'
import { everyMs } from './every.ts'
import { forgetPages, lostPage, nextPage, updatePage } from './page-store.ts'
import { countPages, deleteImport, importQueue, selectImport, updateImport } from './store.ts'
import type { ImportRow } from './tables.ts'

/** The topic of wake-ups for imports that wait. */
export const IMPORTS = 'imports'

interface Dependencies extends QueueDependencies {
  outbound: Outbound
}

const IMPORTS_AT_ONCE = 4
const AT_ONCE = 500

/** Crawls sites for the knowledge of agents, repeats crawls, and removes imports with their documents. */
export function runImports({ outbound, ...dependencies }: Dependencies): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  return runQueue<ImportRow>(
    {
      name: 'imports',
      queue: importQueue,
      topics: [IMPORTS],
      atOnce: IMPORTS_AT_ONCE,
      async work(row, lease) {
        if (row.state === 'removing') return removeImport(db, clock, row, lease)
        const present = row.state === 'running' ? row : await begin(clock, row, lease)
        if (row.state === 'running') await blame(db, row, lease)
        const end = await crawl({ db, http: outbound.of(row.team_id), clock }, present, lease)
        if (end.error === null && end.cutBy === null) await removeLost(db, clock, present, lease)
        await finish(db, clock, present, lease, end)
      },
      // An import that is being removed stays so.
      async parked(db, row, error) {
        if (row.state !== 'removing')
          await finish(db, clock, row, null, { cutBy: null, error: inWords(error) })
      },
      raise,
      about: ({ id, agent_id }) => ({ agent_id, import: id }),
    },
    dependencies,
  )
}

function inWords(error: Error): string {
  return because(error instanceof ProcessEnded ? 'process_ended' : 'internal')
}

async function begin(clock: Clock, row: ImportRow, lease: Lease): Promise<ImportRow> {
  return lease.transaction((db) =>
    updateImport(db, row.id, {
      state: 'running',
      run: row.run + 1,
      is_seeded: 0,
      error: null,
      cut_by: null,
      ...dueAgain(null),
      found: 0,
      asked: 0,
      bytes: 0,
      added: 0,
      replaced: 0,
      unchanged: 0,
      removed: 0,
      skipped: 0,
      started_at: timestamp(clock()),
      finished_at: null,
      next_at: null,
    }),
  )
}

/**
 * Counts a try of the page at which a process died or the crawl failed: it is read after the others, and skipped after
 * several tries.
 */
async function blame(db: Kysely<Tables>, row: ImportRow, lease: Lease): Promise<void> {
  if (row.deaths + row.attempts === 0) return
  const page = await nextPage(db, row.id)
  if (!page) return
  await lease.transaction((db) => updatePage(db, page.id, { tries: page.tries + 1 }))
}

/** Removes the documents of pages that are no longer listed, and forgets the other pages of earlier crawls. */
async function removeLost(db: Kysely<Tables>, clock: Clock, row: ImportRow, lease: Lease): Promise<void> {
  for (let after = 0; ; ) {
    lease.signal.throwIfAborted()
    const page = await lostPage(db, row.id, row.run, after)
    if (!page) break
    after = page.id
    if (page.document_id !== null) await removeFound(db, row, page.document_id, clock())
    const gone = { outcome: 'removed', reason: because('no_longer_listed'), document_id: null } as const
    await lease.transaction(async (db) => {
      const at = timestamp(clock())
      await updatePage(db, page.id, { ...gone, content_hash: null, run: row.run, checked_at: at })
      await countPages(db, row, { removed: 1, found: 1 })
    })
  }
  await forgetAll(row, row.run, lease)
}

/** Forgets the pages of crawls before a run. */
async function forgetAll(row: ImportRow, run: number, lease: Lease): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; ) {
    lease.signal.throwIfAborted()
    forgotten = await lease.transaction(async (db) => {
      await importQueue.progress(db, row)
      return forgetPages(db, row.id, run, AT_ONCE)
    })
  }
}

/** Stores the end of a crawl. @param lease null within the transaction that parks the import */
async function finish(
  db: Kysely<Tables>,
  clock: Clock,
  row: ImportRow,
  lease: Lease | null,
  { cutBy, error }: CrawlEnd,
): Promise<void> {
  const { id, agent_id, team_id } = row
  const at = timestamp(clock())
  const store = async (db: Kysely<Tables>) => {
    if (lease) await importQueue.end(db, row)
    // `every` may have been changed since the crawl began.
    const every = (await selectImport(db, agent_id, id))?.every ?? null
    const { added, replaced, removed, skipped } = await updateImport(db, id, {
      state: error === null ? 'done' : 'failed',
      cut_by: cutBy,
      error,
      due_at: null,
      finished_at: at,
      next_at: every === null ? null : timestamp(clock() + everyMs(every)),
    })
    await record(db, {
      ...bySystem,
      teamId: team_id,
      agentId: agent_id,
      at,
      action: error === null ? 'import.finished' : 'import.failed',
      target: `import ${id}`,
      details: { added, replaced, removed, skipped },
    })
  }
  await (lease ? db.transaction().execute(store) : store(db))
}

/** Removes an import with the documents that it made. */
async function removeImport(db: Kysely<Tables>, clock: Clock, row: ImportRow, lease: Lease): Promise<void> {
  for (let after = 0; ; ) {
    lease.signal.throwIfAborted()
    const page = await lostPage(db, row.id, Number.MAX_SAFE_INTEGER, after)
    if (!page) break
    after = page.id
    if (page.document_id !== null) await removeFound(db, row, page.document_id, clock())
    await lease.transaction(async (db) => {
      await updatePage(db, page.id, { document_id: null })
      await importQueue.progress(db, row)
    })
  }
  await forgetAll(row, Number.MAX_SAFE_INTEGER, lease)
  await lease.transaction((db) => deleteImport(db, row.id))
}
