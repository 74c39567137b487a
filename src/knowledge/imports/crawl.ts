import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { OutboundError, type TeamHttp } from '../../lib/outbound/outbound.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Lease, LeaseLost } from '../../work/lease.ts'
import { removeDocument } from '../documents/remove-document.ts'
import { stepAside } from '../documents/seed-guide.ts'
import { because } from '../reasons.ts'
import { type Fetched, fetchFile, fetchPage } from './fetch-page.ts'
import { addPages, isElsewhere, knownPages, nextPage, skipWaiting, updatePage } from './page-store.ts'
import { type ReadFoundPage, readFoundPage } from './read-found-page.ts'
import { readSitemaps } from './read-sitemaps.ts'
import { LONGEST_ROBOTS, type Robots, readRobots } from './robots.ts'
import { type Site, siteOf } from './site.ts'
import { countPages, isRemoved, updateImport } from './store.ts'
import type { ImportRow, PageOutcome, PageRow } from './tables.ts'

interface CrawlDependencies {
  db: Kysely<Tables>
  http: TeamHttp
  clock: Clock
}

/** The outcome of a crawl. */
export interface CrawlEnd {
  cutBy: ImportRow['cut_by']
  /** The reason for which nothing could be read at all; null: something was. */
  error: string | null
}

const LONGEST_CRAWL_MS = 6 * 60 * 60 * 1000
const MOST_BYTES = 2_000_000_000
const MOST_FOUND = 50_000
const MOST_TRIES = 3
/** The number of pages that one transaction adds or skips. */
const AT_ONCE = 500

/**
 * Crawls a site, or continues where a process that died stopped. Each page is stored with its outcome in one
 * transaction that holds the lease.
 */
