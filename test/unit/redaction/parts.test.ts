import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compile } from '../../../src/redaction/compile.ts'
import type { Stretch } from '../../../src/redaction/engine/stretch.ts'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { recognizers } from '../../../src/redaction/recognizers/all.ts'

const find = compile(recognizers)
const FILLER = 'some words between '.repeat(500)
const SSN = 'SSN 536-90-4399 '

/** Returns what is found in the stretch `asked` of a text when the stretch `read` is read for it. */
function foundIn(text: string, asked: string, read = asked): string[] {
  const found = find(text, { asked: [stretchOf(text, asked)], read: [stretchOf(text, read)] })
  return found.map(({ start, end }) => text.slice(start, end))
}

function stretchOf(text: string, part: string): Stretch {
  const start = text.indexOf(part)
  return { start, end: start + part.length }
}

describe('a part of a text', () => {
  it('is asked for what touches it alone', () => {
    assert.deepEqual(foundIn(`a@b.co, c@d.co, e@f.co`, ' c@d.co,', 'a@b.co, c@d.co, e@f.co'), ['c@d.co'])
  })

  it('is read with the words around it, and no others', () => {
    const text = 'order number 12345, account 000123456789'
    assert.deepEqual(foundIn(text, '000123456789'), [])
    assert.deepEqual(foundIn(text, '000123456789', 'account 000123456789'), ['000123456789'])
  })

  it('begins with a whole word', () => {
    assert.deepEqual(foundIn('xDear Anna Bell,', 'Dear Anna Bell,'), [])
    assert.deepEqual(foundIn('x Dear Anna Bell,', 'Dear Anna Bell,'), ['Anna Bell'])
  })

  it('may hold characters that are left out', () => {
    const text = `\u200b${'a\u00adb '.repeat(20)}${SSN}a\u00adb\u200b ${SSN}`
    const second = text.lastIndexOf('SSN')
    const asked = [{ start: second, end: text.length }]
    assert.deepEqual(find(text, { asked, read: asked }), [
      { type: 'US_SSN', start: second + 4, end: second + 15, strength: 'alone' },
    ])
  })

  it('gives names that are looked for in the whole text, but not in placeholders', () => {
    const text = `ANNA [US_ANNA] ${FILLER} my name is ANNA BELL`
    assert.deepEqual(foundIn(text, 'my name is ANNA BELL'), ['ANNA', 'ANNA BELL'])
  })
})

describe('what a redaction lays bare', () => {
  const redactor = createPatternRedactor()

  it('is taken out of a text of any length', () => {
    const text = `${FILLER}born 12/12/1980 12/12/1980 ${FILLER}`
    assert.equal(redactor.redact(text), `${FILLER}born [DATE_OF_BIRTH] [DATE_OF_BIRTH] ${FILLER}`)
  })

  it('is a name wherever it stands', () => {
    // The tagger does not read a line with a placeholder.
    const text = `[URL] Anna ${FILLER}我叫Anna路1号, ${FILLER}Anna`
    assert.equal(redactor.redact(text), `[URL] [PERSON] ${FILLER}我叫[PERSON][LOCATION], ${FILLER}[PERSON]`)
  })
})
