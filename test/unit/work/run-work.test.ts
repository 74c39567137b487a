import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { localWakeUps } from '../../../src/storage/wake-ups.ts'
import { LeaseLost } from '../../../src/work/lease.ts'
import { type Policy, runWork, type Stop } from '../../../src/work/run-work.ts'

describe('background work', () => {
  /** Work on numbers, each under way until it is ended. */
  function begin(waiting: number[], { atOnce = 2, ...policy }: Partial<Policy<number>> = {}) {
    const lines: string[] = []
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const begun = new Map<number, PromiseWithResolvers<void> & { stop: Stop }>()
    const wakeUps = localWakeUps()
    let claims = 0
    const work = runWork<number>(
      {
        name: 'numbers',
        topics: ['numbers'],
        atOnce,
        async claim(limit) {
          claims++
          return waiting.splice(0, limit)
        },
        work(task, stop) {
          const one = Promise.withResolvers<void>()
          begun.set(task, { ...one, stop })
          return one.promise
        },
        ...policy,
      },
      { database: { wakeUps }, clock: () => 0, logger },
    )
    work.start()
    return { work, begun, lines, wakeUps, claims: () => claims }
  }

  const settle = () => new Promise((resolve) => setImmediate(resolve))

  it('works as many pieces at once as the policy says, and the next ones as places become free', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { work, begun } = begin([1, 2, 3, 4])
    await settle()
    assert.deepEqual([...begun.keys()], [1, 2])
    begun.get(1)?.resolve()
    await settle()
    assert.equal(work.running(), 1)
    t.mock.timers.tick(3)
    await settle()
    assert.deepEqual([...begun.keys()], [1, 2, 3])
    for (const one of begun.values()) one.resolve()
    await work.stop(0)
  })

  it('asks for nothing while there is no room', async () => {
    const { work, begun, wakeUps, claims } = begin([1, 2, 3])
    await settle()
    wakeUps.send('numbers')
    await settle()
    assert.equal(claims(), 1)
    for (const one of begun.values()) one.resolve()
    await work.stop(0)
  })

  it('does not begin again what is under way, nor what rests after a failure', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const claim = async () => [1]
    let begun = 0
    const { work, wakeUps } = begin([], {
      claim,
      async work() {
        begun++
        throw new Error('no')
      },
    })
    await settle()
    wakeUps.send('numbers')
    await settle()
    assert.deepEqual([begun, work.running()], [1, 1])
    await work.stop(0)
  })

  it('looks when the next piece may be worked', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const waiting: number[] = []
    const nextDue = async () => new Date(300).toISOString()
    const { work, begun } = begin(waiting, { nextDue })
    await settle()
    waiting.push(1)
    t.mock.timers.tick(299)
    await settle()
    assert.equal(begun.size, 0)
    t.mock.timers.tick(1)
    await settle()
    assert.deepEqual([...begun.keys()], [1])
    begun.get(1)?.resolve()
    await work.stop(0)
  })

  it('tells of a failure, and rests before the place is given to the next piece', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { work, begun, lines } = begin([1, 2], { atOnce: 1 })
    await settle()
    begun.get(1)?.reject(new Error('no'))
    await settle()
    assert.deepEqual([lines, work.running()], [['numbers were left'], 1])
  })

  it('says nothing of a lease that was lost: another worker goes on', async () => {
    const { work, begun, lines } = begin([1])
    await settle()
    begun.get(1)?.reject(new LeaseLost())
    await settle()
    assert.deepEqual([lines, work.running()], [[], 0])
    await work.stop(0)
  })

  it('asks what is under way to end when it is stopped, and forces it only after the limit', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { work, begun, lines } = begin([1, 2, 3])
    await settle()
    assert.equal(begun.get(2)?.stop.asked.aborted, false)
    const stopping = work.stop(500)
    assert.equal(begun.get(2)?.stop.asked.aborted, true)
    begun.get(1)?.resolve()
    await settle()
    assert.equal(begun.get(2)?.stop.forced.aborted, false)
    t.mock.timers.tick(500)
    assert.equal(begun.get(2)?.stop.forced.aborted, true)
    begun.get(2)?.reject(new Error('broken off'))
    await stopping
    assert.deepEqual([[...begun.keys()], lines], [[1, 2], []])
  })
})
