import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contradictions } from '../../../src/redaction/custom/own-words.ts'
import { createPatternRedactor } from '../../../src/redaction/redactor.ts'

const redact = (text: string, deny: string[], allow: string[] = []) =>
  createPatternRedactor({ words: { deny, allow } }).redact(text)

describe('own words', () => {
  for (const [deny, text, redacted] of [
    [
      'Projekt Falke',
      'Kennt ihr das projekt  FALKE? Projekt Falken nicht.',
      'Kennt ihr das [CUSTOM]? Projekt Falken nicht.',
    ],
    ['Mühle', 'die MÜHLE, Mu\u0308hle, Mühlen', 'die [CUSTOM], [CUSTOM], Mühlen'],
    ['ΟΔΟΣ', 'Η οδός, η οδοσ', 'Η [CUSTOM], η [CUSTOM]'],
    ['проект', 'ПРОЕКТ и проекты', '[CUSTOM] и проекты'],
    ['4711', 'No. 4711, 14711, 4711a, 4711.', 'No. [CUSTOM], 14711, 4711a, [CUSTOM].'],
    ['agent', 'agent007, agent-7, agent', 'agent007, [CUSTOM]-7, [CUSTOM]'],
    ['C++', 'C++, C++11, c+', '[CUSTOM], [CUSTOM]11, c+'],
    ['#42', '#42 and x#42', '[CUSTOM] and x[CUSTOM]'],
    ['東京計画', 'これは東京計画です', 'これは[CUSTOM]です'],
    ['Falke', '\uff26\uff41\uff4c\uff4b\uff45', '[CUSTOM]'],
    ['custom', 'custom, again', '[CUSTOM], again'],
  ] as const)
    it(`deny ${deny}: ${text}`, () => {
      const once = redact(text, [deny])
      assert.equal(once, redacted)
      assert.equal(redact(once, [deny]), redacted)
    })

  it('denied words are replaced beside everything else, whichever types are looked for', () => {
    const words = { deny: ['Falke'], allow: [] }
    const text = 'Falke: jane.doe@example.com'
    assert.equal(createPatternRedactor({ words }).redact(text), '[CUSTOM]: [EMAIL_ADDRESS]')
    assert.equal(createPatternRedactor({ words, types: [] }).redact(text), '[CUSTOM]: jane.doe@example.com')
  })

  it('allowed words stay, alone and in a longer allowed one', () => {
    const text = 'My name is Maria Schneider.'
    assert.equal(redact(text, []), 'My name is [PERSON].')
    assert.equal(redact(text, [], ['maria schneider']), text)
    assert.equal(
      redact('Write to info@example.com or a@example.com', [], ['info@example.com']),
      'Write to info@example.com or [EMAIL_ADDRESS]',
    )
  })

  it('a longer finding with an allowed word in it is replaced as a whole', () => {
    assert.equal(redact('My name is Maria Schneider.', [], ['Maria']), 'My name is [PERSON].')
    assert.equal(redact('a@example.com', [], ['example', 'com']), '[EMAIL_ADDRESS]')
  })

  it('an allowed value stays wherever it stands again in a text', () => {
    const text = `My name is Maria Schneider. ${'Well. '.repeat(300)}a@example.com says Maria Schneider`
    assert.equal(redact(text, [], ['Maria Schneider']), text.replace('a@example.com', '[EMAIL_ADDRESS]'))
  })

  it('a denied phrase with an allowed word in it is replaced', () =>
    assert.equal(redact('Project Falke of Falke', ['Project Falke'], ['Falke']), '[CUSTOM] of Falke'))

  it('what is denied and allowed in any spelling contradicts itself', () =>
    assert.deepEqual(contradictions({ deny: ['Falke', 'Ada'], allow: ['FÁLKE', 'Falken', 'ada'] }), [
      'FÁLKE',
      'ada',
    ]))
})
