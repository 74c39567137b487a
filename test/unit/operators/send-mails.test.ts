import { afterEach, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Mailer } from '../../../src/lib/mail.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { sendMails } from '../../../src/operators/mails/send-mails.ts'
import { insertMail, MAILS, tokenPlace } from '../../../src/operators/mails/store.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import type { RunningWork } from '../../../src/work/run-work.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'

for (const engine of engines) {
  describe(`mails that are sent on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    /** It stands still but for the test, so that pauses and leases end only when the test has them end. */
    let nowMs: number
    let running: RunningWork | undefined
    let teamId: number
    const clock = () => nowMs
    const logger = pino({ level: 'silent' })

    beforeEach(async () => {
      nowMs = Date.now()
      database = await openFreshDatabase(engine)
      const agent = await database.db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs }))
      teamId = agent.teamId
    })
    afterEach(async () => {
      await running?.stop(0)
      await database.close()
      await database.fresh.remove()
    })

    it('mails that cannot be opened let those behind them out', async () => {
      const { db } = database
      const box = createSecretBox(Buffer.alloc(32).toString('base64'))
      const due_at = timestamp(nowMs)
      const { id: operator_id } = await db
        .insertInto('operators')
        .values({
          team_id: teamId,
          name: 'O',
          email: 'o@team.example',
          right: 'read',
          created_at: due_at,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      const names = [...Array.from({ length: 10 }, (_, nth) => `bad ${nth}`), 'good']
      for (const hash of names) {
        await db
          .insertInto('operator_links')
          .values({ hash, operator_id, expires_at: '2999-01-01T00:00:00.000Z' })
          .execute()
        await insertMail(db, { link_hash: hash, operator_id, kind: 'reset', due_at }, (id) =>
          hash === 'good' ? box.seal('of no link', tokenPlace(id)) : 'not sealed',
        )
      }
      running = sendMails({ database, clock, logger, box, mailer: {} as Mailer, publicUrl: () => '' })
      running.start()
      const left = async () => {
        database.wakeUps.send(MAILS)
        const rows = await db.selectFrom('operator_mails').selectAll().orderBy('id').execute()
        return rows.map((row) => [row.link_hash, row.attempts, row.due_at > due_at])
      }
      await becomes(
        left,
        names.slice(0, -1).map((name) => [name, 1, true]),
      )
    })
  })
}
