import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkCondition } from '../../../src/conditions/check-condition.ts'

const nested = (depth: number): unknown =>
  depth === 0 ? { field: 'hour', op: 'gte', value: 9 } : { not: nested(depth - 1) }

/** Deeper than a recursion bears. */
function abyss(join: (inner: unknown) => unknown): unknown {
  let condition: unknown = { field: 'hour', op: 'gte', value: 9 }
  for (let depth = 0; depth < 200_000; depth++) condition = join(condition)
  return condition
}

const compared = (field: string, op: string, value?: unknown) => ({
  field,
  op,
  ...(value === undefined ? {} : { value }),
})

describe('checkCondition takes', () => {
  for (const condition of [
    compared('prompt.text', 'contains', 'refund'),
    compared('prompt.text', 'contains_any', ['refund', '返金']),
    compared('prompt.text', 'matches', '\\bo-\\d{4,8}\\b'),
    compared('response.text', 'starts_with', 'Sorry'),
    compared('prompt.length', 'gt', 500),
    compared('answered', 'eq', false),
    compared('retrieval.score', 'lt', 0.4),
    compared('finish_reason', 'neq', 'stop'),
    compared('message_count', 'in', [1, 2, 3]),
    compared('language', 'in', ['de', 'fr']),
    compared('page.url', 'exists'),
    compared('page.path', 'starts_with', '/pricing'),
    compared('channel', 'eq', 3),
    compared('platform', 'in', ['helpdesk']),
    compared('tags.plan', 'eq', 'pro'),
    compared('tags.a b.c', 'gt', 5),
    compared('tags.vip', 'eq', true),
    compared('tags.list', 'contains_any', ['a']),
    compared('user.is_new', 'eq', true),
    compared('started_by', 'eq', 'user'),
    compared('hour', 'gte', 9),
    compared('weekday', 'in', ['Saturday', 7, 0]),
    compared('weekday', 'lte', 5),
    compared('evaluator.7.score', 'gte', 0.5),
    compared('evaluator.7.passed', 'eq', true),
    compared('tags.x', 'exists', false),
    { all: [] },
    { all: [{ any: [{ not: compared('hour', 'lt', 9) }] }, compared('answered', 'exists')] },
    nested(9),
  ]) {
    it(JSON.stringify(condition).slice(0, 80), () => assert.equal(checkCondition(condition), null))
  }
})

describe('checkCondition refuses', () => {
  for (const [condition, path, message] of [
    [null, '', /object/],
    ['x', '', /object/],
    [[], '', /object/],
    [{}, '', /all, any, not/],
    [{ all: {} }, 'all', /list/],
    [{ any: [] }, 'any', /never/],
    [{ all: [], any: [] }, '', /alone/],
    [{ not: nested(0), field: 'hour' }, '', /alone/],
    [{ not: [] }, 'not', /object/],
    [{ all: [nested(0), 7] }, 'all.1', /object/],
    [{ ...(nested(0) as object), comment: 'x' }, '', /all, any, not/],
    [compared('prompt', 'eq', 'x'), 'field', /no such field/],
    [compared('toString', 'eq', 'x'), 'field', /no such field/],
    [compared('__proto__', 'exists'), 'field', /no such field/],
    [compared('tags.', 'exists'), 'field', /no such field/],
    [compared(`tags.${'x'.repeat(65)}`, 'exists'), 'field', /no such field/],
    [compared('evaluator.x.score', 'gt', 1), 'field', /no such field/],
    [compared('evaluator.0.score', 'gt', 1), 'field', /no such field/],
    [compared('evaluator.1.content', 'eq', 'x'), 'field', /no such field/],
    [{ field: 7, op: 'eq', value: 7 }, 'field', /no such field/],
    [compared('hour', 'equals', 7), 'op', /must be one of eq/],
    [compared('hour', 'contains', '7'), 'op', /hour takes one of/],
    [compared('answered', 'gt', 1), 'op', /answered takes one of/],
    [compared('prompt.text', 'gt', 1), 'op', /prompt.text takes/],
    [compared('hour', 'gt'), 'value', /number/],
    [compared('hour', 'gt', '7'), 'value', /number/],
    [compared('hour', 'gt', Number.NaN), 'value', /number/],
    [compared('hour', 'in', 7), 'value', /list/],
    [compared('hour', 'in', []), 'value', /list/],
    [compared('hour', 'in', [7, '8']), 'value', /each must be a number/],
    [compared('hour', 'gte', 99), 'value', /whole number from 0 to 23/],
    [compared('hour', 'lt', 9.5), 'value', /whole number from 0 to 23/],
    [compared('hour', 'in', [7, 24]), 'value', /whole number from 0 to 23/],
    [compared('retrieval.score', 'gt', 1.5), 'value', /number from 0 to 1/],
    [compared('evaluator.7.score', 'gte', 50), 'value', /number from 0 to 1/],
    [compared('prompt.length', 'gt', -1), 'value', /whole number from 0/],
    [compared('message_count', 'in', [1, 2.5]), 'value', /whole number from 0/],
    [compared('channel', 'eq', -3), 'value', /whole number from 0/],
    [compared('language', 'eq', 7), 'value', /text/],
    [compared('answered', 'eq', 'true'), 'value', /true or false/],
    [compared('tags.x', 'eq', {}), 'value', /text, a number/],
    [compared('tags.x', 'gt', 'a'), 'value', /number/],
    [compared('tags.x', 'exists', 'yes'), 'value', /true or false/],
    [compared('weekday', 'eq', 8), 'value', /day of the week/],
    [compared('weekday', 'eq', 'Sonntag'), 'value', /day of the week/],
    [compared('prompt.text', 'contains', ''), 'value', /empty/],
    [compared('prompt.text', 'contains', ' \u200b'), 'value', /empty/],
    [compared('prompt.text', 'contains_any', 'refund'), 'value', /list/],
    [compared('prompt.text', 'contains_any', Array(201).fill('x')), 'value', /more than 200/],
    [compared('prompt.text', 'contains', 'x'.repeat(1001)), 'value', /longer than 1000/],
    [compared('prompt.text', 'starts_with', ''), 'value', /empty/],
    [compared('prompt.text', 'matches', '(a)\\1'), 'value', /back-references/],
    [compared('prompt.text', 'matches', '(?=a)'), 'value', /look-arounds/],
    [compared('prompt.text', 'matches', '(a)\\1'), 'value', /back-references/],
    [compared('prompt.text', 'matches', '('), 'value', /not closed/],
    [compared('prompt.text', 'matches', '.*'), 'value', /empty text/],
    [nested(10), 'not.'.repeat(10).slice(0, -1), /more than 10 deep/],
    [{ all: Array(100).fill(nested(0)) }, 'all.99', /more than 100 parts/],
    [abyss((inner) => ({ not: inner })), 'not.'.repeat(10).slice(0, -1), /more than 10 deep/],
    [abyss((inner) => ({ all: [inner] })), 'all.0.'.repeat(10).slice(0, -1), /more than 10 deep/],
  ] as const) {
    const name = message.source
    it(`${name} at "${path}"`, () => {
      const flaw = checkCondition(condition)
      assert.equal(flaw?.path.join('.'), path)
      assert.match(flaw?.message ?? '', message)
    })
  }
})
