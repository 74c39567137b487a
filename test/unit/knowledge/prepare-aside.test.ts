import assert from 'node:assert/strict'
import { it } from 'node:test'
import { prepareAside } from '../../../src/knowledge/documents/prepare-aside.ts'

it('a team whose long documents take forever to be stored leaves a thread to another team', async () => {
  const content = 'A sentence about parcels. '.repeat(2000)
  const prepare = (team: number, use: () => Promise<void>) =>
    prepareAside(
      async () => team,
      { title: 'Parcels', otherwiseTitled: null, content, format: 'text', questions: [] },
      use,
    )
  const held = Promise.withResolvers<void>()
  const tooMany = Promise.withResolvers<never>()
  let begun = 0
  const greedy = Array.from({ length: 4 }, () =>
    prepare(1, () => {
      if (++begun === 3) tooMany.reject(new Error('a team has three threads at once'))
      return held.promise
    }),
  )
  try {
    await Promise.race([prepare(2, async () => {}), tooMany.promise])
  } finally {
    tooMany.promise.catch(() => {})
    held.resolve()
  }
  await Promise.all(greedy)
  assert.equal(begun, 4)
})
