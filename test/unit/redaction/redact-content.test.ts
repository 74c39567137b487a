import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redactContent } from '../../../src/redaction/redact-content.ts'

/** Finds e-mail addresses, and numbers behind the word account. */
const redactText = (text: string) =>
  text.replace(/\S+@\S+/g, '[EMAIL]').replace(/(account(?: id)?: )\d+/gi, '$1[ACCOUNT]')
const redact = (value: unknown) => redactContent(value, redactText)

describe('redactContent', () => {
  it('redacts texts and the texts of parts; encoded data, ids and what else the protocol names stay', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,/9j+4A==', detail: 'low' } }
    const data = `${'UklGRiQAAABXQVZF'.repeat(8)}==`
    const audio = { type: 'input_audio', input_audio: { data, format: 'wav' } }
    assert.equal(redact('I am ada@example.org'), 'I am [EMAIL]')
    assert.deepEqual(redact([{ type: 'text', text: 'ada@example.org' }, image, audio]), [
      { type: 'text', text: '[EMAIL]' },
      image,
      audio,
    ])
  })

  it('redacts a text that only begins like encoded data', () => {
    assert.equal(redact('data:name,ada@example.org'), '[EMAIL]')
    assert.equal(redact('data:text/plain;base64,see ada@example.org'), 'data:text/plain;base64,see [EMAIL]')
    assert.equal(redact('{"note":"data: ada@example.org"}'), '{"note":"data: [EMAIL]"}')
  })

  it('keeps encoded data whatever is found in it', () => {
    const url = 'data:image/png;name=a.png;base64,account/4111+1111=='
    const everything = (value: unknown) => redactContent(value, () => 'redacted')
    assert.deepEqual(everything({ url }), { url })
    assert.equal(everything(JSON.stringify({ url })), JSON.stringify({ url }))
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
