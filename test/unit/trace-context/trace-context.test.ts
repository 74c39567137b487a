import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { continueTrace, formatTraceparent, newSpanId } from '../../../src/lib/tracing/trace-context.ts'
import { processorTime } from '../../support/processor-time.ts'

const TRACE = '12345678901234567890123456789012'
const SPAN = '1234567890123456'
const PARENT = `00-${TRACE}-${SPAN}-01`

describe('traceparent', () => {
  test('is continued under a new span', () => {
    const context = continueTrace({ traceparent: PARENT })
    assert.equal(context.traceId, TRACE)
    assert.equal(context.parentSpanId, SPAN)
    assert.match(context.spanId, /^[0-9a-f]{16}$/)
    assert.notEqual(context.spanId, SPAN)
    assert.equal(formatTraceparent(context), `00-${TRACE}-${context.spanId}-01`)
  })

  test('begins a random, sampled trace when it is missing', () => {
    const [one, two] = [continueTrace({}), continueTrace({})]
    assert.match(formatTraceparent(one), /^00-[0-9a-f]{32}-[0-9a-f]{16}-03$/)
    assert.equal(one.parentSpanId, null)
    assert.notEqual(one.traceId, two.traceId)
    assert.notEqual(one.spanId, two.spanId)
  })

  for (const [flags, sent] of Object.entries({
    '00': '00',
    '01': '01',
    '02': '02',
    '03': '03',
    ff: '03',
    '0c': '00',
  })) {
    test(`passes the known ones of the flags ${flags} on`, () => {
      const context = continueTrace({ traceparent: `00-${TRACE}-${SPAN}-${flags}` })
      assert.equal(formatTraceparent(context).slice(-2), sent)
    })
  }

  const valid: Record<string, string | string[]> = {
    'a list of one': [PARENT],
    'a future version': `cc-${TRACE}-${SPAN}-01`,
    'a future version with more fields': `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`,
    'a future version that ends in a dash': `01-${TRACE}-${SPAN}-01-`,
    'a space before': ` ${PARENT}`,
    'a tab before': `\t${PARENT}`,
    'a space after': `${PARENT} `,
    'a tab after': `${PARENT}\t`,
    'blanks around': `\t ${PARENT} \t`,
  }
  for (const [what, traceparent] of Object.entries(valid)) {
    test(`may have ${what}`, () => {
      const context = continueTrace({ traceparent, tracestate: 'foo=1' })
      assert.deepEqual([context.traceId, context.parentSpanId], [TRACE, SPAN])
      assert.equal(context.tracestate, 'foo=1')
      assert.match(formatTraceparent(context), /^00-/)
    })
  }

  const invalid: Record<string, string | string[]> = {
    'nothing in it': '',
    'an empty list': [],
    'two values': [PARENT, PARENT],
    'two values joined': `${PARENT}, ${PARENT}`,
    'two values of a future version joined': `cc-${TRACE}-${SPAN}-01, cc-${TRACE}-${SPAN}-01`,
    'version ff': `ff-${TRACE}-${SPAN}-01`,
    'version 00 and a dot after it': `${PARENT}.`,
    'version 00 and a dash after it': `${PARENT}-`,
    'version 00 and more fields': `${PARENT}-what-the-future-will-be-like`,
    'a future version and a dot after it': `cc-${TRACE}-${SPAN}-01.what-the-future-will-be-like`,
    'a future version cut short': `cc-${TRACE}-${SPAN}-0`,
    'an illegal character in the version': `.0-${TRACE}-${SPAN}-01`,
    'an illegal second character in the version': `0.-${TRACE}-${SPAN}-01`,
    'a version of 3 digits': `000-${TRACE}-${SPAN}-01`,
    'a version of 4 digits': `0000-${TRACE}-${SPAN}-01`,
    'a version of 1 digit': `0-${TRACE}-${SPAN}-01`,
    'an upper-case version': `CC-${TRACE}-${SPAN}-01`,
    'a zero trace id': `00-${'0'.repeat(32)}-${SPAN}-01`,
    'an illegal first character in the trace id': `00-.${TRACE.slice(1)}-${SPAN}-01`,
    'an illegal last character in the trace id': `00-${TRACE.slice(1)}.-${SPAN}-01`,
    'an upper-case trace id': `00-${'A'.repeat(32)}-${SPAN}-01`,
    'a trace id that is too long': `00-${TRACE}3-${SPAN}-01`,
    'a trace id that is too short': `00-${TRACE.slice(1)}-${SPAN}-01`,
    'a zero parent id': `00-${TRACE}-${'0'.repeat(16)}-01`,
    'an illegal first character in the parent id': `00-${TRACE}-.${SPAN.slice(1)}-01`,
    'an illegal last character in the parent id': `00-${TRACE}-${SPAN.slice(1)}.-01`,
    'an upper-case parent id': `00-${TRACE}-${'A'.repeat(16)}-01`,
    'a parent id that is too long': `00-${TRACE}-${SPAN}7-01`,
    'a parent id that is too short': `00-${TRACE}-${SPAN.slice(1)}-01`,
    'an illegal first character in the flags': `00-${TRACE}-${SPAN}-.0`,
    'an illegal second character in the flags': `00-${TRACE}-${SPAN}-0.`,
    'upper-case flags': `00-${TRACE}-${SPAN}-0A`,
    'flags of 3 digits': `00-${TRACE}-${SPAN}-001`,
    'flags of 1 digit': `00-${TRACE}-${SPAN}-1`,
    'no dash before the trace id': `00_${TRACE}-${SPAN}-01`,
    'no dash before the parent id': `00-${TRACE}_${SPAN}-01`,
    'no dash before the flags': `00-${TRACE}-${SPAN}_01`,
    'a line break before': `\n${PARENT}`,
  }
  for (const [what, traceparent] of Object.entries(invalid)) {
    test(`begins a trace, without tracestate, when it has ${what}`, () => {
      const context = continueTrace({ traceparent, tracestate: 'foo=1' })
      assert.equal(context.parentSpanId, null)
      assert.equal(context.tracestate, null)
      assert.ok(!String(traceparent).toLowerCase().includes(context.traceId))
    })
  }

  test('that was formatted here is continued as it was', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (sampled, random) => {
        const context = { ...continueTrace({}), sampled, random }
        const next = continueTrace({ traceparent: formatTraceparent(context) })
        assert.deepEqual([next.traceId, next.parentSpanId], [context.traceId, context.spanId])
        assert.deepEqual([next.sampled, next.random], [sampled, random])
      }),
    )
  })

  test('of any other text never fails', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (traceparent, tracestate) => {
        assert.equal(continueTrace({ traceparent, tracestate }).tracestate, null)
      }),
    )
  })
})

