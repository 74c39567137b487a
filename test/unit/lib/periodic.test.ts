import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { periodic } from '../../../src/lib/pacing/periodic.ts'

describe('periodic', () => {
  const failures: unknown[] = []
  const logger = { warn: (about: { error: unknown }, message: string) => failures.push(about.error, message) }
  const options = { name: 'the work', everyMs: 1000, logger }

  it('works at the start and every so often until it is stopped', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let runs = 0
    const work = periodic(options, async () => {
      runs++
    })
    work.start()
    t.mock.timers.tick(2000)
    await work.stop()
    assert.equal(runs, 3)
    t.mock.timers.tick(5000)
    await work.stop()
    assert.equal(runs, 3)
  })

  it('works for the first time in its turn, or after an interval, and not once it is stopped', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    let runs = 0
    const work = () =>
      periodic(options, async () => {
        runs++
      })
    const turns: (() => Promise<void>)[] = []
    const [inTurn, later, stopped] = [work(), work(), work()]
    inTurn.start((run) => turns.push(run))
    stopped.start((run) => turns.push(run))
    assert.equal(runs, 0)
    await turns[0]?.()
    assert.equal(runs, 1)
    await stopped.stop()
    await turns[1]?.()
    assert.equal(runs, 1)
    await inTurn.stop()
    later.start(null)
    t.mock.timers.tick(999)
    await Promise.resolve()
    assert.equal(runs, 1)
    t.mock.timers.tick(1)
    await later.stop()
    assert.equal(runs, 2)
  })

  it('does one run at a time, and asks the one under way to end when it is stopped', async () => {
    const gates: (() => void)[] = []
    let underWay = 0
    let most = 0
    let aborted = false
    const work = periodic(options, async (signal) => {
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => {
        gates.push(resolve)
        signal.addEventListener('abort', () => {
          aborted = true
          resolve()
        })
      })
      underWay--
    })
    const first = work.run()
    const second = work.run()
    await Promise.resolve().then(() => {})
    gates[0]?.()
    await first
    const stopped = work.stop()
    await Promise.all([second, stopped])
    assert.equal(most, 1)
    assert.equal(aborted, true)
  })

  it('logs a failure without words that may hold anything, and goes on', async () => {
    let runs = 0
    const work = periodic(options, async () => {
      if (++runs === 1) throw new TypeError('something secret')
    })
    await work.run()
    await work.run()
    assert.equal(runs, 2)
    assert.deepEqual(failures, [{ name: 'TypeError' }, 'the work failed'])
  })
})
