import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { createApp, createLogger } from '../../../src/app/create-app.ts'
import { readConfig } from '../../../src/config.ts'
import { openFoundation } from '../../../src/foundation.ts'
import { aroundQueries } from '../../support/around-queries.ts'
import { engines, readyDatabase } from '../../support/databases.ts'
import { growingParts, planOf } from '../../support/list-plans.ts'

/** Tables with a few rows an agent, a person or a process, and what is read whole once an hour. */
const SMALL =
  /\b(sqlite_schema|processes\w*|agents|channels|groups|notifications|operator_\w+|knowledge_(imports|documents)|\w*backfills?|waiting)\b/

for (const engine of engines)
  it(`a start on ${engine} looks for all work along indexes, and for secrets of older versions not at all`, async (t) => {
    const { dataDir, databaseUrl, remove } = await readyDatabase(engine)
    const config = readConfig({
      PARLEY_PORT: '0',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      PARLEY_LOG_LEVEL: 'silent',
      ...(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}),
    })
    const foundation = await openFoundation(config)
    const looked = Promise.withResolvers<void>()
    const queries: CompiledQuery[] = []
    aroundQueries(foundation.database.db, async (query, run) => {
      queries.push(query)
      const result = await run()
      // The last look of all, which comes when the others have ended.
      if (query.sql.startsWith('delete from "rule_log"')) looked.resolve()
      return result
    })
    const app = await createApp(foundation, createLogger(config))
    t.after(async () => {
      await app.close()
      await remove()
    })
    await app.listen()
    await looked.promise
    const statements = queries.map(({ sql }) => sql)
    const of = (table: string) => statements.filter((text) => text.includes(`"${table}"`)).length
    for (const table of ['deliveries', 'mailboxes', 'snoozes', 'test_runs', 'idempotency_keys', 'rule_log'])
      assert.ok(of(table) > 0, `nobody looked at ${table}`)
    const reads = statements.filter((text) => text.includes('as addresses'))
    assert.deepEqual(reads, [], 'secrets were looked for')
    const { busy = 0, idle = 0 } = (await foundation.database.engine.load()).connections
    // One serves for the looks. On a busy machine some take longer than their turn; all at once would open seven.
    assert.ok(busy + idle <= 4, `${busy + idle} connections were opened`)
    const scans: string[] = []
    // A part in the order of ids ends at its limit.
    const isPart = / from "\w+"\s+(?:where id > \S+ )?order by "?id"? (?:desc )?limit /
    for (const query of queries.filter(({ sql }) => !isPart.test(sql)))
      for (const line of growingParts(await planOf(foundation.database.db, engine, query), query))
        if (/^SCAN (?!.* USING )|Seq Scan/.test(line) && !SMALL.test(line))
          scans.push(`${line}: ${query.sql}`)
    assert.deepEqual(scans, [], 'whole tables were read')
  })
