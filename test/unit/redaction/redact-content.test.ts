import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redactContent } from '../../../src/redaction/redact-content.ts'

/** Finds e-mail addresses, and numbers behind the word account. */
const redactText = (text: string) =>
  text.replace(/\S+@\S+/g, '[EMAIL]').replace(/(account(?: id)?: )\d+/gi, '$1[ACCOUNT]')
const redact = (value: unknown) => redactContent(value, redactText)

describe('redactContent', () => {
  const PNG = `iVBORw0KGgo${'AAAANSUhEUgAAAAUA'.repeat(8)}`
  const WAV = `${'UklGRiQAAABXQVZF'.repeat(8)}==`
  const PDF = 'JVBERi0xLjQKJcfs'.repeat(8)

  it('redacts texts; pictures, sounds and files become parts of text, wherever they are; other parts stay', () => {
    assert.equal(redact('I am ada@example.org'), 'I am [EMAIL]')
    const parts = [
      { type: 'text', text: 'ada@example.org' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.org/ada.png?key=42' } },
      { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } },
      { type: 'file', file: { filename: 'ada.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
      { type: 'refusal', refusal: 'no' },
    ]
    const redacted = [
      { type: 'text', text: '[EMAIL]' },
      { type: 'text', text: '[IMAGE]' },
      { type: 'text', text: '[IMAGE]' },
      { type: 'text', text: '[VOICE]' },
      { type: 'text', text: '[FILE]' },
      { type: 'refusal', refusal: 'no' },
    ]
    assert.deepEqual(redact(parts), redacted)
    assert.deepEqual(redact(redacted), redacted)
  })

  it('replaces encoded data in texts, in JSON and in fields that hold nothing else', () => {
    const url = `data:image/png;name=a.png;base64,${PNG}`
    assert.equal(redact(`see ![x](${url}) of ada@example.org`), 'see ![x]([IMAGE]) of [EMAIL]')
    assert.equal(redact(`a DATA:audio/wav;base64,${WAV} b`), 'a [VOICE] b')
    assert.equal(redact(`data:application/pdf;base64,${PDF.replace(/(.{40})/g, '$1\n')}`), '[FILE]')
    const fields = [
      [{ url }, { url: '[IMAGE]' }],
      [
        { data: PNG, mimeType: 'image/png' },
        { data: '[IMAGE]', mimeType: 'image/png' },
      ],
      [{ data: WAV }, { data: '[VOICE]' }],
      [{ blob: PDF }, { blob: '[FILE]' }],
      [{ blob: PDF.replaceAll(/.{76}/g, '$&\r\n') }, { blob: '[FILE]' }],
      [{ b64_json: PDF }, { b64_json: '[IMAGE]' }],
    ]
    for (const [given, expected] of fields) {
      assert.deepEqual(redact(given), expected)
      assert.equal(redact(JSON.stringify(given)), JSON.stringify(expected))
    }
  })

  it('redacts a text that only begins like encoded data', () => {
    assert.equal(redact('data:name,ada@example.org'), '[EMAIL]')
    assert.equal(redact('data:text/plain;base64,see ada@example.org'), '[FILE] [EMAIL]')
    assert.equal(redact('{"note":"data: ada@example.org"}'), '{"note":"data: [EMAIL]"}')
  })

  it('replaces a long text that is full of beginnings of encoded data in time that grows with its length', () => {
    for (const piece of ['data:', 'data:a;b', `data:${'a'.repeat(90)};`, 'data:a;base64,'])
      assert.equal(typeof redactContent(piece.repeat(100_000), (text) => text), 'string')
  })

  it('redacts every field, whatever it is called, and keys', () => {
    const fields = [
      'id',
      'type',
      'status',
      'detail',
      'data',
      'b64_json',
      'format',
      'name',
      'constructor',
      'x',
    ]
    for (const field of fields)
      assert.deepEqual(redact([{ [field]: 'ada@example.org' }]), [{ [field]: '[EMAIL]' }])
    const parsed = JSON.parse('{"__proto__": {"ada@example.org": ["bob@example.org"]}}')
    assert.equal(JSON.stringify(redact(parsed)), '{"__proto__":{"[EMAIL]":["[EMAIL]"]}}')
  })

  it('redacts numbers that their key tells of, in objects and in JSON', () => {
    const value = { accountId: 4711, count: 4711 }
    assert.deepEqual(redact(value), { accountId: '[ACCOUNT]', count: 4711 })
    assert.equal(redact(JSON.stringify(value)), '{"accountId":"[ACCOUNT]","count":4711}')
  })

  it('changes of JSON only what holds something: keys too, and JSON within JSON', () => {
    const json = '{ "ada@example.org": 1.50, "n": 12345678901234567890, "in": "[\\"ada@example.org\\"]" }'
    const redacted = '{ "[EMAIL]": 1.50, "n": 12345678901234567890, "in": "[\\"[EMAIL]\\"]" }'
    assert.equal(redact(json), redacted)
    assert.equal(redact(redacted), redacted)
    assert.equal(redact('{ no JSON: ada@example.org'), '{ no JSON: [EMAIL]')
  })
})
