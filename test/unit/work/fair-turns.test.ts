import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type FairTurns, fairTurns, type Owner } from '../../../src/work/fair-turns.ts'

const PLACES = [4, 8, 40, 400]

describe('shares of places', () => {
  const mayBegin = (turns: FairTurns, { tenant, team }: Owner) =>
    turns.tenants.roomOf(tenant) > 0 && turns.teams.roomOf(team) > 0

  /** Begins pieces of an owner until one of its shares is used up. */
  function fill(turns: FairTurns, owner: Owner): number {
    let begun = 0
    for (; mayBegin(turns, owner); begun++) turns.begin(owner)
    return begun
  }

  for (const places of PLACES)
    it(`of ${places} places a tenant that hangs leaves some to its team, and a team some to others`, () => {
      const turns = fairTurns(places)
      assert.equal(fill(turns, { tenant: 1, team: 1 }), places / 2)
      assert.equal(turns.isAnyFull(), true, 'a tenant is full')
      assert.ok(mayBegin(turns, { tenant: 2, team: 1 }), 'another tenant of its team')
      const taken = places / 2 + fill(turns, { tenant: 2, team: 1 }) + fill(turns, { tenant: 3, team: 1 })
      assert.equal(taken, Math.round(places * 0.7))
      assert.equal(mayBegin(turns, { tenant: 4, team: 1 }), false, 'a tenant of a full team')
      assert.ok(mayBegin(turns, { tenant: 5, team: 2 }), 'another team')
    })

  it('in any order of pieces nobody has more than the share, and who has none under way finds a place', () => {
    const steps = fc.array(fc.record({ tenant: fc.nat(8), ends: fc.option(fc.nat(), { freq: 2 }) }), {
      maxLength: 200,
      size: 'max',
    })
    fc.assert(
      fc.property(fc.constantFrom(4, 8, 40), steps, (places, steps) => {
        const turns = fairTurns(places)
        const underWay: Owner[] = []
        for (const { tenant, ends } of steps) {
          const owner = { tenant, team: tenant % 3 }
          const has = (level: keyof Owner) => underWay.filter((one) => one[level] === owner[level]).length
          if (underWay.length < places) {
            if (has('tenant') === 0 && turns.teams.roomOf(owner.team) > 0)
              assert.ok(mayBegin(turns, owner), 'a place for a new tenant')
            if (has('team') === 0) assert.ok(mayBegin(turns, owner), 'a place for a new team')
            if (mayBegin(turns, owner)) {
              turns.begin(owner)
              underWay.push(owner)
              assert.ok(has('tenant') <= places / 2, 'half of the places for a tenant')
              assert.ok(has('team') <= Math.round(places * 0.7), 'seven of ten for a team')
            }
          }
          const [ended] = ends === null ? [] : underWay.splice(ends % Math.max(1, underWay.length), 1)
          if (ended) turns.end(ended)
        }
        for (const owner of underWay) turns.end(owner)
        assert.equal(turns.isAnyFull(), false)
        assert.equal(turns.teams.roomOf(null), Math.round(places * 0.7), 'all places are free again')
      }),
    )
  })

  it('whoever has fewer pieces under way goes first, then whoever had no turn for longest', () => {
    const turns = fairTurns(8)
    for (const [tenant, team] of [
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 3],
      [4, 3],
    ] as const)
      turns.begin({ tenant, team })
    turns.end({ tenant: 3, team: 2 })
    const inOrder = (handicaps: Map<number, number>) =>
      [...handicaps].sort(([, one], [, other]) => one - other).map(([id]) => id)
    assert.deepEqual(inOrder(turns.tenants.handicaps()), [3, 1, 2, 4])
    assert.deepEqual(inOrder(turns.teams.handicaps()), [2, 1, 3])
  })
})
