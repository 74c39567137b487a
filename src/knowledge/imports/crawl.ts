import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type Clock, HOUR_MS, timestamp } from '../../lib/clock.ts'
import { OutboundError, type TeamHttp } from '../../lib/outbound/outbound.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { removeDocument } from '../documents/remove-document.ts'
import { stepAside } from '../documents/seed-guide.ts'
import type { Publish } from '../documents/write-document.ts'
import { because } from '../reasons.ts'
import { type Fetched, fetchFile, fetchPage } from './fetch-page.ts'
import { addPages, isElsewhere, knownPages, nextPage, skipWaiting, updatePage } from './page-store.ts'
import { type ReadFoundPage, readFoundPage } from './read-found-page.ts'
import { readSitemaps } from './read-sitemaps.ts'
import { LONGEST_ROBOTS, type Robots, readRobots } from './robots.ts'
import { type Site, siteOf } from './site.ts'
import { countPages, updateImport } from './store.ts'
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

const LONGEST_CRAWL_MS = 6 * HOUR_MS
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
  dependencies: CrawlDependencies,
  row: ImportRow,
  lease: Lease,
): Promise<CrawlEnd> {
  const site = siteOf(row.url, JSON.parse(row.include), JSON.parse(row.exclude))
  const robots = await askRobots(dependencies.http, site, row, lease)
  if ('refused' in robots) return { cutBy: null, error: robots.refused }
  return new Crawl(dependencies, row, lease, site, robots).run()
}

/** Reads the rules of the site for crawlers. A site without robots.txt has none. */
async function askRobots(
  http: TeamHttp,
  site: Site,
  row: ImportRow,
  lease: Lease,
): Promise<Robots | { refused: string }> {
  const address = new URL('/robots.txt', row.url).href
  const answer = await fetchFile(http, address, leaves(site), lease.signal)
  if (answer.kind === 'read') return readRobots(answer.bytes.subarray(0, LONGEST_ROBOTS).toString('utf8'))
  if (answer.kind === 'failed' && answer.isPassing)
    return { refused: because('no_robots', { reason: answer.reason }) }
  return readRobots('')
}

/** Returns the check that a file is on the site, which gives the reason when it is not. */
function leaves(site: Site): (address: string) => string | null {
  return (address) =>
    site.pageAt(address) === null && !isPlainFile(address, site) ? because('leads_away') : null
}

/** One crawl of a site whose rules for crawlers are known. */
class Crawl {
  readonly #db: CrawlDependencies['db']
  readonly #http: CrawlDependencies['http']
  readonly #clock: Clock
  readonly #row: ImportRow
  readonly #lease: Lease
  readonly #site: Site
  readonly #robots: Robots
  /** The import with what was counted so far. */
  #present: ImportRow

  constructor(
    { db, http, clock }: CrawlDependencies,
    row: ImportRow,
    lease: Lease,
    site: Site,
    robots: Robots,
  ) {
    this.#db = db
    this.#http = http
    this.#clock = clock
    this.#row = row
    this.#lease = lease
    this.#site = site
    this.#robots = robots
    this.#present = row
  }

  async run(): Promise<CrawlEnd> {
    if (this.#row.is_seeded === 0) {
      const refused = await this.#seed()
      if (refused !== null) return { cutBy: null, error: refused }
    }
    for (;;) {
      this.#lease.signal.throwIfAborted()
      const page = await nextPage(this.#db, this.#row.id)
      if (!page) return { cutBy: null, error: this.#errorOf() }
      const cutBy = this.#boundOf(this.#present)
      if (cutBy !== null) {
        await this.#cut(cutBy)
        return { cutBy, error: null }
      }
      await this.#work(page)
    }
  }

  /**
   * Stores the pages with which the crawl begins: those that are named, and those of earlier crawls. Returns an error
   * or null.
   */
  async #seed(): Promise<string | null> {
    const known = await knownPages(this.#db, this.#row.id)
    let named = [this.#row.url]
    let isWhole = false
    if (this.#row.kind === 'sitemap') {
      const read = await readSitemaps(
        this.#row.team_id,
        this.#http,
        this.#row.url,
        leaves(this.#site),
        this.#lease.signal,
      )
      if ('refused' in read) return read.refused
      named = read.pages
      isWhole = read.isWhole
    }
    await this.#plant(named, 0)
    // A page that a whole sitemap no longer lists is gone. A page to which no link leads any more may still be there.
    if (!isWhole) await this.#plant(known, 1)
    await this.#lease.transaction((db) => updateImport(db, this.#row.id, { is_seeded: 1 }))
    return null
  }

  /** Adds many pages, in short transactions. */
  async #plant(addresses: readonly string[], depth: number): Promise<void> {
    for (let at = 0; at < addresses.length; at += AT_ONCE) {
      const pages = this.#pagesOf(addresses.slice(at, at + AT_ONCE))
      await this.#lease.transaction(async (db) => {
        this.#present = await countPages(db, this.#present, {
          found: await addPages(db, this.#row, pages, depth),
        })
      })
      await nextTurn()
    }
  }

