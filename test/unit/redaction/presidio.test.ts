import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createPresidioRedactor,
  type PresidioOptions,
  type RedactionRequest,
  RedactionServiceError,
} from '../../../src/redaction/presidio.ts'
import { RECORDED } from './presidio-answers.ts'

type Call = Parameters<RedactionRequest>[1]

/** Redacts with a service that gives these answers, in their order and the last again; tells what it was asked. */
async function redact(
  texts: string[],
  answers: readonly (unknown[] | { status: number; body: string })[],
  options: Partial<PresidioOptions> = {},
) {
  const calls: (Call & { url: string })[] = []
  const redactor = createPresidioRedactor({
    url: 'http://service/',
    apiKey: null,
    language: null,
    threshold: null,
    entities: null,
    async request(url, call) {
      calls.push({ url, ...call })
      const answer = answers[calls.length - 1] ?? answers.at(-1) ?? []
      return Array.isArray(answer) ? { status: 200, body: JSON.stringify(answer) } : (answer as never)
    },
    ...options,
  })
  const redacted = await redactor.redact(texts).catch((error: unknown) => error)
  return { redacted, calls }
}

const found = (entity_type: string, start: number, end: number, score = 1) => ({
  entity_type,
  start,
  end,
  score,
})

describe('the redactor that asks a hosted service', () => {
  it('asks for each text within its time, and with its key', async () => {
    const { redacted, calls } = await redact(['A zebra'], [[found('ANIMAL', 2, 7)]], {
      apiKey: 'key',
      threshold: 0.5,
      entities: ['ANIMAL'],
    })
    assert.deepEqual(redacted, ['A [ANIMAL]'])
    const [call] = calls
    assert.deepEqual([call?.url, call?.method, call?.timeoutMs], ['http://service/analyze', 'POST', 15_000])
    assert.equal(call?.headers.authorization, 'Bearer key')
    assert.deepEqual(JSON.parse(call?.body ?? ''), {
      text: 'A zebra',
      language: 'en',
      score_threshold: 0.5,
      entities: ['ANIMAL'],
    })
  })

  it('counts in code points, as the service does', async () => {
    const { redacted } = await redact(['😀😀 a zebra 😀'], [[found('ANIMAL', 5, 10)]])
    assert.deepEqual(redacted, ['😀😀 a [ANIMAL] 😀'])
  })

  it('makes one of findings that overlap, of the best one’s type', async () => {
    const spans = [found('PLACE', 2, 12, 0.5), found('ANIMAL', 4, 9, 0.9), found('NAME', 10, 14, 0.7)]
    assert.deepEqual((await redact(['a big zebra town b'], [spans])).redacted, ['a [ANIMAL]wn b'])
  })

  it('leaves placeholders as they are, and does not ask about them alone', async () => {
    const text = 'To [EMAIL_ADDRESS], a zebra'
    const spans = [found('WORD', 4, 9), found('WORD', 0, 20), found('ANIMAL', 22, 27)]
    assert.deepEqual((await redact([text], [spans])).redacted, ['To [EMAIL_ADDRESS], a [ANIMAL]'])
    const { redacted, calls } = await redact(['', '[PERSON], [PERSON].'], [])
    assert.deepEqual([redacted, calls], [['', '[PERSON], [PERSON].'], []])
  })

  it('reads what a real analyzer has answered', async () => {
    for (const { text, status, answer, redacted } of RECORDED) {
      const found = await redact([text], [{ status, body: JSON.stringify(answer) }])
      if (redacted === null) assert.ok(found.redacted instanceof RedactionServiceError)
      else assert.deepEqual(found.redacted, [redacted])
    }
  })

  it('sends a long text in pieces, some at once, and finds what lies at their ends', async () => {
    const animal = '😀 a zebra, and '
    const text = `${animal.repeat(20_000)}${'x'.repeat(60_000)}zebra`
    let atOnce = 0
    let most = 0
    const longest: number[] = []
    const redactor = createPresidioRedactor({
      url: 'http://service',
      apiKey: null,
      language: null,
      threshold: null,
      entities: null,
      async request(_url, { body }) {
        most = Math.max(most, ++atOnce)
        await nextTurn()
        atOnce--
        const { text } = JSON.parse(body) as { text: string }
        longest.push(text.length)
        const units = [...text]
        const spans = units.flatMap((unit, at) =>
          unit === 'z' && units.slice(at, at + 5).join('') === 'zebra' ? [found('ANIMAL', at, at + 5)] : [],
        )
        return { status: 200, body: JSON.stringify(spans) }
      },
    })
    const [redacted] = await redactor.redact([text])
    assert.equal(redacted, text.replaceAll('zebra', '[ANIMAL]'))
    assert.ok(Math.max(...longest) <= 50_000 && most > 1 && most <= 8, `${Math.max(...longest)}, ${most}`)
  })

  for (const [name, answer] of [
    ['an error', { status: 500, body: '[]' }],
    ['a refusal', { status: 404, body: '[]' }],
    ['a redirect', { status: 302, body: '[]' }],
    ['no JSON', { status: 200, body: 'ok' }],
    ['no list', { status: 200, body: '{}' }],
    ['a finding beyond the text', [found('ANIMAL', 2, 99)]],
    ['a finding that ends before it begins', [found('ANIMAL', 5, 2)]],
    ['a finding of no type', [{ start: 2, end: 7, score: 1 }]],
    ['a type that could be anything', [found('] zebra [', 2, 7)]],
  ] as const)
    it(`fails on ${name}, and asks about no further text`, async () => {
      const texts = Array.from({ length: 50 }, () => 'A zebra')
      const { redacted, calls } = await redact(texts, [answer as never, []])
      assert.ok(redacted instanceof RedactionServiceError)
      await nextTurn()
      assert.ok(calls.length < texts.length, 'all were asked about')
    })
})
