import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { readTriggers, type Trigger, textOfTrigger } from '../../../src/storage/triggers.ts'
import { triggers } from '../../../src/triggers.ts'
import { engines, freshDatabase } from '../../support/databases.ts'
import { takeOutSchema } from '../../support/old-schema.ts'

/** The revision of each trigger, and the hash of its texts. */
const revisions: Record<string, string> = {
  automations_of_conversations: '1 013579f2',
  automations_of_happenings: '2 60d480bf',
  automations_of_waits: '2 0954095b',
  conversation_notes_searched: '1 ed92f9fb',
  events_fan_out: '1 26411063',
  inbox_changed: '7 9a6e4bf2',
  inbox_erased: '3 3d75e5b1',
  inbox_opened: '6 bd5d14a3',
  inbox_spoken: '2 81815880',
  messages_searched: '2 4a8b2fb8',
  notices_answered: '2 f7d0cc82',
  notices_of_budgets: '1 76b0a6e7',
  notices_of_channels: '1 69ab63ae',
  notices_of_happenings: '1 40ada797',
  notices_of_messages: '1 b7e4273b',
  notices_of_targets: '1 07cdc6a6',
  notices_of_webhooks: '1 a3375067',
  notices_read: '1 c6ac7f5a',
  notices_read_on: '1 e6b710d4',
  notices_taken_back: '1 dd770cbe',
  support_answered: '1 3efcd12c',
  support_changed: '1 36ef5c12',
  support_erased: '1 7a5c3271',
  support_opened: '1 aa2e5363',
  support_promise_ended: '1 1c7bd2dc',
  support_promise_gone: '1 6147810c',
  support_promised: '1 c80d236a',
  support_rated: '1 f412b564',
  support_rated_again: '1 f04a9a0a',
  unsourced_completion: '1 907582cc',
  unsourced_conversation: '1 28ca403e',
  unsourced_conversation_user: '1 bda1e633',
}

it('a trigger that changes has a higher revision, so that an older process does not put its own back', () => {
  const found = triggers.map(({ name, ...trigger }) => [
    name,
    `${trigger.revision} ${hashOf({ name, ...trigger })}`,
  ])
  assert.deepEqual(Object.fromEntries(found), revisions)
})

for (const engine of engines) {
  describe(`triggers on ${engine}`, () => {
    it('of a new database are those of the rooms', async () => {
      await using database = await opened()
      await database.migrate({ triggers })
      assert.deepEqual(await found(database), wanted(triggers))
    })

    it('that migrations created become those of the rooms, once', async () => {
      await using database = await opened()
      await database.migrate()
      assert.deepEqual(
        [...(await readTriggers(database.db, engine)).keys()].sort(),
        triggers.flatMap(({ name }) => (/^(notices|automations|support)_/.test(name) ? [] : name)).sort(),
      )
      assert.deepEqual(
        await changedBy(database, triggers),
        triggers.map(({ name }) => `trigger ${name}`),
      )
      assert.deepEqual(await found(database), wanted(triggers))
      assert.deepEqual(await changedBy(database, triggers), [])
    })

    it('of a newer version stay when an older process starts', async () => {
      await using database = await opened()
      const newer = triggers.map((trigger) => ({
        ...trigger,
        revision: trigger.revision + 1,
        acts: () => 'delete from replies;',
      }))
      await database.migrate({ triggers: newer })
      assert.deepEqual(await changedBy(database, triggers), [])
      assert.deepEqual(await found(database), wanted(newer))
    })

    if (engine === 'postgres')
      it('get a new function while others write to their table, and new conditions when they have ended', async () => {
        await using database = await opened()
        await database.migrate({ triggers })
        const acts = () => 'delete from replies where id = new.id;'
        const spoken = triggers.filter(({ name }) => name === 'inbox_spoken')
        const withFunction = spoken.map((trigger) => ({ ...trigger, acts }))
        const withCondition = withFunction.map((trigger) => ({ ...trigger, when: () => "new.role = 'user'" }))
        const writing = Promise.withResolvers<void>()
        const reports: string[] = []
        let changing: Promise<unknown> = Promise.resolve()
        await database.db.transaction().execute(async (db) => {
          await sql`lock table messages in row exclusive mode`.execute(db)
          await database.migrate({ triggers: withFunction })
          assert.deepEqual((await found(database)).inbox_spoken, wanted(withFunction).inbox_spoken)
          const report = (words: string) => {
            reports.push(words)
            if (words.startsWith('waiting')) writing.resolve()
          }
          changing = database.migrate({ triggers: withCondition, report })
          await Promise.race([writing.promise, changing])
        })
        await changing
        assert.deepEqual(reports, ['trigger inbox_spoken', 'waiting for others to let go of a table'])
        assert.deepEqual((await found(database)).inbox_spoken, wanted(withCondition).inbox_spoken)
      })

    /** Opens an empty database; it is removed when it is disposed of. */
    async function opened() {
      const fresh = await freshDatabase(engine)
      const database = await openDatabase(fresh)
      await takeOutSchema(database)
      const dispose = async () => {
        await database.close()
        await fresh.remove()
      }
      return { ...database, [Symbol.asyncDispose]: dispose }
    }

    async function found({ db }: Pick<Database, 'db'>) {
      return Object.fromEntries(await readTriggers(db, engine))
    }

    function wanted(list: readonly Trigger[]) {
      return Object.fromEntries(list.map((trigger) => [trigger.name, textOfTrigger(engine, trigger)]))
    }

    async function changedBy(
      database: Pick<Database, 'migrate'>,
      list: readonly Trigger[],
    ): Promise<string[]> {
      const reports: string[] = []
      await database.migrate({ triggers: list, report: (words) => void reports.push(words) })
      return reports
    }
  })
}

/** Returns a hash of a trigger's texts on both engines, without its revision. */
function hashOf(trigger: Trigger): string {
  const texts = (['sqlite', 'postgres'] as const).map((kind) =>
    textOfTrigger(kind, { ...trigger, revision: 0 }),
  )
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 8)
}
