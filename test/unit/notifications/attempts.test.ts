import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openAttempts } from '../../../src/notifications/attempts.ts'
import type { Attempt } from '../../../src/notifications/send-delivery.ts'

const delivered: Attempt = { state: 'delivered', status: 200, failure: null, durationMs: 1, answer: 'ok' }
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the attempts of a lane', () => {
  function open(count: number) {
    const attempts = openAttempts()
    const requests = Array.from({ length: count }, () => Promise.withResolvers<Attempt>())
    for (const [id, { promise }] of requests.entries()) attempts.begin(id, () => promise)
    const ids = () => attempts.ended().map(({ id }) => id)
    return { attempts, requests, ids }
  }

  it('are under way until they end, and ended until they are dropped', async () => {
    const { attempts, requests, ids } = open(3)
    assert.deepEqual([attempts.underWay(), ids()], [3, []])
    requests[1]?.resolve(delivered)
    await attempts.news()
    assert.deepEqual([attempts.underWay(), ids()], [2, [1]])
    const stored = attempts.ended()
    requests[0]?.resolve(delivered)
    await attempts.news()
    attempts.drop(stored)
    assert.deepEqual([attempts.underWay(), ids()], [1, [0]], 'what ends meanwhile is kept')
  })

  it('one that throws has failed', async () => {
    const { attempts, requests } = open(1)
    requests[0]?.reject(new Error('no'))
    await attempts.news()
    const [{ attempt } = { attempt: delivered }] = attempts.ended()
    assert.deepEqual([attempt.state, attempt.failure], ['failed', 'internal'])
  })

  it('are gathered until all have ended, and no longer than a moment', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { attempts, requests } = open(2)
    let gathered = 0
    const gather = () => void attempts.gather().then(() => gathered++)
    gather()
    requests[0]?.resolve(delivered)
    await settle()
    assert.equal(gathered, 0, 'one is under way')
    requests[1]?.resolve(delivered)
    await settle()
    assert.equal(gathered, 1, 'all have ended')
    gather()
    await settle()
    assert.equal(gathered, 2, 'none is under way')
    attempts.begin(3, () => new Promise(() => {}))
    gather()
    await settle()
    assert.equal(gathered, 2)
    t.mock.timers.tick(3)
    await settle()
    assert.equal(gathered, 3, 'the moment is over')
  })

  it('a nudge is news too, also one from before the wait', async () => {
    const { attempts } = open(1)
    attempts.nudge()
    await attempts.news()
    assert.deepEqual([attempts.underWay(), attempts.ended()], [1, []])
  })
})
