import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keepTrying } from '../../../src/storage/keep-trying.ts'

describe('keepTrying', () => {
  const away = new Error('away')
  const engine = { isUnavailable: (error: unknown) => error === away }

  it('tries again when the database was away for a moment', async () => {
    let tries = 0
    const work = async () => {
      if (++tries === 1) throw away
      return 'done'
    }
    assert.equal(await keepTrying(engine, work), 'done')
    assert.equal(tries, 2)
  })

  it('tries nothing again that failed for another reason', async () => {
    let tries = 0
    const work = async () => {
      tries++
      throw new Error('a mistake')
    }
    await assert.rejects(keepTrying(engine, work), /a mistake/)
    assert.equal(tries, 1)
  })
})
