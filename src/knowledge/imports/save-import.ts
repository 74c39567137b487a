import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { requireRoom } from '../../agents/require-room.ts'
import { record, type TeamBy } from '../../audit/record.ts'
import { ApiError, foundOr, invalidField } from '../../errors.ts'
import { checkAddress } from '../../http/check-address.ts'
import type { Caller } from '../../http/member.ts'
import { refuseOutdated } from '../../http/version.ts'
import { timestamp } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { dueAgain } from '../../work/work-columns.ts'
import { everyMs } from './every.ts'
import { IMPORTS } from './run-imports.ts'
import { type importPatch, importVersion, type newImport } from './schemas.ts'
import { countImports, insertImport, lockImport, selectImport, takeOver, updateImport } from './store.ts'
import type { ImportRow } from './tables.ts'

type Db = Kysely<Tables>

/** Reads an import. @throws ApiError import_not_found */
export async function readImport(db: Db, agentId: number, id: string): Promise<ImportRow> {
  return foundOr(await selectImport(db, agentId, rowId(id)), 'import_not_found')
}

/** Begins to import a site. @throws ApiError invalid_request, too_many_imports */
export async function createImport(
  { db, outbound }: { db: Db; outbound: Outbound },
  { agentId, teamId }: Pick<Caller, 'agentId' | 'teamId'>,
  given: z.output<typeof newImport>,
  nowMs: number,
  by: TeamBy,
): Promise<ImportRow> {
  const { url, sitemap } = given
  if (url !== undefined && sitemap !== undefined)
    throw invalidField('sitemap', 'Either `url` or `sitemap` is given, not both.')
  const address = url ?? sitemap
  if (address === undefined) throw invalidField('url', 'Either `url` or `sitemap` is needed.')
  await checkAddress(outbound, url === undefined ? 'sitemap' : 'url', address)
  const start = new URL(address)
  start.hash = ''
  const at = timestamp(nowMs)
  return db.transaction().execute(async (db) => {
    await requireRoom(db, agentId, 'imports', () => countImports(db, agentId))
    const row = await insertImport(db, {
      agent_id: agentId,
      team_id: teamId,
      kind: url === undefined ? 'sitemap' : 'site',
      url: start.href,
      include: JSON.stringify(given.include),
      exclude: JSON.stringify(given.exclude),
      page_limit: given.limit,
      every: given.every,
      state: 'queued',
      created_at: at,
    })
    await record(db, { ...by, agentId, at, action: 'import.added', target: `import ${row.id}` })
    wake(db, IMPORTS)
    return row
  })
}

/** Changes what the next crawl does. @throws ApiError import_not_found, version_outdated */
export async function changeImport(
  db: Db,
  agentId: number,
  id: string,
  patch: z.output<typeof importPatch>,
  nowMs: number,
  by: TeamBy,
): Promise<ImportRow> {
  return withImport(db, agentId, id, nowMs, by, 'import.changed', async (db, row) => {
    const { include, exclude, limit, every, version } = patch
    refuseOutdated(version, importVersion(row))
    const isIdle = row.state === 'done' || row.state === 'failed'
    const since = Date.parse(row.finished_at ?? row.created_at)
    const next_at = every === null ? null : every && isIdle ? timestamp(since + everyMs(every)) : undefined
    if (next_at) wake(db, IMPORTS)
    return updateImport(db, row.id, {
      include: JSON.stringify(include ?? JSON.parse(row.include)),
      ...(exclude === undefined ? {} : { exclude: JSON.stringify(exclude) }),
      ...(limit === undefined ? {} : { page_limit: limit }),
      ...(every === undefined ? {} : { every }),
      ...(next_at === undefined ? {} : { next_at }),
    })
  })
}

/** Crawls again now, unless a crawl is under way. @throws ApiError import_not_found */
export async function crawlAgain(
  db: Db,
  agentId: number,
  id: string,
  nowMs: number,
  by: TeamBy,
): Promise<ImportRow> {
  return withImport(db, agentId, id, nowMs, by, 'import.repeated', async (db, row) => {
    if (row.state !== 'done' && row.state !== 'failed') return row
    wake(db, IMPORTS)
    return updateImport(db, row.id, { state: 'queued', next_at: null, ...dueAgain(null) })
  })
}

/** Removes an import, and in the background the documents that it made. @throws ApiError import_not_found */
export async function removeImport(
  db: Db,
  agentId: number,
  id: string,
  nowMs: number,
  by: TeamBy,
): Promise<void> {
  await withImport(db, agentId, id, nowMs, by, 'import.removed', async (db, row) => {
    await takeOver(db, row.id, { state: 'removing', next_at: null })
    wake(db, IMPORTS)
  })
}

async function withImport<Result>(
  db: Db,
  agentId: number,
  id: string,
  nowMs: number,
  by: TeamBy,
  action: `import.${string}`,
  act: (db: Db, row: ImportRow) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (db) => {
    const row = await lockImport(db, agentId, rowId(id))
    if (!row || row.state === 'removing') throw new ApiError('import_not_found')
    const at = timestamp(nowMs)
    await record(db, { ...by, agentId, at, action, target: `import ${row.id}` })
    return act(db, row)
  })
}
