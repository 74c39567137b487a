import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bySystem } from '../../../src/audit/record.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { atMost } from '../../../src/lib/pacing/at-most.ts'
import { openLane } from '../../../src/notifications/delivery-lane.ts'
import { rotateSecret } from '../../../src/notifications/save-notification.ts'
import { aroundQueries } from '../../support/around-queries.ts'
import type { EngineKind } from '../../support/databases.ts'
import { startReceiver } from '../../support/receiver.ts'
import { NOW, openNotification } from './open-notification.ts'

const START = Date.parse(NOW)

describe('a lane', () => {
  /** A lane with a receiver of its own and as many deliveries as given. */
  async function open(count: number, kind: EngineKind = 'sqlite') {
    const receiver = await startReceiver()
    const opened = await openNotification(kind, receiver.url)
    const { db, box, notification } = opened
    const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
    for (let at = 0; at < count; at++) await opened.addDelivery()
    let passedMs = 0
    const clock = () => START + performance.now() + passedMs
    const tools = {
      database: opened,
      box,
      http: outbound.of(1),
      clock,
      inTurn: atMost(4),
      attempted: () => {},
    }
    const lane = openLane(tools, notification)
    const stopping = new AbortController()
    return {
      db,
      box,
      outbound,
      notification,
      receiver,
      letPass: (ms: number) => {
        passedMs += ms
      },
      lane,
      addDelivery: opened.addDelivery,
      stop: () => stopping.abort(),
      run: () => lane.run({ signal: stopping.signal }),
      async states() {
        const rows = await db.selectFrom('deliveries').select('state').orderBy('id').execute()
        return rows.map(({ state }) => state)
      },
      async [Symbol.asyncDispose]() {
        await receiver.close()
        await outbound.close()
        await opened[Symbol.asyncDispose]()
      },
    }
  }

  it('sends all that waits, four at once, and ends', async () => {
    await using opened = await open(40)
    const { receiver } = opened
    const held: (() => void)[] = []
    // Were fewer sent at once, this would wait for ever.
    receiver.respond = (response) => {
      held.push(() => response.end('ok'))
      if (held.length === 4) for (const answer of held.splice(0)) answer()
    }
    await opened.run()
    assert.deepEqual(await opened.states(), Array(40).fill('delivered'))
    assert.equal(receiver.received.length, 40)
  })

  it('sends what it is told of while others hang', async () => {
    await using opened = await open(1)
    const { receiver, lane } = opened
    const hung = Promise.withResolvers<() => void>()
    receiver.respond = (response) => {
      if (receiver.received.length === 1) hung.resolve(() => response.end('ok'))
      else response.end('ok')
    }
    const running = opened.run()
    const answer = await hung.promise
    await opened.addDelivery()
    lane.look()
    await receiver.until(2)
    answer()
    await running
    assert.deepEqual(await opened.states(), ['delivered', 'delivered'])
  })

  it('signs with a previous secret no longer than it lasts, whenever the delivery was read', async () => {
    await using opened = await open(1)
    const { db, receiver, notification } = opened
    const { id, agent_id } = notification
    const rotation = { grace_seconds: 60 }
    await rotateSecret(opened, agent_id, id, rotation, START, { ...bySystem, teamId: 1 })
    const end = aroundQueries(db, async (query, run) => {
      const read = await run()
      if (query.sql.includes('"deliveries"')) {
        opened.letPass(61_000)
        end()
      }
      return read
    })
    await opened.run()
    const [delivery] = await receiver.until(1)
    assert.match(String(delivery?.headers['webhook-signature']), /^v1,\S+$/)
  })

  it('begins nothing after its lease is lost or the process stops, and stores what is under way', async () => {
    await using opened = await open(6)
    const { receiver } = opened
    receiver.respond = async (response) => {
      await receiver.until(4)
      opened.stop()
      response.end('ok')
    }
    await opened.run()
    assert.deepEqual(await opened.states(), [...Array(4).fill('delivered'), 'pending', 'pending'])
    assert.equal(receiver.received.length, 4)
  })

  it('tries again what somebody else holds, and sends the others meanwhile', async () => {
    await using opened = await open(2, 'postgres')
    const { db, receiver } = opened
    receiver.respond = (response) => void response.end('ok')
    const { id: held } = await db
      .selectFrom('deliveries')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    let running = Promise.resolve()
    await db.transaction().execute(async (db) => {
      await db.updateTable('deliveries').set({ answer: null }).where('id', '=', held).execute()
      running = opened.run()
      while ((await opened.states())[1] !== 'delivered') await new Promise((resolve) => setImmediate(resolve))
    })
    await running
    assert.deepEqual(await opened.states(), ['delivered', 'delivered'])
    assert.equal(receiver.received.length, 2)
  })

  it('stores one by one what cannot be stored together, also when nothing can be read then', async () => {
    await using opened = await open(4)
    const { db, receiver } = opened
    // One more than the attempts to store the outcomes together.
    let refusals = 5
    let isAway = false
    const refuseWhileAway = () => {
      if (isAway && refusals-- > 0) throw Object.assign(new Error('away'), { errcode: 5 })
    }
    aroundQueries(db, async (_, run) => {
      refuseWhileAway()
      return run()
    })
    const transactions = db.transaction()
    const transact = transactions.execute.bind(transactions)
    transactions.execute = async (work) => {
      refuseWhileAway()
      return transact(work)
    }
    let isFirst = true
    receiver.respond = async (response) => {
      const isBroken = isFirst
      isFirst = false
      await receiver.until(4)
      isAway = true
      if (isBroken) response.socket?.destroy()
      else response.end('ok')
    }
    await opened.run()
    assert.ok(refusals < 0)
    assert.deepEqual((await opened.states()).toSorted(), ['delivered', 'delivered', 'delivered', 'failed'])
  })
})