export async function crawl(
  { db, http, clock }: CrawlDependencies,
  row: ImportRow,
  lease: Lease,
): Promise<CrawlEnd> {
  const site = siteOf(row.url, JSON.parse(row.include), JSON.parse(row.exclude))
  const robots = await askRobots()
  if ('refused' in robots) return { cutBy: null, error: robots.refused }
  let present = row
  if (row.is_seeded === 0) {
    const refused = await seed()
    if (refused !== null) return { cutBy: null, error: refused }
  }
  for (;;) {
    lease.signal.throwIfAborted()
    const page = await nextPage(db, row.id)
    if (!page) return { cutBy: null, error: errorOf() }
    const cutBy = boundOf(present)
    if (cutBy !== null) {
      await cut(cutBy)
      return { cutBy, error: null }
    }
    await work(page)
  }

  /** Reads the rules of the site for crawlers. A site without robots.txt has none. */
  async function askRobots(): Promise<Robots | { refused: string }> {
    const address = new URL('/robots.txt', row.url).href
    const answer = await fetchFile(http, address, leavesSite, lease.signal)
    if (answer.kind === 'read') return readRobots(answer.bytes.subarray(0, LONGEST_ROBOTS).toString('utf8'))
    if (answer.kind === 'failed' && answer.isPassing)
      return { refused: because('no_robots', { reason: answer.reason }) }
    return readRobots('')
  }

  /**
   * Stores the pages with which the crawl begins: those that are named, and those of earlier crawls. Returns an error
   * or null.
   */
  async function seed(): Promise<string | null> {
    const known = await knownPages(db, row.id)
    let named = [row.url]
    let isWhole = false
    if (row.kind === 'sitemap') {
      const read = await readSitemaps(row.team_id, http, row.url, leavesSite, lease.signal)
      if ('refused' in read) return read.refused
      named = read.pages
      isWhole = read.isWhole
    }
    await plant(named, 0)
    // A page that a whole sitemap no longer lists is gone. A page to which no link leads any more may still be there.
    if (!isWhole) await plant(known, 1)
    await db.transaction().execute(async (db) => {
      await lease.hold(db)
      await updateImport(db, row.id, { is_seeded: 1 })
    })
    return null
  }

  /** Adds many pages, in short transactions. */
  async function plant(addresses: readonly string[], depth: number): Promise<void> {
    for (let at = 0; at < addresses.length; at += AT_ONCE) {
      const pages = pagesOf(addresses.slice(at, at + AT_ONCE))
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        present = await countPages(db, present, { found: await addPages(db, row, pages, depth) })
      })
      await nextTurn()
    }
  }

  function leavesSite(address: string): string | null {
    return site.pageAt(address) === null && !isPlainFile(address, site) ? because('leads_away') : null
  }

  function pagesOf(addresses: readonly string[]): string[] {
    const pages = addresses.map((address) => site.pageAt(address)).filter((page) => page !== null)
    return [...new Set(pages)].slice(0, Math.max(0, MOST_FOUND - present.found))
  }

  async function work(page: PageRow): Promise<void> {
    const refusal = refusalOf(page)
    if (refusal !== null) return settle(page, { ...NOTHING, reason: refusal, isUnwanted: true })
    if ('allows' in robots && robots.delayMs > 0 && present.asked > 0) await pause(robots.delayMs)
    const answer = await ask(page)
    if (answer.kind === 'failed' && answer.isPassing && page.tries + 1 < MOST_TRIES) {
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await updatePage(db, page.id, { tries: page.tries + 1 })
        present = await countPages(db, present, { asked: 1 })
      })
      return pause(Math.max(answer.waitMs, RETRY_MS))
    }
    const bytes = answer.kind === 'read' ? answer.bytes.length : 0
    await settle(page, await readAnswer(page, answer), { asked: 1, bytes })
  }

  function refusalOf(page: PageRow): string | null {
    if (page.tries >= MOST_TRIES) return because('page_ended_process')
    const isStart = page.depth === 0 && row.kind === 'site'
    if ('allows' in robots && !robots.allows(page.url)) return because('disallowed')
    // The first page is read at least for its links.
    return isStart ? null : site.refusalOf(page.url)
  }

  async function ask(page: PageRow): Promise<Fetched> {
    try {
      return await fetchPage(http, page.url, mayFollow, lease.signal)
    } catch (error) {
      lease.signal.throwIfAborted()
      if (!(error instanceof OutboundError)) throw error
      return { kind: 'failed', reason: error.message, isPassing: true, waitMs: 0 }
    }
  }

  function mayFollow(address: string): string | null {
    if (site.pageAt(address) === null) return because('leads_away')
    return 'allows' in robots && !robots.allows(address) ? because('leads_to_disallowed') : null
  }

  async function readAnswer(page: PageRow, answer: Fetched): Promise<ReadFoundPage> {
    if (answer.kind === 'failed') return { ...NOTHING, reason: answer.reason }
    if (answer.kind === 'gone') return { ...NOTHING, reason: answer.reason, isUnwanted: true }
    if (answer.kind === 'moved')
      return {
        ...NOTHING,
        reason: because('leads_to', { address: answer.to }),
        links: [answer.to],
        isUnwanted: true,
      }
    const read = await readFoundPage(db, row, page, answer, clock(), site.refusalOf(page.url))
    if (read.outcome === 'added' && present.added === 0) await stepAside(db, row.agent_id, clock())
    return read
  }

  /** Stores the outcome of a page, and the pages to which it links. */
  async function settle(
    page: PageRow,
    { outcome, reason, documentId, hash, links, isUnwanted }: ReadFoundPage,
    counts: { asked?: number; bytes?: number } = {},
  ): Promise<void> {
    const removes = isUnwanted && page.document_id !== null
    if (removes && page.document_id !== null) await removeFound(db, row, page.document_id, clock())
    const became: PageOutcome = removes ? 'removed' : outcome
    const pages = pagesOf(links)
    try {
      await db.transaction().execute(async (db) => {
        await lease.hold(db)
        await updatePage(db, page.id, {
          waiting: 0,
          outcome: became,
          reason,
          document_id: isUnwanted ? null : (documentId ?? page.document_id),
          content_hash: isUnwanted ? null : (hash ?? page.content_hash),
          checked_at: timestamp(clock()),
        })
        const found = pages.length === 0 ? 0 : await addPages(db, row, pages, page.depth + 1)
        present = await countPages(db, present, { ...counts, found, [became]: 1 })
      })
    } catch (error) {
      // The removal of the import did not know of this document.
      const isOrphan = error instanceof LeaseLost && documentId !== null && (await isRemoved(db, row.id))
      if (isOrphan) await removeFound(db, row, documentId, clock())
      throw error
    }
  }

  function boundOf({ started_at, asked, bytes }: ImportRow): ImportRow['cut_by'] {
    if (present.added + present.replaced + present.unchanged >= row.page_limit) return 'limit'
    // Pages that cannot be read count as well, but not each as much.
    if (asked >= 3 * row.page_limit + 20) return 'limit'
    if (bytes >= MOST_BYTES) return 'bytes'
    return clock() - Date.parse(started_at ?? '') > LONGEST_CRAWL_MS ? 'time' : null
  }

  async function cut(cutBy: NonNullable<ImportRow['cut_by']>): Promise<void> {
    for (let skipped = AT_ONCE; skipped === AT_ONCE; ) {
      skipped = await db.transaction().execute(async (db) => {
        await lease.hold(db)
        const skipped = await skipWaiting(db, row.id, because(CUT[cutBy]), timestamp(clock()), AT_ONCE)
        present = await countPages(db, present, { skipped })
        return skipped
      })
      await nextTurn()
    }
  }

  /** Returns an error if the crawl read nothing; otherwise null. */
  function errorOf(): string | null {
    const { added, replaced, unchanged, removed } = present
    if (added + replaced + unchanged + removed > 0) return null
    return because('nothing_read')
  }

  async function pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: lease.signal })
  }
}

const RETRY_MS = 500
const CUT = {
  limit: 'page_limit',
  time: 'time_limit',
  bytes: 'bytes_limit',
} as const

const NOTHING: ReadFoundPage = {
  outcome: 'skipped',
  reason: null,
  documentId: null,
  hash: null,
  links: [],
  isUnwanted: false,
}

/** Tells whether a file is on the site, even one that is no page, such as a sitemap or robots.txt. */
function isPlainFile(address: string, site: Site): boolean {
  const url = URL.parse(address)
  return url !== null && site.pageAt(new URL('/', url).href) !== null
}

/** Removes the document of a page, unless another import has it too. */
export async function removeFound(
  db: Kysely<Tables>,
  { id, agent_id }: Pick<ImportRow, 'id' | 'agent_id'>,
  documentId: number,
  nowMs: number,
): Promise<void> {
  if (!(await isElsewhere(db, id, documentId))) await removeDocument(db, agent_id, documentId, nowMs)
}
