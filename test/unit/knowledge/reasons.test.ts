import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { because, reasonCodes, whyOf } from '../../../src/knowledge/reasons.ts'

describe('reasons', () => {
  it('the code of each is found in its words again, with the values', () => {
    for (const code of reasonCodes) {
      const template = because(code, { reason: '{reason}' })
      const names = [...template.matchAll(/undefined|\{reason\}/g)]
      const given = { type: 'x/y', megabytes: 5, count: 7, line: 3, pages: '1, 4-5' }
      const said = { ...given, address: 'https://example.com/a', status: 404, reason: 'a thing' }
      const { code: found, values } = whyOf(because(code, said))
      assert.equal(found, code, because(code, said))
      assert.equal(Object.keys(values).length, names.length, code)
      for (const [name, value] of Object.entries(values))
        assert.equal(value, String(said[name as keyof typeof said]), code)
    }
  })

  it('a reason within another has its code too', () =>
    assert.deepEqual(whyOf('robots.txt: the site answers 503'), {
      code: 'no_robots',
      values: { reason: 'the site answers 503', status: '503', cause: 'status' },
    }))

  it('words that are none of these have no code', () => {
    for (const words of [null, 'a comet struck', 'it needs a password!'])
      assert.deepEqual(whyOf(words), { code: null, values: {} })
  })
})
