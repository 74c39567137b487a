import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { validateSignature } from '@line/bot-sdk'
import fc from 'fast-check'
import { type ChannelSettings, InvalidWebhook, WrongDestination } from '../../../src/platforms/platform.ts'
import { platforms } from '../../../src/platforms/platforms.ts'
import {
  type Kind,
  kinds,
  LINE_DESTINATION,
  messageOf,
  PERSON,
  rawOf,
  sign,
} from '../../support/platform-peer.ts'

const URL_OF_CHANNEL = 'https://parley.example/api/v1/channels/1/x'
const received = () => ({ nowMs: Date.now(), url: URL_OF_CHANNEL })
const signed = (kind: Kind, raw: Buffer, secret: string) =>
  sign(kind, raw.toString(), secret, Date.now(), URL_OF_CHANNEL)
const TEXT = 'é 😀 / <b> \u2028 "quoted" \\'

describe('platforms read what they are sent', () => {
  for (const kind of kinds) {
    const { read, isSigned, webhookSecret } = platforms[kind]
    const settings = { [webhookSecret ?? '']: 'secret-of-the-test' } as ChannelSettings

    it(`${kind}: a message with its person and text`, () => {
      const [event] = read(messageOf(kind, PERSON[kind], '77', TEXT), {})
      assert.ok(event?.type === 'message')
      assert.equal(event.text, TEXT)
      assert.equal(event.thread, PERSON[kind])
      assert.ok(event.sourceId.length > 0)
    })

    it(`${kind}: signatures over the raw bytes`, () => {
      const raw = Buffer.from(rawOf(kind, messageOf(kind, PERSON[kind], '78', TEXT)))
      const headers = signed(kind, raw, 'secret-of-the-test')
      assert.ok(isSigned({ raw, headers, ...received() }, settings))
      // Telegram sends a token, which depends on nothing.
      if (kind !== 'telegram')
        assert.ok(
          !isSigned({ raw: Buffer.concat([raw, Buffer.from(' ')]), headers, ...received() }, settings),
        )
      assert.ok(!isSigned({ raw, headers: signed(kind, raw, 'another'), ...received() }, settings))
      assert.ok(!isSigned({ raw, headers, ...received() }, {}))
      // A key of no length makes signatures too.
      assert.ok(!isSigned({ raw, headers: signed(kind, raw, ''), ...received() }, {}))
      assert.ok(
        !isSigned({ raw, headers: signed(kind, raw, ''), ...received() }, { [webhookSecret ?? '']: '' }),
      )
      assert.ok(!isSigned({ raw, headers: {}, ...received() }, settings))
    })

    it(`${kind}: whatever is sent, nothing but the two refusals is thrown, and events are well-formed`, () => {
      const good = fc.constantFrom(...[messageOf(kind, PERSON[kind], '79', 'hello')])
      const odd = fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(
          null,
          '',
          '\u0000',
          '\ud800',
          'x'.repeat(300),
          1e300,
          -1,
          [],
          {},
          JSON.parse('{"__proto__":{"a":1}}'),
          { toString: 1, valueOf: null },
        ),
      )
      /** Replaces, drops or wraps one place of a payload. */
      const mutated = fc
        .tuple(good, fc.array(fc.nat(12), { maxLength: 8 }), odd)
        .map(([payload, path, value]) => mutate(structuredClone(payload), path, value))
      fc.assert(
        fc.property(fc.oneof({ weight: 4, arbitrary: mutated }, { weight: 1, arbitrary: odd }), (body) => {
          try {
            for (const event of read(body, { account_id: '7', page_id: '2200', destination: 'U1' })) {
              assert.match(event.type, /^[a-z_]+$/)
              for (const id of [event.sourceId, event.thread]) {
                assert.ok(id !== '' && id.length <= 256 && id.isWellFormed() && !id.includes('\0'))
              }
              if (event.type === 'message') {
                assert.ok(event.text.trim() !== '' && event.text.isWellFormed() && !event.text.includes('\0'))
                assert.ok(event.user.id !== '')
              }
            }
          } catch (error) {
            if (!(error instanceof InvalidWebhook) && !(error instanceof WrongDestination)) throw error
          }
        }),
        { numRuns: 1000 },
      )
    })

    it(`${kind}: an event that is nested a hundred thousand deep is refused or skipped`, () => {
      const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
      for (const body of [
        deep,
        { events: [{ ...deep, type: 'message' }] },
        { entry: [{ messaging: [{ deep }] }] },
      ]) {
        try {
          read(body, {})
        } catch (error) {
          assert.ok(error instanceof InvalidWebhook || error instanceof WrongDestination)
        }
      }
    })
  }

  it("messenger-three: the platform's own library takes our signatures, and we take those it takes", () => {
    const raw = JSON.stringify(messageOf('messenger-three', 'U1', '80', TEXT))
    const signature = createHmac('sha256', 'secret').update(raw).digest('base64')
    assert.ok(validateSignature(raw, 'secret', signature))
    const { isSigned } = platforms['messenger-three']
    for (const [given, expected] of [
      [signature, true],
      [signature.replace('=', ''), false],
      [`${signature}x`, false],
      [sign('messenger-three', `${raw} `, 'secret')['x-line-signature'] as string, false],
    ] as const) {
      const headers = { 'x-line-signature': given }
      assert.equal(
        isSigned({ raw: Buffer.from(raw), headers, ...received() }, { channel_secret: 'secret' }),
        expected,
      )
      if (expected) assert.ok(validateSignature(raw, 'secret', given))
    }
  })

  const accounts = {
    'messenger-one': ['phone_number_id', '106540352242922'],
    'messenger-two': ['page_id', '2200'],
    'messenger-three': ['destination', LINE_DESTINATION],
    helpdesk: ['account_id', '7'],
    instagram: ['instagram_id', '17841400000000001'],
    sms: ['account_sid', `AC${'0'.repeat(31)}1`],
  } as const
  for (const kind of Object.keys(accounts) as (keyof typeof accounts)[])
    it(`${kind}: a webhook for another account is refused`, () => {
      const [name, account] = accounts[kind]
      const message = messageOf(kind, PERSON[kind], '80', 'hello')
      const readAs = (id: string) => platforms[kind].read(message, { [name]: id } as ChannelSettings)
      assert.equal(readAs(account).length, 1)
      assert.throws(() => readAs(`${account}1`), WrongDestination)
    })

  for (const kind of ['messenger-one', 'messenger-two', 'instagram'] as const)
    it(`${kind}: of the entries for several accounts, only those for the channel's own are read`, () => {
      const [name, account] = accounts[kind]
      const [own, others] = ['own', 'others'].map((id) => messageOf(kind, PERSON[kind], id, `for ${id}`))
      const text = JSON.stringify(others).replaceAll(account, '999')
      const entry = [...JSON.parse(text).entry, ...(own as { entry: unknown[] }).entry]
      const events = platforms[kind].read({ entry }, { [name]: account } as ChannelSettings)
      assert.deepEqual(
        events.map((event) => event.type === 'message' && event.text),
        ['for own'],
      )
    })

  it('helpdesk: a status that every object has as a property is none', () => {
    for (const status of ['constructor', 'toString', '__proto__', 'snoozed', 7, null, ['open']]) {
      const event = { event: 'conversation_status_changed', id: 42, status, account: { id: 7 } }
      assert.deepEqual(platforms.helpdesk.read(event, {}), [])
    }
  })

  it('the names of platforms are those of paths, and events have a number for each', () => {
    assert.deepEqual(
      Object.entries(platforms).map(([name, { kind, number }]) => [name, kind, number]),
      [
        ['messenger-one', 'messenger-one', 1],
        ['messenger-two', 'messenger-two', 2],
        ['messenger-three', 'messenger-three', 3],
        ['helpdesk', 'helpdesk', 4],
        ['telegram', 'telegram', 5],
        ['instagram', 'instagram', 6],
        ['sms', 'sms', 7],
        ['email', 'email', 8],
      ],
    )
  })
})

function mutate(value: unknown, path: number[], replacement: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return replacement
  const keys = Object.keys(value)
  if (keys.length === 0) return replacement
  const key = keys[step % keys.length] as string
  const copy = value as Record<string, unknown>
  if (step === 12) delete copy[key]
  else copy[key] = mutate(copy[key], rest, replacement)
  return value
}