  #pagesOf(addresses: readonly string[]): string[] {
    const pages = addresses.map((address) => this.#site.pageAt(address)).filter((page) => page !== null)
    return [...new Set(pages)].slice(0, Math.max(0, MOST_FOUND - this.#present.found))
  }

  async #work(page: PageRow): Promise<void> {
    const refusal = this.#refusalOf(page)
    if (refusal !== null) return this.#settle(page, { ...NOTHING, reason: refusal, isUnwanted: true })
    if ('allows' in this.#robots && this.#robots.delayMs > 0 && this.#present.asked > 0)
      await this.#pause(this.#robots.delayMs)
    const answer = await this.#ask(page)
    if (answer.kind === 'failed' && answer.isPassing && page.tries + 1 < MOST_TRIES) {
      await this.#lease.transaction(async (db) => {
        await updatePage(db, page.id, { tries: page.tries + 1 })
        this.#present = await countPages(db, this.#present, { asked: 1 })
      })
      return this.#pause(Math.max(answer.waitMs, RETRY_MS))
    }
    const bytes = answer.kind === 'read' ? answer.bytes.length : 0
    await this.#settle(page, await this.#readAnswer(page, answer), { asked: 1, bytes })
  }

  #refusalOf(page: PageRow): string | null {
    if (page.tries >= MOST_TRIES) return because('page_ended_process')
    const isStart = page.depth === 0 && this.#row.kind === 'site'
    if ('allows' in this.#robots && !this.#robots.allows(page.url)) return because('disallowed')
    // The first page is read at least for its links.
    return isStart ? null : this.#site.refusalOf(page.url)
  }

  async #ask(page: PageRow): Promise<Fetched> {
    try {
      return await fetchPage(this.#http, page.url, (address) => this.#mayFollow(address), this.#lease.signal)
    } catch (error) {
      this.#lease.signal.throwIfAborted()
      if (!(error instanceof OutboundError)) throw error
      return { kind: 'failed', reason: error.message, isPassing: true, waitMs: 0 }
    }
  }

  #mayFollow(address: string): string | null {
    if (this.#site.pageAt(address) === null) return because('leads_away')
    return 'allows' in this.#robots && !this.#robots.allows(address) ? because('leads_to_disallowed') : null
  }

  async #readAnswer(page: PageRow, answer: Fetched): Promise<ReadFoundPage> {
    if (answer.kind === 'failed') return { ...NOTHING, reason: answer.reason }
    if (answer.kind === 'gone') return { ...NOTHING, reason: answer.reason, isUnwanted: true }
    if (answer.kind === 'moved')
      return {
        ...NOTHING,
        reason: because('leads_to', { address: answer.to }),
        links: [answer.to],
        isUnwanted: true,
      }
    const read = await readFoundPage(
      this.#db,
      this.#row,
      page,
      answer,
      this.#clock(),
      this.#publishOf(page),
      this.#site.refusalOf(page.url),
    )
    if (read.outcome === 'added' && this.#present.added === 0)
      await stepAside(this.#db, this.#row.agent_id, this.#clock())
    return read
  }

  /** Publishes the document of a page with its page, so that the removal of the import knows of it at any time. */
  #publishOf(page: PageRow): Publish {
    return (transaction) =>
      this.#lease.transaction(async (db) => {
        const written = await transaction(db)
        await updatePage(db, page.id, { document_id: written.documentId })
        return written
      })
  }

  /** Stores the outcome of a page, and the pages to which it links. */
  async #settle(
    page: PageRow,
    { outcome, reason, documentId, hash, links, isUnwanted }: ReadFoundPage,
    counts: { asked?: number; bytes?: number } = {},
  ): Promise<void> {
    const removes = isUnwanted && page.document_id !== null
    if (removes && page.document_id !== null)
      await removeFound(this.#db, this.#row, page.document_id, this.#clock())
    const became: PageOutcome = removes ? 'removed' : outcome
    const pages = this.#pagesOf(links)
    await this.#lease.transaction(async (db) => {
      await updatePage(db, page.id, {
        waiting: 0,
        outcome: became,
        reason,
        document_id: isUnwanted ? null : (documentId ?? page.document_id),
        content_hash: isUnwanted ? null : (hash ?? page.content_hash),
        checked_at: timestamp(this.#clock()),
      })
      const found = pages.length === 0 ? 0 : await addPages(db, this.#row, pages, page.depth + 1)
      this.#present = await countPages(db, this.#present, { ...counts, found, [became]: 1 })
    })
  }

  #boundOf({ started_at, asked, bytes }: ImportRow): ImportRow['cut_by'] {
    if (this.#present.added + this.#present.replaced + this.#present.unchanged >= this.#row.page_limit)
      return 'limit'
    // Requests that lead to no document are limited too, though less strictly.
    if (asked >= 3 * this.#row.page_limit + 20) return 'limit'
    if (bytes >= MOST_BYTES) return 'bytes'
    return this.#clock() - Date.parse(started_at ?? '') > LONGEST_CRAWL_MS ? 'time' : null
  }

  async #cut(cutBy: NonNullable<ImportRow['cut_by']>): Promise<void> {
    for (let skipped = AT_ONCE; skipped === AT_ONCE; ) {
      skipped = await this.#lease.transaction(async (db) => {
        const skipped = await skipWaiting(
          db,
          this.#row.id,
          because(CUT[cutBy]),
          timestamp(this.#clock()),
          AT_ONCE,
        )
        this.#present = await countPages(db, this.#present, { skipped })
        return skipped
      })
      await nextTurn()
    }
  }

  /** Returns an error if the crawl read nothing; otherwise null. */
  #errorOf(): string | null {
    const { added, replaced, unchanged, removed } = this.#present
    if (added + replaced + unchanged + removed > 0) return null
    return because('nothing_read')
  }

  async #pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#lease.signal })
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
