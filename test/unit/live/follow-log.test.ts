import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { timestamp } from '../../../src/lib/clock.ts'
import { followLog } from '../../../src/live/follow-log.ts'
import { Listener } from '../../../src/live/listener.ts'
import { Listeners } from '../../../src/live/listeners.ts'
import { engines, openFreshDatabase } from '../../support/databases.ts'

function listenerOf(operatorId: number): Listener {
  const raw = new ServerResponse(new IncomingMessage(new Socket()))
  const subscription = { agentId: 1, conversationId: null, view: 'team', operatorId } as const
  return new Listener(raw, { ...subscription, admission: { kind: 'session', sessionId: 1 } }, null)
}

for (const engine of engines) {
  describe(`the log as it is followed on ${engine}`, () => {
    it('after the database was put back, all streams are cut, also one that was about to join', async () => {
      const database = await openFreshDatabase(engine)
      const { db } = database
      const listeners = new Listeners()
      const log = followLog({ ...database, listeners, publish: async () => {} })
      const [present, coming] = [listenerOf(1), listenerOf(2)]
      await log.join(() => listeners.add(present))
      const at = timestamp(Date.now())
      await db
        .insertInto('log_epochs')
        .values({ transaction_id: 0, mark: 'other', history: 'other', run: 'other', at })
        .execute()
      const reading = log.readOn(new AbortController().signal)
      const joined = log.join(() => listeners.add(coming))
      await reading
      assert.ok(await joined)
      assert.ok(present.isClosed)
      assert.ok(coming.isClosed)
      assert.equal(log.place(), null)
      await database.close()
      await database.fresh.remove()
    })
  })
}
