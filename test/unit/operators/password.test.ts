import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dictionary } from '@zxcvbn-ts/language-common'
import { checkPassword, hashPassword, passwordMatches } from '../../../src/operators/password.ts'

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

  for (const easy of [
    'Password1234!',
    'iloveyou1234',
    '111122223333',
    'aaaaaaaaaaab',
    'adminadmin123',
    'abcdefghijkl',
    'qwertyuiop12',
    'ab'.repeat(500),
  ])
    it(`are refused when they are easy to guess: ${easy.slice(0, 20)}`, () =>
      assert.rejects(checkPassword(easy), /too easy to guess/))

  for (const good of [
    'correct horse battery',
    'q7#mZ2pL9vWx',
    'ein langes Kennwort',
    '正しい馬の電池ホチキスです。',
    'a sentence that is longer than what is looked at',
  ])
    it(`are accepted when they are hard to guess: ${good.slice(0, 20)}`, () => checkPassword(good))

  it('are none of the most common ones', async () => {
    const common: readonly string[] = [...dictionary['passwords-common']]
    const long = common.filter((password) => password.length >= 12)
    assert.ok(long.length > 300)
    for (const password of long) await assert.rejects(checkPassword(password), /too easy/, password)
  })
})
