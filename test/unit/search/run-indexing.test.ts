import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { CHANGES } from '../../../src/events/changes.ts'
import { indexPart, MOST_WAITING } from '../../../src/search/index/index-pending.ts'
import { runIndexing } from '../../../src/search/index/run-indexing.ts'
import type { SearchedTexts } from '../../../src/search/index/searched-texts.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

const [GREEDY, GOOD] = [1, 2]

for (const engine of engines) {
  it(`an agent whose texts come faster than they are indexed keeps no other one waiting, on ${engine}`, async (t) => {
    const { fresh, ...database } = await openFreshDatabase(engine)
    const { db } = database
    let last = 0
    const write = (agent_id: number) =>
      db
        .insertInto('search_pending')
        .values(Array.from({ length: MOST_WAITING }, () => ({ agent_id, kind: 1 as const, id: ++last })))
        .execute()
    let parts = 0
    const texts: Pick<SearchedTexts, 'read'> = {
      async read(_db, agentId) {
        if (agentId === GREEDY) {
          parts++
          await write(GREEDY)
        }
        return []
      },
    }
    const indexing = runIndexing({
      ...{ database, clock: Date.now, logger: pino({ level: 'silent' }) },
      texts: texts as SearchedTexts,
    })
    t.after(async () => {
      await indexing.stop(0)
      await database.close()
      await fresh.remove()
    })
    for (let part = 0; part < 8; part++) await write(GREEDY)
    await write(GOOD)
    indexing.start()
    const waiting = () => db.selectFrom('search_pending').select('id').where('agent_id', '=', GOOD).execute()
    await becomes(waiting, [])
    assert.ok(parts > 0, 'the greedy one had a turn')
  })

  it(`a text that cannot be indexed is passed over until it is replaced, and logged, on ${engine}`, async (t) => {
    const { fresh, ...database } = await openFreshDatabase(engine)
    const { db } = database
    const BAD = 3
    let isBad = true
    const texts: Pick<SearchedTexts, 'read'> = {
      async read(_db, _agentId, _kind, ids) {
        if (isBad && ids.includes(BAD)) throw new Error('poisoned')
        return []
      },
    }
    const logged: { id: number }[] = []
    const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
    const indexing = runIndexing({ database, clock: Date.now, logger, texts: texts as SearchedTexts })
    t.after(async () => {
      await indexing.stop(0)
      await database.close()
      await fresh.remove()
    })
    let last = 0
    const write = () =>
      db
        .insertInto('search_pending')
        .values(
          Array.from({ length: MOST_WAITING }, () => ({ agent_id: GOOD, kind: 1 as const, id: ++last })),
        )
        .execute()
    const waiting = async () =>
      (await db.selectFrom('search_pending').select('id').execute()).map(({ id }) => id)
    await write()
    indexing.start()
    await becomes(waiting, [BAD])
    assert.deepEqual(
      logged.map(({ id }) => id),
      [BAD],
    )
    isBad = false
    await db.updateTable('search_pending').set({ version: 2 }).execute()
    await write()
    for (let sent = 0; sent < MOST_WAITING; sent++) database.wakeUps.send(CHANGES)
    await becomes(waiting, [])
  })
  it(`texts that are passed over cost other agents nothing, and are forgotten once they are replaced or deleted, on ${engine}`, async (t) => {
    const { fresh, ...database } = await openFreshDatabase(engine)
    const { db } = database
    t.after(async () => {
      await database.close()
      await fresh.remove()
    })
    const reads: number[][] = []
    const texts: Pick<SearchedTexts, 'read'> = {
      async read(_db, _agentId, _kind, ids) {
        reads.push([...ids])
        if (ids.some((id) => id <= 3)) throw new Error('poisoned')
        return []
      },
    }
    const logger = pino({ level: 'silent' })
    const passedOver = new Set<string>()
    const write = (agent_id: number, ids: readonly number[]) =>
      db
        .insertInto('search_pending')
        .values(ids.map((id) => ({ agent_id, kind: 1 as const, id })))
        .execute()
    const index = (agentId: number) => {
      const dependencies = { ...database, logger, texts: texts as SearchedTexts }
      return indexPart(dependencies, agentId, new AbortController().signal, passedOver, 1)
    }
    await write(GREEDY, [1, 2, 3])
    await index(GREEDY)
    assert.equal(passedOver.size, 3)
    await db.updateTable('search_pending').set({ version: 2 }).where('id', '=', 1).execute()
    await db.deleteFrom('search_pending').where('id', '=', 2).execute()
    await write(GOOD, [4])
    await index(GOOD)
    assert.equal(passedOver.size, 3, 'they are the concern of their own agent')
    reads.length = 0
    await index(GREEDY)
    assert.deepEqual(reads, [[1]])
    assert.equal(passedOver.size, 2, 'the text 1 as it is now, and the text 3')
  })
}
