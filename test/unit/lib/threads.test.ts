import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openThreads, TaskTooLarge, TaskTooSlow, type ThreadLimits } from '../../../src/lib/pacing/threads.ts'
import type { tasks } from './threads-thread.ts'

describe('threads', () => {
  const opened: { close(): Promise<void> }[] = []
  after(() => Promise.all(opened.map((threads) => threads.close())))

  function open(most: number, limits: Partial<ThreadLimits> = {}) {
    const threads = openThreads<typeof tasks>(new URL('./threads-thread', import.meta.url), {
      most,
      ofTeam: most,
      ...limits,
    })
    opened.push(threads)
    return threads
  }

  it('run a task and return its result', async () => {
    assert.equal(await open(1).run(1, 'double', 21), 42)
  })

  it('answer with nothing but results in a process that Node watches', async (t) => {
    const before = process.env.WATCH_REPORT_DEPENDENCIES
    process.env.WATCH_REPORT_DEPENDENCIES = '1'
    t.after(() => {
      if (before === undefined) delete process.env.WATCH_REPORT_DEPENDENCIES
      else process.env.WATCH_REPORT_DEPENDENCIES = before
    })
    assert.equal(await open(1).run(1, 'double', 21), 42)
  })

  it('throw what a task throws, at once or between two pieces, and go on', async () => {
    const threads = open(1)
    await assert.rejects(threads.run(1, 'fail', 'broken'), /broken/)
    const seen: number[] = []
    await assert.rejects(async () => {
      for await (const piece of threads.each(1, 'count', 3, 2)) seen.push(piece)
    }, /at 2/)
    assert.deepEqual(seen, [0, 1])
    assert.equal(await threads.run(1, 'double', 1), 2)
  })

  it('hand over pieces as they are asked for, and serve others once the iteration has ended', async () => {
    const threads = open(1)
    const pieces = threads.each(1, 'count', 1_000_000)
    assert.equal((await pieces.next()).value, 0)
    const other = threads.run(1, 'double', 2)
    assert.equal(await Promise.race([other, pieces.next().then(({ value }) => `piece ${value}`)]), 'piece 1')
    await pieces.return(undefined)
    assert.equal(await other, 4)
    assert.deepEqual(await Array.fromAsync(threads.each(1, 'count', 3)), [0, 1, 2])
  })

  it('end a task that takes too long, and work on in another thread', async () => {
    const threads = open(1, { milliseconds: 5_000 })
    await assert.rejects(threads.run(1, 'spin'), TaskTooSlow)
    assert.equal(await threads.run(1, 'double', 3), 6)
  })

  it('end a task that takes too much memory', async () => {
    const threads = open(1, { megabytes: 16 })
    await assert.rejects(threads.run(1, 'hoard'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
    assert.equal(await threads.run(1, 'double', 4), 8)
  })

  it('end a task whose buffers make the process too large', async () => {
    const threads = open(1, { grownMegabytes: 64 })
    await assert.rejects(threads.run(1, 'hoardBuffers'), TaskTooLarge)
    assert.equal(await threads.run(1, 'double', 5), 10)
  })

  it('wait for tasks that are asynchronous', async () => {
    const threads = open(1)
    assert.equal(await threads.run(1, 'later', 3), 3)
    await assert.rejects(threads.run(1, 'later', -1), { message: 'below zero' })
  })

  it('are left to other teams when one team would take all of them', async () => {
    const threads = open(2, { ofTeam: 1 })
    const spinning = [1, 2, 3].map(() => assert.rejects(threads.run(1, 'spin')))
    assert.equal(await threads.run(2, 'double', 21), 42)
    await threads.close()
    await Promise.all(spinning)
  })

  it('fail what runs and what waits when they are closed', async () => {
    const threads = open(1)
    const running = threads.run(1, 'spin')
    const waiting = threads.run(1, 'double', 1)
    const settled = Promise.allSettled([running, waiting])
    await threads.close()
    assert.deepEqual(
      (await settled).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    await assert.rejects(threads.run(1, 'double', 1), /have ended/)
  })
})
