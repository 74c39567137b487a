import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workAll, workEach } from '../../../src/lib/pacing/work-each.ts'

const fails = (piece: number) => piece < 0

function worker() {
  const worked: number[] = []
  const work = async (piece: number) => {
    if (fails(piece)) throw new Error(`${piece} failed`)
    worked.push(piece)
  }
  return { worked, work }
}

describe('workEach', () => {
  it('works all others when one fails, and throws the last failure in the end', async () => {
    const { worked, work } = worker()
    await assert.rejects(workEach([-1, 2, -3, 4], work), { message: '-3 failed' })
    assert.deepEqual(worked, [2, 4])
  })

  it('tells of each failure in place of throwing it', async () => {
    const { worked, work } = worker()
    const failures: unknown[] = []
    await workEach([-1, 2, -3, 4], work, { failed: (...told) => failures.push(told) })
    assert.deepEqual(worked, [2, 4])
    assert.deepEqual(failures, [
      [-1, new Error('-1 failed')],
      [-3, new Error('-3 failed')],
    ])
  })

  it('gives those that have more to do further turns, each after the others', async () => {
    const worked: string[] = []
    const left = { a: 3, b: 1, c: 2 }
    await workEach(['a', 'b', 'c'] as const, async (piece) => {
      worked.push(piece)
      return --left[piece] > 0
    })
    assert.equal(worked.join(''), 'abcaca')
  })

  it('begins nothing more once it is asked to end, and reports no failure then', async () => {
    const stopping = new AbortController()
    const { worked, work } = worker()
    const stop = async (piece: number) => {
      if (piece === 3) stopping.abort()
      await work(piece)
    }
    await workEach([-1, 2, 3, 4], stop, { signal: stopping.signal })
    assert.deepEqual(worked, [2, 3])
  })
})

describe('workAll', () => {
  /** Pieces of which each disappears once it is worked. */
  function table(pieces: number[]) {
    const { worked, work } = worker()
    let selections = 0
    return {
      worked,
      selections: () => selections,
      async select(limit: number) {
        selections++
        return pieces.filter((piece) => !worked.includes(piece)).slice(0, limit)
      },
      work,
    }
  }

  it('works all in batches, past any number that fail, each of which is tried once', async () => {
    const bad = Array.from({ length: 250 }, (_, at) => -1 - at)
    const good = Array.from({ length: 250 }, (_, at) => 1 + at)
    const { worked, select, selections, work } = table([...bad, ...good])
    const tried = new Set<number>()
    const once = async (piece: number) => {
      assert.ok(!tried.has(piece), `${piece} is tried again`)
      tried.add(piece)
      await work(piece)
    }
    await assert.rejects(
      workAll(select, (piece) => piece, once),
      { message: '-250 failed' },
    )
    assert.deepEqual(worked, good)
    assert.equal(selections(), 6)
  })

  it('ends when it is asked to, without a failure', async () => {
    const stopping = new AbortController()
    const { worked, select, work } = table(Array.from({ length: 500 }, (_, at) => at))
    const stop = async (piece: number) => {
      if (piece === 120) stopping.abort()
      await work(piece)
    }
    await workAll(select, (piece) => piece, stop, stopping.signal)
    assert.equal(worked.length, 121)
  })
})
