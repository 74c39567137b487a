import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { engines, openFreshDatabase } from '../../support/databases.ts'
import { lockedBy, outOfOrder } from '../../support/lock-order.ts'

describe('the order in which rows are locked', () => {
  it('each statement names the tables of which it locks rows, inner queries first', () => {
    const cases: [statement: string, tables: string[]][] = [
      ['select * from "conversations" where "id" = $1', []],
      ['select * from "conversations" where "id" = $1 for no key update', ['conversations']],
      ['select * from "a" inner join "b" on (select 1 from "c") = 1 for update', ['a', 'b']],
      ['select * from "a" as "x" join "b" on true for share of "x"', ['a']],
      ['update "messages" set "content" = $1', ['messages']],
      ['update "a" set x = 1 where id in (select id from b for update skip locked)', ['b', 'a']],
      ['delete from drafts where id = $1', ['drafts']],
      ['insert into "events" ("id") values ($1)', []],
      ['insert into "users" ("id") values ($1) on conflict ("id") do update set "id" = 1', ['users']],
      ['with x as (update "a" set b = 1 returning id) select * from x', ['a']],
    ]
    for (const [statement, tables] of cases) assert.deepEqual(lockedBy(statement), tables, statement)
  })

  it('a row may be locked again, or behind those before it', () => {
    assert.equal(outOfOrder(new Set(['conversations', 'completions']), 'conversations'), null)
    assert.equal(outOfOrder(new Set(['mailboxes']), 'conversations'), null)
    assert.equal(outOfOrder(new Set(['conversations']), 'mailbox_items'), null)
    assert.match(`${outOfOrder(new Set(['completions']), 'conversations')}`, /conversations .* completions/)
    assert.match(`${outOfOrder(new Set(['completions']), 'backups')}`, /has no place/)
  })

  for (const engine of engines.filter((kind) => kind === 'postgres'))
    it(`a transaction that locks out of order is refused on ${engine}`, async () => {
      const { db, fresh, close } = await openFreshDatabase(engine)
      try {
        const inOrder = (first: string, second: string) =>
          db.transaction().execute(async (db) => {
            await sql`update ${sql.table(first)} set id = id`.execute(db)
            await sql`update ${sql.table(second)} set id = id`.execute(db)
          })
        await inOrder('conversations', 'completions')
        await assert.rejects(inOrder('completions', 'conversations'), /against LOCK_ORDER/)
        await inOrder('agents', 'conversations')
        const locked = (...ids: number[]) =>
          db.transaction().execute(async (db) => {
            for (const id of ids)
              await sql`select * from "groups" where "id" = ${id} for no key update`.execute(db)
          })
        await locked(1, 2, 1)
        await assert.rejects(locked(2, 1), /row 1 of groups is locked after 2/)
        await assert.rejects(sql`select * from "groups" for update`.execute(db), /needs a transaction/)
      } finally {
        await close()
        await fresh.remove()
      }
    })
})
