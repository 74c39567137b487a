import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashPassword, passwordMatches } from '../../../src/operators/password.ts'

describe('passwords', () => {
  it('match their own hash and no other', async () => {
    const hash = await hashPassword('correct horse battery')
    assert.equal(await passwordMatches('correct horse battery', hash), true)
    assert.equal(await passwordMatches('correct horse batterY', hash), false)
    assert.notEqual(await hashPassword('correct horse battery'), hash)
  })

  it('match however the keyboard composes their letters', async () => {
    assert.equal(
      await passwordMatches('cafe\u0301 con leche', await hashPassword('caf\u00e9 con leche')),
      true,
    )
  })

  it('match nothing where there is no hash', async () => {
    assert.equal(await passwordMatches('', null), false)
  })
})
