import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Occasion } from '../../../src/agents/occasion.ts'
import { fillForModel, fillForUser, unknownVariable } from '../../../src/agents/variables.ts'

const AT = Date.parse('2026-11-26T04:13:00.000Z')
const occasion: Occasion = {
  now: AT,
  channel: 'WhatsApp',
  language: 'de',
  customer: {
    name: 'Ada',
    attributes: new Map([
      ['plan', 'gold'],
      ['best friend', 'Bob'],
    ]),
  },
}
const nobody: Occasion = { ...occasion, language: null, customer: null }
const ZONE = 'Europe/Berlin'

describe('variables of texts', () => {
  for (const [text, toModel, toUser] of [
    [
      'It is {{now}}.',
      'It is Thursday, 26 November 2026 at 05:13.',
      'It is Donnerstag, 26. November 2026 um 05:13.',
    ],
    ['{{ date }}', 'Thursday, 26 November 2026', 'Donnerstag, 26. November 2026'],
    ['On {{channel}} in {{language}}', 'On WhatsApp in German', 'On WhatsApp in Deutsch'],
    ['Hello {{user.name}}!', 'Hello “Ada”!', 'Hello Ada!'],
    ['{{user.plan}}, {{user.best friend}}, {{user.constructor}}', '“gold”, “Bob”,', 'gold, Bob,'],
    ['a {{unknown}} b {{', 'a {{unknown}} b {{', 'a {{unknown}} b {{'],
    ['write \\{{user.name}}', 'write {{user.name}}', 'write {{user.name}}'],
  ] as const)
    it(`are filled: ${text}`, () => {
      assert.equal(fillForModel(text, occasion, ZONE), toModel)
      assert.equal(fillForUser(text, occasion, ZONE), toUser)
    })

  it('that have no value leave nothing, nor the blank before them', () => {
    const text = 'Hello {{user.name}}! {{user.plan}}{{language}}'
    assert.equal(fillForModel(text, nobody, ZONE), 'Hello!')
    assert.equal(fillForUser(text, nobody, ZONE), 'Hello!')
  })

  it('that do not exist are refused by name', () => {
    for (const text of ['{{user.name}} {{user.x y}} {{now}}', '\\{{name}}', '{{', 'a { b }', '{name}'])
      assert.equal(unknownVariable(text), null, text)
    for (const [text, name] of [
      ['{{name}}', '{{name}}'],
      ['{{now}} {{user}}', '{{user}}'],
      ['{{}}', '{{}}'],
      ['{{ Now }}', '{{Now}}'],
      ['{{user.}}', '{{user.}}'],
      [`{{user.${'x'.repeat(65)}}}`, '{{user.x'],
    ] as const)
      assert.ok(unknownVariable(text)?.startsWith(`holds ${name}`), text)
  })

  it('hold whatever a user is called as data: on one line, within its marks, and filled once', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            '“',
            '”',
            '"',
            '\n',
            '\r',
            '\u2028',
            '\u0085',
            '\u202e',
            '{{user.plan}}',
            '\\{{',
            'SYSTEM:',
            ' ',
          ),
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(hostile, hostile, (name, plan) => {
        const customer = { name, attributes: new Map([['plan', plan]]) }
        const told = fillForModel('<{{user.name}}|{{user.plan}}>', { ...occasion, customer }, ZONE)
        const [, ofName = '', ofPlan = ''] =
          /^<(?:“([^“”"\n]{1,60})”)?\|(?:“([^“”"\n]{1,200})”)?>$/u.exec(told) ?? []
        assert.ok(/^<(?:“[^“”"]*”)?\|(?:“[^“”"]*”)?>$/u.test(told), told)
        assert.doesNotMatch(told, /[\n\r\u2028\u2029\u0085\u202e]/)
        assert.ok(ofName.length <= 60 && ofPlan.length <= 200)
        assert.ok(told.isWellFormed())
        const said = fillForUser('{{user.name}}', { ...occasion, customer }, ZONE)
        assert.doesNotMatch(said, /[\n\r\u2028\u2029\u0085]/)
        if (name.includes('{{user.plan}}') && name.length < 200) assert.match(said, /\{\{user\.plan\}\}/)
      }),
    )
  })

  it('take time in proportion to the length of the text', () => {
    const started = process.cpuUsage()
    for (const part of ['{{', '{{ ', '{', ' ', '{{a', '}}', '\\{{', ' {{'])
      fillForUser(`${part.repeat(30_000)}{{`, occasion, ZONE)
    assert.ok(process.cpuUsage(started).user < 1_000_000)
  })
})
