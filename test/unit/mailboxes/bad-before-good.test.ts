import { afterEach, before, describe, it } from 'node:test'
import pino from 'pino'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { replayCrashed } from '../../../src/mailboxes/replay-crashed.ts'
import { wakePosted } from '../../../src/mailboxes/wake-mailboxes.ts'
import type { LookLoop } from '../../../src/work/look-loop.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { refuse } from '../../support/poisoned.ts'
import { sharedDatabase } from '../../support/shared.ts'

const LATER = '2026-01-02T00:00:00.000Z'
const DUE = '2026-01-01T00:00:00.000Z'
const [BAD, GOOD] = [1, 2]
/** A mailbox that is being worked, and was due after what is posted. */
const UNDER_WAY = { writable_until: '', due_at: LATER, leased_until: LATER }

for (const engine of engines) {
  describe(`a bad mailbox before a good one on ${engine}`, () => {
    const database = sharedDatabase(engine)
    const logger = pino({ level: 'silent' })
    let looking: LookLoop
    const parts = () => ({ database: database(), clock: Date.now, logger })

    before(async () => {
      const { agentId: agent_id } = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: Date.now() }))
      for (const id of [BAD, GOOD])
        await database()
          .db.insertInto('mailboxes')
          .values({ ...{ id, agent_id, channel_id: 1, thread: `${id}` }, ...UNDER_WAY })
          .execute()
      await refuse(database(), 'mailboxes', 'update', `new.id = ${BAD}`)
    })
    afterEach(async () => {
      await looking.stop()
      await database().db.deleteFrom('mailbox_items').execute()
    })

    async function post(values: { state: 'parked' | 'waiting'; error?: string }): Promise<void> {
      for (const mailbox_id of [BAD, GOOD])
        await database()
          .db.insertInto('mailbox_items')
          .values({
            ...{ mailbox_id, channel_id: 1, source_id: `${mailbox_id}`, kind: 'message' as const },
            ...{ due_at: DUE, created_at: DUE, ...values },
          })
          .execute()
    }

    it('the message that its process died of is replayed in the good one', async () => {
      await post({ state: 'parked', error: 'ProcessEnded' })
      looking = replayCrashed(parts() as Parameters<typeof replayCrashed>[0], undefined)
      looking.start()
      const states = () =>
        database().db.selectFrom('mailbox_items').select(['mailbox_id', 'state']).orderBy('id').execute()
      await becomes(states, [
        { mailbox_id: BAD, state: 'parked' },
        { mailbox_id: GOOD, state: 'waiting' },
      ])
    })

    it('what was posted beside other work wakes the good one', async () => {
      await post({ state: 'waiting' })
      looking = wakePosted(parts())
      looking.start()
      const due = async () => {
        const mailbox = database().db.selectFrom('mailboxes').select('due_at').where('id', '=', GOOD)
        return (await mailbox.executeTakeFirstOrThrow()).due_at
      }
      await becomes(due, DUE)
    })
  })
}
