import assert from 'node:assert/strict'
import { it } from 'node:test'
import { atMost } from '../../../src/lib/at-most.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { startLane } from '../../../src/notifications/delivery-lane.ts'
import { startReceiver } from '../../support/receiver.ts'
import { NOW, openNotification } from './open-notification.ts'

const START = Date.parse(NOW)

it('ends that cannot be stored together are stored one by one, also when nothing can be read then', async () => {
  await using opened = await openNotification('sqlite')
  const { db, box, notificationId } = opened
  const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
  const receiver = await startReceiver()
  await db.updateTable('notifications').set({ url: receiver.url }).execute()
  for (let count = 0; count < 4; count++) await opened.addDelivery()

  // As often as the ends are tried to be stored together, and once more.
  let refusals = 5
  let isAway = false
  const executor = db.getExecutor()
  const connect = executor.provideConnection.bind(executor)
  executor.provideConnection = async (work) => {
    if (isAway && refusals-- > 0) throw Object.assign(new Error('away'), { errcode: 5 })
    return connect(work)
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

  const lane = startLane(
    {
      database: opened,
      box,
      outbound,
      clock: () => START + performance.now(),
      holder: 'test',
      inTurn: atMost(4),
    },
    notificationId,
    new AbortController().signal,
  )
  await lane.done
  assert.ok(refusals < 0)
  const rows = await db.selectFrom('deliveries').select('state').orderBy('state').execute()
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['delivered', 'delivered', 'delivered', 'failed'],
  )
  await receiver.close()
  await outbound.close()
})