describe('tracestate', () => {
  const state = (tracestate: string | string[]) =>
    continueTrace({ traceparent: PARENT, tracestate }).tracestate
  const keyCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789_-*/'
  const valueCharacters = String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 0x20 + n)).replace(
    /[,=]/g,
    '',
  )
  const members = (count: number) => Array.from({ length: count }, (_, n) => `bar${n}=${n}`).join(',')

  const kept: [string | string[], string | null][] = [
    ['foo=1', 'foo=1'],
    ['foo=1,bar=2', 'foo=1,bar=2'],
    ['', null],
    [' \t', null],
    [[], null],
    [['foo=1', ''], 'foo=1'],
    [['', 'foo=1'], 'foo=1'],
    ['foo=1,, ,bar=2,', 'foo=1,bar=2'],
    [['foo=1,bar=2', 'rojo=1,congo=2', 'baz=3'], 'foo=1,bar=2,rojo=1,congo=2,baz=3'],
    ['foo=1 \t , \t bar=2, \t baz=3', 'foo=1,bar=2,baz=3'],
    ['foo=1\t \t,\t \tbar=2,\t \tbaz=3', 'foo=1,bar=2,baz=3'],
    [' foo=1', 'foo=1'],
    ['\tfoo=1', 'foo=1'],
    ['foo=1 ', 'foo=1'],
    ['foo=1\t', 'foo=1'],
    ['\t foo=1 \t', 'foo=1'],
    ['foo=  1', 'foo=  1'],
    ['foo=1,foo=1', 'foo=1'],
    ['foo=1,bar=2,foo=3', 'foo=1,bar=2'],
    [['foo=1', 'foo=2'], 'foo=1'],
    [`${keyCharacters}=${valueCharacters}`, `${keyCharacters}=${valueCharacters}`],
    [`${keyCharacters}@a-z0-9_-*/=1`, `${keyCharacters}@a-z0-9_-*/=1`],
    ['0foo=1,1foo@bar=2', '0foo=1,1foo@bar=2'],
    ['foo@=1,bar=2', 'foo@=1,bar=2'],
    ['foo@@bar=1,foo@bar@baz=2,foo@1bar=3', 'foo@@bar=1,foo@bar@baz=2,foo@1bar=3'],
    [`${'t'.repeat(242)}@v=1,t@${'v'.repeat(15)}=1`, `${'t'.repeat(242)}@v=1,t@${'v'.repeat(15)}=1`],
    [`${'z'.repeat(256)}=1`, `${'z'.repeat(256)}=1`],
    [`${'t'.repeat(241)}@${'v'.repeat(14)}=1`, `${'t'.repeat(241)}@${'v'.repeat(14)}=1`],
    [`foo=${'v'.repeat(256)}`, `foo=${'v'.repeat(256)}`],
    [members(32), members(32)],
    [`${members(32)}, ,bar0=1`, members(32)],
  ]
  for (const [sent, passedOn] of kept) {
    test(`passes ${label(sent)} on`, () => assert.equal(state(sent), passedOn))
  }

  const dropped = [
    'foo',
    'foo =1',
    'FOO=1',
    'foo.bar=1',
    '=1',
    '_foo=1',
    '@foo=1,bar=2',
    `foo=1,${'z'.repeat(257)}=1`,
    `foo=1,${'t'.repeat(255)}@v=1`,
    'foo=bar=baz',
    'foo=,bar=3',
    'foo= ,bar=3',
    `foo=${'v'.repeat(257)}`,
    'foo=a\tb',
    'foo=é',
    'foo=1\n',
    members(33),
  ]
  for (const sent of dropped) {
    test(`is dropped as ${label(sent)}, and the trace goes on`, () => {
      assert.equal(state(sent), null)
      assert.equal(continueTrace({ traceparent: PARENT, tracestate: sent }).traceId, TRACE)
    })
  }

  test('is dropped without traceparent', () => {
    assert.equal(continueTrace({ tracestate: 'foo=1' }).tracestate, null)
  })

  test('is read in linear time', () => {
    const hostile = `${' '.repeat(500_000)}x${'\t'.repeat(500_000)}`
    const used = processorTime()
    assert.equal(state(hostile), null)
    assert.ok(used() < 500)
  })
})

test('new span ids are 16 hexadecimal digits, each its own', () => {
  const ids = new Set(Array.from({ length: 100 }, newSpanId))
  assert.equal(ids.size, 100)
  for (const id of ids) assert.match(id, /^[0-9a-f]{16}$/)
})

function label(sent: string | string[]): string {
  const text = JSON.stringify(sent)
  return text.length > 50 ? `${text.slice(0, 47)}... (${text.length})` : text
}
