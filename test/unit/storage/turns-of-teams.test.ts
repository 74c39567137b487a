import assert from 'node:assert/strict'
import { it } from 'node:test'
import { turnsOfTeams } from '../../../src/storage/turns-of-teams.ts'

it('a team has two transactions at once while others are at work, and as many as it likes when alone', async () => {
  let nowMs = 0
  const inTurn = turnsOfTeams({ alone: 1000, beside: 2 }, () => nowMs)
  const open: { teamId: number; end: () => void }[] = []
  const begin = (teamId: number, count: number) => {
    for (let at = 0; at < count; at++)
      void inTurn(teamId, () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        open.push({ teamId, end: resolve })
        return promise
      })
    return new Promise(setImmediate)
  }
  const openOf = (teamId: number) => open.filter((one) => one.teamId === teamId).length
  const end = (teamId: number, count: number) => {
    for (let at = 0; at < count; at++) {
      const [ended] = open.splice(
        open.findIndex((one) => one.teamId === teamId),
        1,
      )
      ended?.end()
    }
    return new Promise(setImmediate)
  }

  await begin(1, 5)
  assert.equal(openOf(1), 5, 'alone')
  await begin(2, 1)
  assert.equal(openOf(2), 1, 'another team begins at once')
  await begin(1, 4)
  await end(1, 3)
  assert.equal(openOf(1), 2, 'what was open ends before more begins')
  await end(1, 1)
  assert.equal(openOf(1), 2, 'one begins for one that ends')
  await begin(3, 3)
  assert.equal(openOf(3), 2, 'a third team has as many')
  nowMs += 1000
  await end(1, 1)
  assert.deepEqual([openOf(1), openOf(3)], [4, 3], 'alone again')
})
