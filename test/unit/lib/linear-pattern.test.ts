import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { linearPattern } from '../../../src/lib/linear-pattern/linear-pattern.ts'

describe('linearPattern', () => {
  it('matches as RegExp does', () => {
    const piece = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\w', 'a|b', '(?:ab|c)', 'é')
    const repeat = fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}')
    const pattern = fc
      .array(fc.tuple(piece, repeat), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([piece, repeat]) => `(?:${piece})${repeat}`).join(''))
      .filter((source) => !new RegExp(`^(?:${source})$`).test(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', 'é', 'A'), maxLength: 12 })
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (source, text, ignoreCase) => {
        const expected = new RegExp(source, ignoreCase ? 'i' : '').test(text)
        assert.equal(linearPattern(source, { ignoreCase }).test(text), expected)
      }),
    )
  })

  it('matches repeats within repeats, and the empty text, as RegExp does', () => {
    const { pattern } = fc.letrec((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('a', 'b', '[ab]', '.', ''),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, two]) => `${one}${two}`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, two]) => `(?:${one}|${two})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{0,2}', '{2,}'))
          .map(([one, repeat]) => `(?:${one})${repeat}`),
      ),
    }))
    const ends = fc.constantFrom(['', ''], ['^', ''], ['', '$'], ['^', '$'])
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
    fc.assert(
      fc.property(pattern, ends, text, (inner, [start, end], text) => {
        const source = `${start}(?:${inner})${end}`
        assert.equal(
          linearPattern(source, { testsOnly: true }).test(text),
          new RegExp(source).test(text),
          source,
        )
      }),
      { numRuns: 500 },
    )
  })

  for (const [name, source, fits, other] of [
    ['a slug', '^[a-z0-9]+(?:-[a-z0-9]+)*$', 'red-shoes-2', 'red--shoes'],
    ['a version', '^\\d+\\.\\d+\\.\\d+(?:-[0-9a-z-]+(?:\\.[0-9a-z-]+)*)?$', '1.2.3-rc.1', '1.2'],
    ['a host name', '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$', 'a.b-c.example', 'a..example'],
    ['a list of numbers', '^\\d+(,\\d+)*$', '1,22,3', '1,,2'],
    ['a path', '^(/[^/]+)+/?$', '/a/b/', 'a/b'],
  ] as const)
    it(`knows ${name}`, () => {
      assert.ok(linearPattern(source).test(fits), fits)
      assert.ok(!linearPattern(source).test(other), other)
    })

  it('names more characters, and may match the empty text, where texts are only tested', () => {
    const [long, empty] = ['^.{1,255}$', '^[a-z]*$']
    for (const source of [long, empty]) assert.throws(() => linearPattern(source), Error, source)
    const test = (source: string, text: string) => linearPattern(source, { testsOnly: true }).test(text)
    assert.deepEqual([test(long, 'x'.repeat(255)), test(long, 'x'.repeat(256))], [true, false])
    assert.deepEqual([test(empty, ''), test(empty, 'abc'), test(empty, 'A')], [true, true, false])
  })

  it('matches alternatives as RegExp does, whichever of them are joined', () => {
    const alternative = fc.constantFrom(
      'ab',
      '^a',
      'b$',
      '\\bc',
      'c\\b',
      '\\Bb',
      'a+b',
      '[^a]c',
      '^ab$',
      'cc',
    )
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'd'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(alternative, { minLength: 1, maxLength: 6 }), text, (alternatives, text) => {
        const source = alternatives.join('|')
        assert.equal(linearPattern(source).test(text), new RegExp(source).test(text))
      }),
    )
  })

  it('knows every character, however many come', () => {
    const characters = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code))
    const pattern = linearPattern('[\\p{Lu}à-þ]|x', { ignoreCase: false })
    pattern.test(characters.join(''))
    const expected = /[\p{Lu}à-þ]|x/u
    for (const character of characters) assert.equal(pattern.test(character), expected.test(character))
  })

  for (const [source, text, expected] of [
    ['\\bcat\\b', 'the cat.', true],
    ['\\bcat\\b', 'concatenate', false],
    ['\\bвозврат\\b', 'нужен возврат!', true],
    ['\\bвозврат\\b', 'возвраты', false],
    ['\\bcaf\\b', 'café', false],
    ['\\Bé', 'café', true],
    ['\\bé', 'café', false],
    ['\\b😀', 'a😀', true],
  ] as const) {
    it(`knows ends of words in every script: ${source} on ${text}`, () => {
      assert.equal(linearPattern(source).test(text), expected)
    })
  }

  it('tells the first stretch that is matched', () => {
    assert.equal(linearPattern('o-\\d+|x').first('see o-12, o-13 and x'), 'o-12')
    assert.equal(linearPattern('zz').first('see'), null)
  })

  for (const hostile of [
    '(?=a)b',
    '(a)\\1',
    'a{1000}',
    '(?:a{50}){50}',
    'x'.repeat(1001),
    Array(17).fill('.{126}x').join('|'),
    '(',
    'a**',
    '',
  ]) {
    it(`refuses ${hostile.slice(0, 20)}`, () => assert.throws(() => linearPattern(hostile), Error))
  }

  it('takes time in proportion to the text with hundreds of alternatives too', () => {
    const pattern = linearPattern(Array(240).fill('\\wb').join('|'))
    const started = process.cpuUsage()
    assert.ok(!pattern.test('a'.repeat(200_000)))
    assert.ok(process.cpuUsage(started).user < 1_500_000)
  })

  it('takes a list of words as long as a pattern may be', () => {
    const words = Array.from({ length: 142 }, (_, n) => `bad${100 + n}`)
    const pattern = linearPattern(words.join('|'), { ignoreCase: true })
    for (const word of words) assert.equal(pattern.first(`a ${word.toUpperCase()}.`), word.toUpperCase())
  })

  it('keeps compiled patterns, by their options too', () => {
    assert.equal(linearPattern('kept'), linearPattern('kept'))
    assert.notEqual(linearPattern('kept'), linearPattern('kept', { ignoreCase: true }))
    for (let n = 0; n < 600; n++) linearPattern(`p${n}`)
    assert.ok(linearPattern('kept').test('kept'))
  })

  for (const [source, text, isOpen] of [
    ['secret\\s+code', 'The secret\n', true],
    ['secret\\s+code', 'The secret code', false],
    ['secret\\s+code', 'The secret place\n', false],
    ['key: .*', 'key: abc. ', true],
    ['key: .*', 'key: abc.\n', false],
    ['code\\b', 'the code', true],
    ['code', 'the code', false],
    ['ab|abcd', 'ab', true],
    ['^ab', 'xa', false],
  ] as const)
    it(`/${source}/ ${isOpen ? 'may go on' : 'is done'} behind ${JSON.stringify(text)}`, () => {
      assert.equal(linearPattern(source).isOpen(text), isOpen)
    })

  it('takes time in proportion to the text, whatever the pattern', () => {
    for (const source of ['(?:a|aa|aaa)+b', '(a+)+b', '(a*)*b', '(?:(?:a|a)+(?:a|a)+)+b', '(?:.?){100}b']) {
      const pattern = linearPattern(source)
      const started = process.cpuUsage()
      assert.ok(!pattern.test('a'.repeat(200_000)), source)
      assert.equal(pattern.first('a'.repeat(200_000)), null, source)
      assert.ok(process.cpuUsage(started).user < 1_500_000, source)
    }
  })

  for (const source of [
    'a(?:(?:(?:(?:){100}){100}){100}){100}',
    `${'(?:'.repeat(49)}${Array(120).fill('\\w|.').join('|')}${')+'.repeat(49)}Q`,
  ])
    it(`is read in little time, however it is nested: ${source.slice(0, 20)}`, () => {
      const started = process.cpuUsage()
      linearPattern(source, { testsOnly: true })
      assert.ok(process.cpuUsage(started).user < 500_000)
    })
})
