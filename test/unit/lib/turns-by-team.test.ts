import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timeByTeam } from '../../../src/lib/pacing/time-by-team.ts'
import { turnsByTeam } from '../../../src/lib/pacing/turns-by-team.ts'

/** Turns of which it is noted who has begun, with a clock that goes on by hand. */
function noted(most: number, ofTeam?: number) {
  let nowMs = 0
  const turns = turnsByTeam(most, ofTeam, () => nowMs)
  const begun: string[] = []
  const places = new Map<string, Disposable>()
  return {
    turns,
    begun,
    /** @param name begins with the number of its team */
    ask(...names: string[]) {
      for (const name of names)
        void turns.take(Number(name[0])).then((place) => {
          begun.push(name)
          places.set(name, place)
        })
      return new Promise(setImmediate)
    },
    /** Ends what has begun, after some time. */
    end(name: string, tookMs = 0) {
      nowMs += tookMs
      places.get(name)?.[Symbol.dispose]()
      return new Promise(setImmediate)
    },
  }
}

describe('turns by team', () => {
  it('a long queue of one team keeps no other team waiting', async () => {
    const { ask, begun, end } = noted(1)
    await ask('1a', '1b', '1c', '1d')
    await ask('2a')
    await end('1a', 30_000)
    assert.deepEqual(begun, ['1a', '2a'])
  })

  it('whoever has used less time goes first, until both have used as much', async () => {
    const { ask, begun, end } = noted(1)
    await ask('1a', '1b', '1c', '2a', '2b', '2c', '2d')
    await end('1a', 30)
    for (const name of ['2a', '2b', '2c']) await end(name, 10)
    await end('1b', 30)
    await end('2d', 10)
    assert.deepEqual(begun, ['1a', '2a', '2b', '2c', '1b', '2d', '1c'])
  })

  it('a team that comes later makes nobody wait for the time that it has not used', async () => {
    const { ask, begun, end } = noted(1)
    await ask('1a')
    for (const [name, next] of [
      ['1a', '1b'],
      ['1b', '1c'],
    ] as const) {
      await ask(next)
      await end(name, 1000)
    }
    await ask('1d', '2a', '2b', '2c')
    await end('1c', 1000)
    await end('2a', 1000)
    assert.deepEqual(begun.slice(3, 5), ['2a', '1d'])
  })

  it('a team never has more than its share of the places', async () => {
    const { ask, begun, end } = noted(3, 2)
    await ask('1a', '1b', '1c', '1d')
    assert.deepEqual(begun, ['1a', '1b'])
    await ask('2a', '2b')
    assert.deepEqual(begun, ['1a', '1b', '2a'])
    await end('1a', 5)
    assert.deepEqual(begun.slice(3), ['2b'], 'of those with as many places whoever has used less time')
    await end('1b', 5)
    await end('2a', 5)
    assert.deepEqual(begun.slice(4), ['1c', '1d'])
  })

  it('refuse everybody once they have ended', async () => {
    const turns = turnsByTeam(1)
    using _held = await turns.take(1)
    const waiting = [1, 2, null].map((team) => assert.rejects(turns.take(team), /over/))
    turns.end(new Error('over'))
    await Promise.all(waiting)
    await assert.rejects(turns.take(3), /over/)
  })
})

describe('time by team', () => {
  it('is spent by each team for itself, and comes back evenly', () => {
    let nowMs = 1_000_000
    const time = timeByTeam(60_000, () => nowMs)
    time.spend(1, 40_000)
    assert.deepEqual([time.isSpent(1), time.isSpent(2)], [false, false])
    time.spend(1, 30_000)
    time.spend(2, 10_000)
    time.spend(null, 1_000_000)
    assert.deepEqual([time.isSpent(1), time.isSpent(2), time.isSpent(null)], [true, false, false])
    nowMs += 11 * 60_000
    assert.equal(time.isSpent(1), false)
    time.spend(1, 1000)
    assert.equal(time.isSpent(1), true)
  })
})
