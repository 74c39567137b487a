import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { costOf } from '../../../src/evaluators/create-evaluators.ts'
import { type KindName, kindNames, kindOf } from '../../../src/evaluators/kinds.ts'
import { evaluate, evaluatorRow } from './judge.ts'

const long = 'a'.repeat(20)

describe('cheap evaluators', () => {
  for (const [kind, settings, text, score, content] of [
    ['keywords', { words: ['refund', 'money back'] }, 'I want my MONEY  back!', 1, 'money back'],
    ['keywords', { words: ['refund', 'money back'] }, 'a refund: my money back', 1, 'refund, money back'],
    ['keywords', { words: ['fund'] }, 'a refund', 0, null],
    ['keywords', { words: ['a', 'b', 'c', 'd'], match: 'all' }, 'b and d, not a', 0.75, 'a, b, d'],
    ['keywords', { words: ['a', 'b'], match: 'all' }, 'b a', 1, 'a, b'],
    ['keywords', { words: ['返金'] }, '返金してください', 1, '返金'],
    ['keywords', { words: ['price'] }, 'What are your prices?', 1, 'price'],
    ['keywords', { words: ['refund'] }, 'Refunds!', 1, 'refund'],
    ['keywords', { words: ['возврат'] }, 'условия возврата', 1, 'возврат'],
    ['keywords', { words: ['refund'], exact: true }, 'Refunds!', 0, null],
    ['keywords', { words: ['refund'], exact: true }, 'A REFUND!', 1, 'refund'],
    ['regex', { pattern: '\\bo-\\d{4}\\b' }, 'about O-1234.', 1, 'O-1234'],
    ['regex', { pattern: '\\bo-\\d{4}\\b', ignore_case: false }, 'about O-1234.', 0, null],
    ['regex', { pattern: 'a+' }, 'x'.repeat(9) + 'a'.repeat(500), 1, 'a'.repeat(200)],
    ['similarity', { examples: ['I want my money back'] }, 'I want my money back', 1, 'I want my money back'],
    ['similarity', { examples: ['cancel my subscription'] }, 'こんにちは', 0, null],
    ['personal_data', {}, 'write to ada@example.com or +1 415 555 0132', 1, 'EMAIL_ADDRESS, PHONE_NUMBER'],
    ['personal_data', { types: ['CREDIT_CARD'] }, 'write to ada@example.com', 0, null],
    ['personal_data', {}, 'write to me', 0, null],
    ['language', { languages: ['de', 'fr'] }, 'Wo ist meine Bestellung?', 1, 'de'],
    ['language', { languages: ['de', 'fr'] }, 'Where is my order?', 0, 'en'],
    ['language', { languages: ['de', 'fr'] }, 'OK', 0.5, null],
    ['length', { max: 20 }, long, 1, '20 characters'],
    ['length', { max: 19 }, long, 0, '20 characters'],
    ['length', { min: 2, max: 2 }, '😀😀', 1, '2 characters'],
    ['length', { min: 3, unit: 'words' }, 'two words', 0, '2 words'],
    ['length', { min: 0 }, '', 1, '0 characters'],
    [
      'condition',
      { condition: { field: 'prompt.text', op: 'contains', value: 'hello' } },
      'hello you',
      1,
      null,
    ],
    ['condition', { condition: { field: 'tags.vip', op: 'eq', value: true } }, 'hello', 0, null],
  ] as [KindName, Record<string, unknown>, string, number, string | null][]) {
    it(`${kind} ${JSON.stringify(settings)} on ${JSON.stringify(text.slice(0, 30))}: ${score}`, async () => {
      const evaluator = evaluatorRow(kind, settings)
      assert.equal(costOf(evaluator), 'cheap')
      // Only a language that nobody knows has half a score, and does not pass.
      const passed = score >= evaluator.threshold && score !== 0.5
      assert.deepEqual(await evaluate(evaluator, text), { score, passed, content })
    })
  }

  it('condition sees the facts', async () => {
    const evaluator = evaluatorRow('condition', { condition: { field: 'tags.vip', op: 'eq', value: true } })
    assert.equal((await evaluate(evaluator, 'hello', { facts: { 'tags.vip': true } })).passed, true)
  })

  it('any text gets a score from 0 to 1', async () => {
    const rows = [
      evaluatorRow('keywords', { words: ['a', '返'], match: 'all' }),
      evaluatorRow('regex', { pattern: '[^a]+' }),
      evaluatorRow('similarity', { examples: ['I want my money back', '返金'] }),
      evaluatorRow('personal_data', {}),
      evaluatorRow('language', { languages: ['en'] }),
      evaluatorRow('length', { max: 3, unit: 'words' }),
    ]
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.constantFrom(...rows), async (text, row) => {
        const { score, error } = await evaluate(row, text)
        assert.equal(error, undefined)
        assert.ok(score !== null && score >= 0 && score <= 1)
      }),
    )
  })
})

