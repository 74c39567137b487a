import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readLetter } from '../../../../src/platforms/email/letter.ts'
import { isAutomatic, readReceived, readSent } from '../../../../src/platforms/email/read-letter.ts'
import { splitQuotes } from '../../../../src/platforms/email/split-quotes.ts'
import { mail } from '../../../support/mail-peer.ts'
import { processorTime } from '../../../support/processor-time.ts'

const ME = 'help@shop.example'
const ANNA = 'anna@example.org'
const settings = { address: ME, thread_key: 'k'.repeat(32) }

const place = { validity: '7', uid: 1 }

const letterOf = (raw: string | Buffer) => readLetter(Readable.from([Buffer.from(raw)]))

async function read(raw: string | Buffer) {
  return readReceived(await letterOf(raw), settings, place)
}

async function textOf(raw: string | Buffer) {
  const [event] = await read(raw)
  assert.ok(event?.type === 'message')
  return event.text
}

describe('mails', () => {
  for (const [charset, encoding, bytes] of [
    ['utf-8', '8bit', Buffer.from('Grüße, 日本')],
    ['iso-8859-1', '8bit', Buffer.from('Gr\xfc\xdfe', 'latin1')],
    ['windows-1252', 'quoted-printable', Buffer.from('Gr=FC=DFe =80')],
    ['utf-8', 'base64', Buffer.from(Buffer.from('Grüße 😀').toString('base64'))],
    ['iso-2022-jp', '7bit', Buffer.from('\x1b$BF|K\\\x1b(B', 'latin1')],
    ['koi8-r', '8bit', Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4])],
    ['nonsense-7', '8bit', Buffer.from('Plain')],
  ] as const)
    it(`are read in ${charset}, ${encoding}`, async () => {
      const head = mail(ANNA, ME, '', {
        Subject: '=?iso-8859-1?Q?Gr=FC=DFe?=',
        'Content-Type': `text/plain; charset=${charset}`,
        'Content-Transfer-Encoding': encoding,
      })
      const text = await textOf(Buffer.concat([Buffer.from(head), bytes]))
      const expected = {
        'utf-8 8bit': 'Grüße, 日本',
        'iso-8859-1 8bit': 'Grüße',
        'windows-1252 quoted-printable': 'Grüße €',
        'utf-8 base64': 'Grüße 😀',
        'iso-2022-jp 7bit': '日本',
        'koi8-r 8bit': 'Привет',
        'nonsense-7 8bit': 'Plain',
      }
      assert.equal(text, `Grüße\n\n${expected[`${charset} ${encoding}` as keyof typeof expected]}`)
    })

  it('of HTML become text, with the quotation cut', async () => {
    const html =
      '<p>Hello <b>there</b></p><script>alert(1)</script><p>On Monday we wrote:</p><blockquote>Old</blockquote>'
    assert.equal(
      await textOf(mail(ANNA, ME, html, { 'Content-Type': 'text/html' })),
      'A question\n\nHello there',
    )
  })

  it('of HTML keep the rows and cells of tables apart', async () => {
    const html =
      '<p>I want:</p><table><tr><th>Item</th><th>Qty</th></tr><tr><td>Lamp</td><td>2</td></tr><tr><td>50</td></tr></table>'
    assert.equal(
      await textOf(mail(ANNA, ME, html, { 'Content-Type': 'text/html' })),
      'A question\n\nI want:\n\n\nItem Qty\nLamp 2\n50',
    )
  })

  it('name their files, and nothing runs', async () => {
    const body = [
      '--b\r\nContent-Type: text/plain\r\n\r\nSee there\r\n',
      '--b\r\nContent-Type: image/svg+xml\r\nContent-Disposition: attachment; filename="../../a[b].svg"\r\n\r\n<svg onload="alert(1)"/>\r\n',
      '--b--',
    ].join('')
    const type = { 'Content-Type': 'multipart/mixed; boundary=b' }
    assert.equal(await textOf(mail(ANNA, ME, body, type)), 'A question\n\nSee there\n\n[image: ab.svg]')
    const none = mail(ANNA, ME, body.replace('See there', ''), { ...type, Subject: null })
    const [event] = await read(none)
    assert.ok(event?.type === 'message')
    assert.deepEqual([event.kind, event.text, event.isPrompt], ['image', '[image: ab.svg]', false])
  })

  it('without an id are known by a hash of all of them', async () => {
    const raw = mail(ANNA, ME, 'Hello', { 'Message-ID': null })
    const [[one], [same], [other]] = await Promise.all([read(raw), read(raw), read(`${raw}!`)])
    assert.match(one?.sourceId ?? '', /^sha256:/)
    assert.equal(one?.sourceId, same?.sourceId)
    assert.notEqual(one?.sourceId, other?.sourceId)
  })

  it('without a sender that can be answered are passed over', async () => {
    for (const from of [
      '',
      'nobody',
      '"a b"@example.org',
      'a@b, c@d',
      `${'a'.repeat(200)}@example.org`,
      '<>',
    ]) {
      const events = await read(mail(from, ME, 'Hello'))
      assert.deepEqual(
        events.map((event) => event.thread.split(':')[1]),
        from === 'a@b, c@d' ? ['a@b'] : [],
        from,
      )
    }
  })

  it('that somebody sends from the account and that answer nobody are no takeovers', async () => {
    assert.deepEqual(readSent(await letterOf(mail(ME, ANNA, 'Hello')), settings), [])
  })

  it('of any bytes are read or refused, and never harm', async () => {
    const part = fc.constantFrom(
      'From: a@example.org',
      'Content-Type: multipart/mixed; boundary=b',
      '--b',
      '--b--',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: base64',
      'Message-ID: <x@y>',
      'References: <a@b> <',
      'Subject: =?utf-8?B?////?=',
      'Content-Type: text/html; charset=utf-16',
      '<blockquote><blockquote>',
      '\u0000',
      '',
      '> >',
      'Authentication-Results: ;;',
      'Content-Type: multipart/report; boundary=b',
      'Content-Type: message/delivery-status',
      'Action: failed',
    )
    const lines = fc.array(fc.oneof(part, fc.string({ unit: 'binary' })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const letter = await letterOf(all.join('\r\n')).catch(() => null)
        if (!letter) return
        for (const event of [...readReceived(letter, settings, place), ...readSent(letter, settings)]) {
          assert.ok(event.sourceId.length <= 300 && event.thread.length <= 200)
          assert.ok(!JSON.stringify(event).includes('\\u0000'))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('that are nested, long or full of parts take time in proportion', async () => {
    const nested = Array.from(
      { length: 20_000 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    const inside = nested.slice(0, 900).join('')
    const hostile = [
      `From: ${ANNA}\r\n${inside}Content-Type: text/plain\r\n\r\n${'--x\r\n'.repeat(500_000)}`,
      `From: ${ANNA}\r\n${nested.join('')}`,
      mail(ANNA, ME, '--b\r\n\r\n'.repeat(100_000), { 'Content-Type': 'multipart/mixed; boundary=b' }),
      mail(ANNA, ME, '<div>'.repeat(200_000), { 'Content-Type': 'text/html' }),
      mail(ANNA, ME, '<tr><td>'.repeat(60_000), { 'Content-Type': 'text/html' }),
      mail(ANNA, ME, '\r\n'.repeat(400_000)),
      mail(ANNA, ME, 'On Monday '.repeat(100_000)),
      ...['a', 'To:'].map((word) => {
        const part = `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nTo: ${word.repeat(60_000 / word.length)}\r\n`
        return mail(ANNA, ME, part.repeat(20), { 'Content-Type': 'multipart/report; boundary=b' })
      }),
      mail(ANNA, ME, 'Hello', { References: '<a@b> '.repeat(100_000), Subject: '=?utf-8?B?'.repeat(50_000) }),
    ]
    for (const [at, raw] of hostile.entries()) {
      const used = processorTime()
      await read(raw).catch(() => [])
      assert.ok(used() < 5000, `mail ${at} took ${used()} ms`)
    }
  })
})

describe('quotations', () => {
  for (const [what, text, said] of [
    ['none', 'Hello\n\nAnna', 'Hello\n\nAnna'],
    ['below', 'Yes\n\nOn Monday the shop <a@b>\nwrote:\n\n> Hi\n> there\n', 'Yes'],
    ['in German', 'Ja\n\nAm 1. Mai 2026 schrieb Laden <a@b>:\n> Hallo', 'Ja'],
    ['in Japanese', 'はい\n\n2026年5月1日 店 <a@b>：\n> こんにちは', 'はい'],
    [
      'of Outlook',
      'Yes\n\n________________________________\nFrom: Shop <a@b>\nSent: Monday\nTo: Anna\nSubject: Re\n\nHi',
      'Yes',
    ],
    ['of Outlook in French', 'Oui\n\nDe : Boutique <a@b>\nEnvoyé : lundi\nÀ : Anna\n\nBonjour', 'Oui'],
    [
      'of Outlook in German',
      'Ja\n\nVon: Laden <a@b>\nGesendet: Montag\nAn: Anna\nBetreff: AW\n\nHallo',
      'Ja',
    ],
    [
      'of Outlook in Polish, in bold',
      'Tak\n\n*Od:* Sklep <a@b>\n*Wysłano:* dziś\n*Do:* Anna\n*Temat:* RE\n\nCześć',
      'Tak',
    ],
    ['of Outlook in Russian', 'Да\n\nОт: Магазин <a@b>\nОтправлено: 4 мая\nКому: Анна\n\nПривет', 'Да'],
    [
      'of Outlook in Japanese',
      'はい\n\n差出人: 店 <a@b>\n送信日時: 5月4日\n宛先: 安奈\n\nこんにちは',
      'はい',
    ],
    ['of Outlook in Thai', 'ใช่\n\nจาก: ร้าน <a@b>\nส่ง: วันนี้\nถึง: แอนนา\n\nสวัสดี', 'ใช่'],
    [
      'with dashes',
      'Yes\n\n-----Original Message-----\nFrom: Shop [mailto:a@b]\nSent: Monday\nTo: Anna\n\nHi',
      'Yes',
    ],
    [
      'of Thunderbird, forwarded',
      'See\n\n-------- Forwarded Message --------\nSubject: Lamp\nDate: Monday\nFrom: Shop <a@b>\nTo: Anna\n\nHi',
      'See',
    ],
    [
      'of Gmail, whose long lines are broken',
      'See\n\n---------- Forwarded message ---------\nFrom: A Shop With Quite A Long Name For Lamps\n<a@b.example>\nDate: Mon\nSubject: One of\n the lamps\nTo: Anna\n\nHi',
      'See',
    ],
    [
      'with broken lines and no rule',
      'See\n\nFrom: A Shop With Quite A Long Name For Lamps\n<a@b.example>\nSent: Mon\nTo: Anna\n\nHi',
      'See',
    ],
    [
      'with other lines in its head',
      'See\n\nFrom: Shop <a@b>\nReply-To: c@b\nOrganization: Lamps\nDate: Mon\nTo: Anna\n\nHi',
      'See',
    ],
    [
      'that names its sender without an address',
      'See\n\n-----Original Message-----\nFrom: Shop Support\nSent: Mon\nTo: Anna\n\nHi',
      'See',
    ],
    [
      'that has the address of its reader only',
      'See\n\nFrom: Shop Support\nSent: Mon\nTo: anna@a.example\n\nHi',
      'See',
    ],
    ['between answers', '> One?\nYes\n> Two?\nNo', '> One?\nYes\n> Two?\nNo'],
    ['and nothing else', '> One?\n> Two?', '> One?\n> Two?'],
    ...[
      'Name: Anna\nCity: Rome\nSize: 4',
      'A visitor filled in the form.\n\nName: Anna\nE-mail: anna@a.example\nPhone: 1\nMessage: Do you ship to Norway?',
      'it does not arrive.\n\nOrder: 4711\nAccount: anna@a.example\nItem: Lamp\n\nCan you send it again, please?',
      'From the web site:\n\n--- Contact form ---\nName: Anna\nE-mail: anna@a.example\nMessage: Hello',
      'From the web site:\n\nFrom: Anna <anna@a.example>\nDate: Monday\nSubject: Lamp\nMessage: Is it in stock?',
      'A ticket, please:\n\nFrom: Rome\nTo: Oslo\nDate: Monday\nAccount: anna@a.example',
    ].map((text) => ['of a form or a list of facts', text, text] as const),
  ] as const)
    it(what, () => {
      const split = splitQuotes(text)
      assert.deepEqual(split, {
        said,
        quoted: split.said === text.trim() ? null : text.slice(said.length).trim(),
      })
    })

  it('take nothing away but the end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('> a', 'b', '', 'x:', 'From: a@b', 'To: c', 'Sent: d', '-- x --')),
        (lines) => {
          const text = lines.join('\n')
          const { said, quoted } = splitQuotes(text)
          assert.equal([said, quoted ?? ''].join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
          assert.equal(said === '', text.trim() === '')
        },
      ),
    )
  })
})

describe('mail of programs', () => {
  const marks = {
    'auto-submitted': [],
    precedence: [],
    'list-id': [],
    'x-auto-response-suppress': [],
    'return-path': [],
    'x-autoreply': [],
    'x-parley': [],
  }
  for (const [name, value, expected] of [
    ['auto-submitted', 'auto-generated', true],
    ['auto-submitted', 'no', false],
    ['precedence', 'junk', true],
    ['precedence', 'first-class', false],
    ['x-auto-response-suppress', 'OOF, AutoReply', true],
    ['x-auto-response-suppress', 'None', false],
    ['x-auto-response-suppress', 'OOF', false],
    ['return-path', '<>', true],
    ['return-path', '<anna@example.org>', false],
  ] as const)
    it(`${name}: ${value}`, () =>
      assert.equal(isAutomatic({ marks: { ...marks, [name]: [value] } }), expected))
})
