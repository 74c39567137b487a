import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maskRequest } from '../../../src/redaction/mask/mask-request.ts'
import type { KnownValue } from '../../../src/redaction/mask/replace-known.ts'
import type { MaskableMessage } from '../../../src/redaction/mask/request-texts.ts'
import { restoring } from '../../../src/redaction/mask/restore.ts'
import { scansTexts } from '../../../src/redaction/mask/scan-text.ts'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'

const scan = scansTexts(createPatternRedactor())

function masked(
  messages: MaskableMessage[],
  {
    parameters = {},
    around = [] as MaskableMessage[],
    names = [] as string[],
    known = [] as KnownValue[],
    key = 'key' as string | null,
  } = {},
) {
  const beside = { around: { messages: around, names }, known, key, hidesNames: true }
  return maskRequest({ messages, parameters }, scan, beside)
}

const said = (content: unknown): MaskableMessage => ({ role: 'user', content })
const textsOf = ({ request }: { request: { messages: readonly MaskableMessage[] } }) =>
  request.messages.map(({ content }) => content)

const CODE = 'a1b2c3d4e5f6a7b8'

describe('maskRequest', () => {
  it('reads a passage by itself, which other prompts number otherwise', () => {
    const read: string[] = []
    const counting = (text: string) => {
      read.push(text)
      return scan(text)
    }
    const passage = 'Shop > Returns\nAsk c.d@example.com'
    const content = `Passages:\n\n<passage 3 ${CODE}>\n[3] ${passage}\n</passage 3 ${CODE}>\n\nCite.`
    const beside = { around: { messages: [], names: [] }, known: [], key: null, hidesNames: true }
    const sent = maskRequest({ messages: [said(content)], parameters: {} }, counting, beside)
    assert.ok(read.includes(passage), read.join('\n---\n'))
    assert.deepEqual(textsOf(sent), [content.replace('c.d@example.com', '[EMAIL_ADDRESS]')])
  })

  it('reads a prompt once, also when a request tells more before it', () => {
    const read: string[] = []
    const counting = (text: string) => {
      read.push(text)
      return scan(text)
    }
    const prompt = 'Write to a.b@example.com'
    const request = { messages: [said(`Now: noon. Ask c.d@example.com\n\n${prompt}`)], parameters: {} }
    const around = { messages: [said(prompt)], names: [] }
    const { request: sent } = maskRequest(request, counting, {
      around,
      known: [],
      key: 'key',
      hidesNames: true,
    })
    assert.deepEqual(read, [prompt, 'Now: noon. Ask c.d@example.com'])
    assert.match(
      String(sent.messages[0]?.content),
      /^Now: noon\. Ask \[EMAIL_ADDRESS_\d+\]\n\nWrite to \[EMAIL_ADDRESS_\d+\]$/,
    )
  })

  it('gives a value the same placeholder in all messages, and other values other ones', () => {
    const [first, second] = textsOf(
      masked([said('Write to a.b@example.com or c.d@example.com'), said('A.B@example.com it is')]),
    ) as string[]
    const [one, other] = first?.match(/\[EMAIL_ADDRESS_\d+\]/g) ?? []
    assert.notEqual(one, other)
    assert.equal(first, `Write to ${one} or ${other}`)
    assert.equal(second, `${one} it is`)
  })

  it('masks a value also where nothing beside it tells what it is, and the parts of a name', () => {
    const [, second] = textsOf(
      masked([
        said('My name is Zora Quibble.'),
        said('Zora Quibble has it. Zora? zora and Quibbles, no. ZORA QUIBBLE'),
      ]),
    ) as string[]
    assert.match(second ?? '', /^(\[PERSON_\d+\]) has it\. \[PERSON_\d+\]\? zora and Quibbles, no\. \1$/)
  })

  it('masks what is known from around the request, names of people among it', () => {
    const text = 'Quibble and Tilo'
    const options = { around: [said('My name is Zora Quibble.')], names: ['Tilo'] }
    const [first] = textsOf(masked([said(text)], options))
    assert.match(String(first), /^\[PERSON_\d+\] and \[PERSON_\d+\]$/)
    assert.deepEqual(textsOf(masked([said(text)])), [text])
  })

  it('keeps the numbers that are known, and gives no two values the same', () => {
    const values = Array.from({ length: 400 }, (_, at) => `user${at}@example.com`)
    const whole = masked([said(values.join(' '))])
    assert.equal(new Set(whole.known.map(([placeholder]) => placeholder)).size, 400)
    const again = masked([said('user7@example.com')], { known: whole.known })
    const of = new Map(whole.known.map(([placeholder, value]) => [value, placeholder]))
    assert.deepEqual(textsOf(again), [of.get('user7@example.com')])
  })

  it('has other numbers with another key, and none without', () => {
    const numbers = (key: string | null) => textsOf(masked([said('a.b@example.com')], { key }))[0]
    assert.notEqual(numbers('one'), numbers('two'))
    assert.equal(numbers(null), '[EMAIL_ADDRESS]')
  })

  it('masks parts of content, arguments and results of tools, names, and fields that nobody knows', () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'look_up', arguments: '{"mail":"a.b@example.com","n":4111111111111111}' },
      extra: { of: 'a.b@example.com' },
    }
    const { request } = masked([
      { ...said([{ type: 'text', text: 'I am a.b@example.com' }]), name: 'Zora Quibble' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"mail":"a.b@example.com"}' },
      said(`Judge:\n\n<text ${CODE}>\n{"name":"Tilo Brandt"}\n</text ${CODE}>`),
    ])
    const all = JSON.stringify(request)
    assert.doesNotMatch(all, /a\.b@|4111|Zora|Tilo/)
    const [first, second, third] = request.messages
    assert.match(first?.name ?? '', /^PERSON_\d+$/)
    const [{ function: args } = call] = (second?.tool_calls ?? []) as (typeof call)[]
    assert.equal(args.name, 'look_up')
    assert.match(JSON.parse(args.arguments).n, /^\[CREDIT_CARD_\d+\]$/)
    assert.equal(JSON.parse(String(third?.content)).mail, JSON.parse(args.arguments).mail)
  })

  it('puts words in the place of pictures, sounds and files', () => {
    const parts = [
      { type: 'image_url', image_url: { url: 'https://example.com/face.png' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ]
    assert.deepEqual(textsOf(masked([said(parts)])), [
      ['[IMAGE]', '[VOICE]', '[FILE]'].map((text) => ({ type: 'text', text })),
    ])
  })

  it('masks request fields, and leaves numbers and the words of schemas', () => {
    const tool = {
      type: 'function',
      function: {
        name: 'maria_lookup',
        description: 'Such as a.b@example.com',
        parameters: {
          type: 'object',
          properties: { 'name 12': { enum: ['a.b@example.com'] } },
          required: ['name 12'],
        },
      },
    }
    const parameters = { max_tokens: 4096, seed: 1, user: 'a.b@example.com', tools: [tool] }
    const { request } = masked([said('hello')], { parameters })
    const { user, tools, ...others } = request.parameters as typeof parameters
    assert.deepEqual(others, { max_tokens: 4096, seed: 1 })
    assert.match(user, /^\[EMAIL_ADDRESS_\d+\]$/)
    const { parameters: schema, ...told } = tools[0]?.function ?? tool.function
    assert.deepEqual(told, { name: 'maria_lookup', description: `Such as ${user}` })
    assert.deepEqual(schema, { ...tool.function.parameters, properties: { 'name 12': { enum: [user] } } })
  })

  it('changes nothing but the values, and a second mask nothing at all', () => {
    const messages = [said('Hello [PERSON_12], order 20-3391 costs 30 EUR'), said('{"a": [1, 2,3]}')]
    assert.deepEqual(textsOf(masked(messages)), textsOf({ request: { messages } }))
    const once = masked([said('My card is 4111 1111 1111 1111, mail a.b@example.com')])
    assert.deepEqual(textsOf(masked([...once.request.messages])), textsOf(once))
  })
})