describe('similarity', () => {
  const evaluator = evaluatorRow('similarity', {
    examples: ['I want my money back', 'How do I get a refund for my order?', 'cancel my subscription'],
  })
  for (const [text, passes] of [
    ['Can I have my money back please', true],
    ['i want my mony bak', true],
    ['How can I get refunded for an order', true],
    ['Hello there. I bought shoes last week. I want my money back! Thanks', true],
    ['cancelling subscriptions', true],
    ['Please cancel it, I mean my subscription', true],
    ['After three years with you I would like to cancel my subscription because it costs too much', true],
    ['I love my subscription to this magazine about boats and want to renew it', false],
    ['do not cancel my subscription', false],
    ["I didn't ask you to cancel my subscription", false],
    ['Do not, whatever happens, cancel my subscription', false],
    ['I do not need it any more, so please cancel my subscription', true],
    ['Where is my order?', false],
    ['How do I change my password?', false],
    ['What are your opening hours?', false],
  ] as const) {
    it(`${passes ? 'passes' : 'does not pass'} ${text}`, async () => {
      assert.equal((await evaluate(evaluator, text)).passed, passes)
    })
  }
})

describe('similarity in other languages', () => {
  for (const [example, text, passes] of [
    ['解約', 'サブスクリプションを解約したいのですが、どうすればいいですか', true],
    ['解約', '解約してくれませんか', true],
    ['解約', '解約したくない', false],
    ['退订', '你好，我想退订会员，谢谢', true],
    ['退订', '对不起，我要退订', true],
    ['退订', '我不想退订', false],
    ['ยกเลิก', 'ฉันต้องการยกเลิกบริการนี้อย่างไร', true],
    ['ยกเลิก', 'ฉันไม่ต้องการยกเลิก', false],
    ['отменить подписку', 'Я бы хотел отменить подписку, она дорогая', true],
    ['отменить подписку', 'Не надо отменить подписку', false],
    ['Abo kündigen', 'Ich möchte mein Abo kündigen', true],
    ['Abo kündigen', 'Ich möchte mein Abo nicht kündigen', false],
    ['annuler mon abonnement', 'Je ne veux pas annuler mon abonnement', false],
    ['cancelar mi suscripción', 'No quiero cancelar mi suscripción', false],
    ['إلغاء الاشتراك', 'أريد إلغاء الاشتراك', true],
    ['إلغاء الاشتراك', 'لا أريد إلغاء الاشتراك', false],
    ['aboneliği iptal et', 'aboneliği iptal etmeyin', false],
    ['구독 취소', '구독 취소하지 마세요', false],
    ['I do not want this', 'I do not want this', true],
  ] as const) {
    it(`${example}: ${passes ? 'passes' : 'does not pass'} ${text}`, async () => {
      const evaluator = evaluatorRow('similarity', { examples: [example] })
      assert.equal((await evaluate(evaluator, text)).passed, passes)
    })
  }
})

describe('a text of ten million characters', () => {
  for (const [kind, settings] of [
    ['similarity', { examples: ['I want my money back'] }],
    ['language', { languages: ['en'] }],
  ] as [KindName, Record<string, unknown>][]) {
    it(`is judged by its beginning: ${kind}`, async () => {
      const started = process.cpuUsage()
      await evaluate(evaluatorRow(kind, settings), 'some words and more. '.repeat(500_000))
      assert.ok(process.cpuUsage(started).user < 1_500_000)
    })
  }
})

