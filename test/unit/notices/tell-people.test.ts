import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Kysely } from 'kysely'
import pino from 'pino'
import { timestamp } from '../../../src/lib/clock.ts'
import { tellPeople } from '../../../src/notices/tell-people.ts'
import { writeHealth } from '../../../src/notifications/endpoint-health.ts'
import type { Attempt } from '../../../src/notifications/send-delivery.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { insertClocks, writeClock } from '../../../src/targets/store.ts'
import { addHappening, byUser } from '../../../src/transcripts/conversations/happenings.ts'
import { insertAlert } from '../../../src/usage/store.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { openNotification } from '../notifications/open-notification.ts'

const nowMs = Date.now()
const at = timestamp(nowMs)
const FAILED: Attempt = { state: 'failed', status: null, failure: null, durationMs: 1, answer: null }
const COUNT = { spent_ms: 0, since: at, ends_at: at }

interface Open {
  db: Kysely<Tables>
  agent_id: number
  notificationId: number
  clockId: number
}

/** Acts that people are told of, by what is told. */
const acts: Record<string, (open: Open) => Promise<unknown>> = {
  'what happens': ({ db, agent_id }) =>
    addHappening(db, { agent_id, conversation_id: 'c', kind: 'waiting', by: byUser, at }),
  'a target that is nearly due': ({ db, clockId }) => writeClock(db, clockId, COUNT, { warned_at: at }),
  'a budget': ({ db, agent_id }) => insertAlert(db, { agent_id, period: at.slice(0, 10), amount: '5', at }),
  'a webhook that is held': ({ db, notificationId }) =>
    writeHealth(db, notificationId, Array<Attempt>(10).fill(FAILED), nowMs),
}

for (const engine of engines)
  for (const [what, act] of Object.entries(acts))
    it(`${what} is told without waiting for the regular look on ${engine}`, async (t) => {
      await using database = await openNotification(engine)
      const { db, notification, notificationId } = database
      const { agent_id } = notification
      const conversation = { id: 'c', agent_id, team_id: 1, sequence: 1, started_at: at }
      await db.insertInto('conversations').values(conversation).execute()
      const clock = { agent_id, conversation_id: 'c', target_id: 0, kind: 'resolution' as const, ...COUNT }
      await insertClocks(db, [{ ...clock, started_at: at, due_at: null }])
      const { id: clockId } = await db.selectFrom('target_clocks').select('id').executeTakeFirstOrThrow()
      const happen = (what = act) =>
        db.transaction().execute((db) => what({ db, agent_id, notificationId, clockId }))
      const causes = async () => (await db.selectFrom('notice_causes').select('id').execute()).length
      const logger = pino({ level: 'silent' })
      const notices = tellPeople({
        ...{ database, clock: Date.now, logger },
        ...{ isLooking: () => false, isMailing: false },
      })
      await happen(acts['what happens'])
      assert.equal(await causes(), 1)
      // The regular look waits for a second of this time.
      t.mock.timers.enable({ apis: ['setTimeout'] })
      notices.start()
      await becomes(causes, 0)
      await happen()
      assert.equal(await causes(), 1)
      t.mock.timers.tick(100)
      await becomes(causes, 0)
      t.mock.timers.reset()
      await notices.stop(0)
    })
