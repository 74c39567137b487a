import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ChildGone, type ChildLimits, openChildren } from '../../../src/lib/pacing/children.ts'
import { TaskTooSlow } from '../../../src/lib/pacing/threads.ts'
import { becomes } from '../../support/becomes.ts'

describe('child processes', () => {
  const opened: { close(): Promise<void> }[] = []
  after(() => Promise.all(opened.map((children) => children.close())))

  function open(limits: Partial<ChildLimits> = {}) {
    const children = openChildren<string, unknown>(new URL('./children-child', import.meta.url), {
      milliseconds: 60_000,
      keptMegabytes: 200,
      ...limits,
    })
    opened.push(children)
    return children
  }

  it('answer one after the other, and beside each other when they are asked at once', async () => {
    const children = open()
    const first = await children.ask('who')
    assert.notEqual(first, process.pid)
    assert.equal(await children.ask('who'), first)
    const both = await Promise.all([children.ask('who'), children.ask('who')])
    assert.equal(new Set(both).size, 2)
  })

  it('get nothing of the environment but the channel to their parent', async () => {
    const names = (await open().ask('environment')) as string[]
    assert.deepEqual(
      names.filter((name) => !name.startsWith('NODE_CHANNEL')),
      [],
    )
  })

  it('tell what they throw, and go on', async () => {
    const children = open()
    const first = await children.ask('who')
    await assert.rejects(children.ask('this'), /no answer to this/)
    assert.equal(await children.ask('who'), first)
  })

  it('are ended when they take too long or die, and others take their place', async () => {
    const children = open({ milliseconds: 5_000 })
    await assert.rejects(children.ask('spin'), TaskTooSlow)
    await assert.rejects(
      children.ask('die'),
      (error) => error instanceof ChildGone && error.signal === 'SIGKILL',
    )
    assert.equal(typeof (await children.ask('who')), 'number')
  })

  it('end with the memory that they took', async () => {
    const children = open()
    const large = (await children.ask('grow')) as number
    await becomes(async () => isRunning(large), false)
    assert.notEqual(await children.ask('who'), large)
  })

  it('end when they are closed, and nobody is answered after that', async () => {
    const children = open()
    const id = (await children.ask('who')) as number
    const spinning = assert.rejects(children.ask('spin'), /have ended/)
    await children.close()
    await spinning
    assert.equal(isRunning(id), false)
    await assert.rejects(children.ask('who'), /have ended/)
  })
})

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