describe('threshold and invert', () => {
  for (const [threshold, invert, passed] of [
    [0.5, 0, true],
    [0.51, 0, false],
    [0.5, 1, false],
    [0.51, 1, true],
    [0, 0, true],
  ] as const) {
    it(`0.5 with threshold ${threshold}, invert ${invert}: ${passed}`, async () => {
      const half = evaluatorRow('keywords', { words: ['a', 'b'], match: 'all' }, { threshold, invert })
      assert.deepEqual(await evaluate(half, 'a'), { score: 0.5, passed, content: 'a' })
    })
  }
})

describe('settings that are refused', () => {
  for (const [kind, settings, path] of [
    ['keywords', {}, 'words'],
    ['keywords', { words: [] }, 'words'],
    ['keywords', { words: [' '] }, 'words.0'],
    ['keywords', { words: Array(501).fill('x') }, 'words'],
    ['keywords', { words: ['a'], match: 'some' }, 'match'],
    ['keywords', { words: ['a'], more: 1 }, ''],
    ['regex', { pattern: '(?=x)y' }, 'pattern'],
    ['regex', { pattern: '(a)\\1' }, 'pattern'],
    ['regex', { pattern: '' }, 'pattern'],
    ['regex', { pattern: `${'(a|'.repeat(300)}b${')'.repeat(300)}` }, 'pattern'],
    ['regex', { pattern: 'x', flags: 'g' }, ''],
    ['similarity', { examples: [] }, 'examples'],
    ['similarity', { examples: ['!!!'] }, 'examples.0'],
    ['personal_data', { types: ['NO_SUCH_TYPE'] }, 'types.0'],
    ['personal_data', { types: [] }, 'types'],
    ['language', { languages: [] }, 'languages'],
    ['language', { languages: ['Deutsch'] }, 'languages.0'],
    ['length', {}, ''],
    ['length', { min: 5, max: 4 }, ''],
    ['length', { min: -1 }, 'min'],
    ['length', { min: 1.5 }, 'min'],
    ['length', { max: 5, unit: 'bytes' }, 'unit'],
    ['condition', {}, 'condition'],
    ['condition', { condition: { field: 'nope', op: 'eq', value: 1 } }, 'condition.field'],
    ['condition', { condition: { field: 'evaluator.1.score', op: 'gt', value: 0.5 } }, 'condition'],
    ['model_judge', {}, 'criteria'],
    ['model_judge', { criteria: '' }, 'criteria'],
    ['model_judge', { criteria: 'polite?', timeout_ms: 5 }, 'timeout_ms'],
    ['model_judge', { criteria: 'polite?', timeout_ms: 100_000 }, 'timeout_ms'],
    ['webhook', {}, 'url'],
    ['webhook', { url: 'ftp://example.com' }, 'url'],
    ['webhook', { url: 'example.com' }, 'url'],
    ['webhook', { url: 'https://example.com', secret: '' }, 'secret'],
  ] as [KindName, Record<string, unknown>, string][]) {
    it(`${kind} ${JSON.stringify(settings).slice(0, 60)}`, () => {
      const { error } = kindOf(kind).settings.safeParse(settings)
      assert.equal(error?.issues[0]?.path.join('.'), path)
    })
  }

  it('every kind refuses what it does not know, and has a summary', () => {
    for (const name of kindNames) {
      assert.equal(kindOf(name).settings.safeParse({ nonsense: 1 }).success, false)
      assert.match(kindOf(name).summary, /\.$/)
    }
  })
})

for (const invert of [0, 1] as const)
  it(`language: a text that is too short to tell does not pass${invert ? ' with invert' : ''}`, async () => {
    for (const threshold of [0.4, 0.5, 0.6]) {
      const evaluator = evaluatorRow('language', { languages: ['de'] }, { invert, threshold })
      const { score, passed } = await evaluate(evaluator, 'OK')
      assert.deepEqual([score, passed], [0.5, false], `${threshold}`)
    }
  })
