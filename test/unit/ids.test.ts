import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isUuid, uuidTime, uuidv7, uuidv7After } from '../../src/lib/ids.ts'

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LAST_TIME = 2 ** 48 - 2
const times = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: LAST_TIME }))

describe('uuidv7', () => {
  it('has the form of RFC 9562 and its time in it', () => {
    fc.assert(
      fc.property(times, (time) => {
        const id = uuidv7(time)
        assert.match(id, FORM)
        assert.ok(isUuid(id))
        assert.equal(uuidTime(id), time)
      }),
    )
  })

  it('never repeats, over more than one pool of random bytes', () => {
    const ids = new Set(Array.from({ length: 5000 }, () => uuidv7(1)))
    assert.equal(ids.size, 5000)
  })
})

describe('uuidv7After', () => {
  it('rises whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(times, { maxLength: 50 }), (clock) => {
        let last = ''
        for (const now of clock) {
          const next = uuidv7After(last, now)
          assert.match(next, FORM)
          assert.ok(next > last, `${next} after ${last}`)
          assert.ok(uuidTime(next) >= now)
          last = next
        }
      }),
    )
  })

  it('counts on from the last one while the clock stands still', () => {
    const last = '01a00000-0000-7000-8000-0000000000ff'
    assert.equal(uuidv7After(last, 0), '01a00000-0000-7000-8000-000000000100')
  })

  it('carries over the variant into the version half', () => {
    const last = '01a00000-0000-7001-bfff-ffffffffffff'
    assert.equal(uuidv7After(last, 0), '01a00000-0000-7002-8000-000000000000')
  })

  it('takes the next millisecond when all random bits are used up', () => {
    const next = uuidv7After('01a00000-0000-7fff-bfff-ffffffffffff', 0)
    assert.match(next, /^01a00000-0001-7/)
    assert.match(next, FORM)
  })
})

describe('isUuid', () => {
  it('takes either case, and nothing around it', () => {
    assert.ok(isUuid('01A00000-0000-7000-8000-0000000000FF'))
    for (const text of [
      '',
      '7',
      ' 01a00000-0000-7000-8000-0000000000ff',
      '01a0000000007000800000000000 00ff',
      '01a00000-0000-7000-8000-0000000000ff\n',
    ]) {
      assert.ok(!isUuid(text), JSON.stringify(text))
    }
  })
})
