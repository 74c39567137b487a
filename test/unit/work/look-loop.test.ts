import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { currentTrace, inTrace } from '../../../src/lib/tracing/tracing.ts'
import { localWakeUps } from '../../../src/storage/wake-ups.ts'
import { type LookLoop, type LookLoopOptions, lookLoop } from '../../../src/work/look-loop.ts'

describe('look loop', () => {
  const wakeUps = localWakeUps()
  let failures: unknown[]
  let loop: LookLoop | undefined

  beforeEach(() => {
    failures = []
    loop = undefined
  })
  afterEach(() => loop?.stop())

  /** A loop whose looks wait until they are ended. */
  function begin(options: Partial<LookLoopOptions> = {}, untilNext?: () => Promise<number | undefined>) {
    const looks: PromiseWithResolvers<void>[] = []
    const logger = { warn: (about: object, message: string) => failures.push(about, message) }
    const look = () => {
      const one = Promise.withResolvers<void>()
      looks.push(one)
      return one.promise
    }
    loop = lookLoop({ name: 'things', wakeUps, logger, ...options }, look, untilNext)
    loop.start()
    return looks
  }

  /** Lets everything run that waits for no time. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it('looks at its start, and once more for all who ask meanwhile', async () => {
    const looks = begin({ topics: ['told'] })
    assert.equal(looks.length, 1)
    wakeUps.send('told')
    wakeUps.send('told')
    await settle()
    assert.equal(looks.length, 1)
    looks[0]?.resolve()
    await settle()
    assert.equal(looks.length, 2)
    looks[1]?.resolve()
    await settle()
    assert.equal(looks.length, 2)
    wakeUps.send('told')
    assert.equal(looks.length, 3)
    looks[2]?.resolve()
  })

  it('looks for the first time in its turn, or when it is woken, and not once it is stopped', async () => {
    const begun: (() => Promise<void>)[] = []
    let looks = 0
    const make = () =>
      lookLoop({ name: 'things', wakeUps, logger: { warn() {} }, topics: ['told'] }, async () => {
        looks++
      })
    loop = make()
    loop.start((look) => begun.push(look))
    assert.equal(looks, 0)
    wakeUps.send('told')
    assert.equal(looks, 1)
    await settle()
    await begun[0]?.()
    assert.equal(looks, 2)
    const stopped = make()
    stopped.start((look) => begun.push(look))
    await stopped.stop()
    await begun[1]?.()
    assert.equal(looks, 2)
  })

  it('looks once for wake-ups that come often', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const looks = begin({ frequentTopics: ['often'] })
    looks[0]?.resolve()
    await settle()
    wakeUps.send('often')
    wakeUps.send('often')
    assert.equal(looks.length, 1)
    t.mock.timers.tick(3)
    assert.equal(looks.length, 2)
    looks[1]?.resolve()
    await settle()
    wakeUps.send('often')
    t.mock.timers.tick(3)
    assert.equal(looks.length, 3)
    looks[2]?.resolve()
  })

  it('looks by itself: every second, or sooner when something will be due', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let next: number | undefined
    const looks = begin({}, async () => next)
    looks[0]?.resolve()
    await settle()
    t.mock.timers.tick(999)
    assert.equal(looks.length, 1)
    t.mock.timers.tick(1)
    assert.equal(looks.length, 2)
    next = 200
    looks[1]?.resolve()
    await settle()
    t.mock.timers.tick(200)
    assert.equal(looks.length, 3)
    next = 60_000
    looks[2]?.resolve()
    await settle()
    t.mock.timers.tick(1000)
    assert.equal(looks.length, 4)
    looks[3]?.resolve()
  })

  it('tells of a look that fails, and looks again at its time, whoever asked meanwhile', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const looks = begin({ topics: ['told'] })
    wakeUps.send('told')
    looks[0]?.reject(new TypeError('with a secret'))
    await settle()
    assert.deepEqual(failures, [{ error: { name: 'TypeError' } }, 'things cannot be looked for'])
    assert.equal(looks.length, 1)
    t.mock.timers.tick(1000)
    assert.equal(looks.length, 2)
    looks[1]?.resolve()
  })

  it('looks no more once it is stopped, and waits for the look under way', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const looks = begin({ topics: ['told'], frequentTopics: ['often'] })
    wakeUps.send('told')
    wakeUps.send('often')
    let isStopped = false
    const stopping = loop?.stop().then(() => {
      isStopped = true
    })
    await settle()
    assert.equal(isStopped, false)
    looks[0]?.resolve()
    await stopping
    wakeUps.send('told')
    t.mock.timers.tick(5000)
    await settle()
    assert.equal(looks.length, 1)
  })

  it('works outside of the trace that woke it', async () => {
    const trace = {
      traceId: 'a',
      spanId: 'b',
      parentSpanId: null,
      sampled: true,
      random: true,
      tracestate: null,
    }
    const seen: unknown[] = []
    loop = lookLoop({ name: 'things', wakeUps, logger: { warn: () => {} } }, async () => {
      seen.push(currentTrace())
    })
    inTrace(trace, loop.start)
    await settle()
    assert.deepEqual(seen, [null])
  })
})