describe('restoring', () => {
  const known: KnownValue[] = [
    ['[PERSON_12]', 'Zora "Z" Quibble'],
    ['[PERSON_123]', 'Tilo'],
  ]

  it('puts values back, escaped in JSON, and leaves what it does not know', () => {
    const { text, json } = restoring(known)
    assert.equal(
      text('[PERSON_12] and [PERSON_123], [PERSON_1], [1]'),
      'Zora "Z" Quibble and Tilo, [PERSON_1], [1]',
    )
    assert.deepEqual(JSON.parse(json('{"who":"[PERSON_12]"}')), { who: 'Zora "Z" Quibble' })
  })

  it('holds the beginning of a placeholder until it is whole, however a text is cut', () => {
    const restore = restoring(known)
    const text = 'Dear [PERSON_12], [PERSON_123] [1] [PERSON_X] [[PERSON_123] [PERSON_12'
    for (let size = 1; size <= text.length; size++) {
      const pieces = restore.inPieces(false)
      let told = ''
      for (let at = 0; at < text.length; at += size) {
        told += pieces.feed(text.slice(at, at + size))
        assert.doesNotMatch(told, /\[PERSON_12\]|\[PERSON_123\]/)
      }
      assert.equal(told + pieces.end(), restore.text(text))
    }
  })

  it('holds nothing else', () => {
    const pieces = restoring(known).inPieces(false)
    assert.equal(pieces.feed('a [1'), 'a [1')
    assert.equal(pieces.feed('] [PERSON_2'), '] [PERSON_2')
    assert.equal(pieces.feed(' [PERSON_1'), ' ')
    assert.equal(pieces.feed(' no'), '[PERSON_1 no')
  })
})
