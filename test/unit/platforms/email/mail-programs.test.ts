import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { readLetter } from '../../../../src/platforms/email/letter.ts'
import { readReceived } from '../../../../src/platforms/email/read-letter.ts'
import { fileHeaders, type MailPart, mailOfParts } from '../../../support/mail-peer.ts'

const ME = 'help@shop.example'
const settings = { address: ME, thread_key: 'k'.repeat(32) }

const text = (said: string, more = ''): MailPart => [
  { 'Content-Type': `text/plain; charset=utf-8${more}` },
  said,
]
const html = (said: string): MailPart => [{ 'Content-Type': 'text/html; charset=utf-8' }, said]
const parts = (type: string, ...all: MailPart[]): MailPart => [{ 'Content-Type': `multipart/${type}` }, all]
const shown = (name: string, id: string): MailPart => [
  {
    ...{ 'Content-Type': `image/png; name="${name}"`, 'Content-ID': `<${id}>` },
    'Content-Disposition': `inline; filename="${name}"`,
  },
  Buffer.alloc(6000, 7),
]
const pdf = (disposition: string, type = 'application/pdf'): MailPart => [
  { 'Content-Type': type, 'Content-Disposition': disposition },
  Buffer.from('%PDF'),
]
const forwarded = (headers: Record<string, string> = {}): MailPart => [
  { 'Content-Type': 'message/rfc822', ...headers },
  'From: bob@example.org\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: application/pdf; name=inner.pdf\r\n\r\nx\r\n--q--\r\n',
]

/** Mails as programs write them: their parts, what is read of them, and their files with the numbers of their parts. */
const MAILS: Record<string, readonly [MailPart[], string, string[]]> = {
  'Thunderbird, with a picture in the text and a long name': [
    [
      parts(
        'alternative',
        text('See below'),
        parts('related', html('<p>See below</p><img src="cid:p1@x">'), shown('pasted.png', 'p1@x')),
      ),
      pdf(
        'attachment; filename*0*=UTF-8\'\'%52%65%63%68%6E%75%6E%67%20%4D%C3%A4%72%7A%20;\r\n filename*1*=%66%C3%BC%72%20%64%69%65;\r\n filename*2=" Bestellung.pdf"',
        'application/pdf; name="=?UTF-8?Q?Rechnung_M=C3=A4rz_f=C3=BCr_die?=\r\n =?UTF-8?Q?_Bestellung.pdf?="',
      ),
    ],
    'See below\n\n[file: Rechnung März für die Bestellung.pdf]',
    ['1.2.2 pasted.png in text', '2 Rechnung März für die Bestellung.pdf'],
  ],
  'Apple Mail, with a file between two texts': [
    [
      parts(
        'alternative',
        text('Before\r\n\r\nAfter'),
        parts(
          'mixed',
          html('<p>Before</p>'),
          pdf('inline;\r\n\tfilename=Contract.pdf'),
          html('<p>After</p>'),
        ),
      ),
    ],
    'Before\n\nAfter\n\n[file: Contract.pdf]',
    ['1.2.2 Contract.pdf'],
  ],
  'Apple Mail, with a file of text in line': [
    [
      text('Before'),
      [
        { 'Content-Type': 'text/plain; name=a.txt', 'Content-Disposition': 'inline;\r\n\tfilename=a.txt' },
        'x',
      ],
      text('After'),
    ],
    'Before\n\n\nAfter\n\n[file: a.txt]',
    ['2 a.txt'],
  ],
  'the mail of an iPhone': [
    [
      text('Photo:'),
      [
        {
          'Content-Type': 'image/jpeg; name=IMG_1.jpeg',
          'Content-Disposition': 'inline; filename=IMG_1.jpeg',
        },
        'x',
      ],
      text('Sent from my iPhone'),
    ],
    'Photo:\nSent from my iPhone\n\n[image: IMG_1.jpeg]',
    ['2 IMG_1.jpeg'],
  ],
  'Outlook, with a picture in the text, a forwarded mail and a name in words of its own': [
    [
      parts(
        'related',
        parts(
          'alternative',
          text('Look [cid:image001.png@01D9] here'),
          html('<p>Look <img src="cid:image001.png@01D9"> here</p>'),
        ),
        shown('image001.png', 'image001.png@01D9'),
      ),
      forwarded({ 'Content-Disposition': 'attachment;\r\n creation-date="Mon, 5 Jan 2026 10:00:00 GMT"' }),
      pdf('attachment; filename="=?iso-8859-1?Q?Rechnung_M=E4rz.pdf?="'),
    ],
    'Look  here\n\n[file: message.eml]\n[file: Rechnung März.pdf]',
    ['1.2 image001.png in text', '2 message.eml', '3 Rechnung März.pdf'],
  ],
  'Gmail, with a picture in the text and one beside it': [
    [
      parts(
        'related',
        parts('alternative', text('Hi'), html('<div>Hi<img src="cid:ii_1"></div>')),
        shown('image.png', 'ii_1'),
      ),
      [
        {
          'Content-Type': 'image/jpeg; name="=?UTF-8?B?0KTQvtGC0L4gMS5qcGc=?="',
          'Content-Disposition': 'attachment; filename="=?UTF-8?B?0KTQvtGC0L4g?= =?UTF-8?B?MS5qcGc=?="',
          'Content-ID': '<f_1>',
        },
        'x',
      ],
    ],
    'Hi\n\n[image: Фото 1.jpg]',
    ['1.2 image.png in text', '2 Фото 1.jpg'],
  ],
  'names in other character sets, raw and of no program': [
    [
      text('x'),
      pdf("attachment; filename*=iso-2022-jp'ja'%1B%24B%46%7C%4B%5C%1B%28B.pdf"),
      pdf('attachment; filename="=?Shift_JIS?B?k/qWey5wZGY=?="'),
      pdf('attachment', "application/pdf; name*=gb18030''%C4%E3%BA%C3.pdf"),
      pdf('attachment; filename="Größe.pdf"'),
      pdf("attachment; filename*=utf-8''invoice%E2%80%AEfdp.exe"),
      pdf('attachment'),
    ],
    'x\n\n[file: 日本.pdf]\n[file: 日本.pdf]\n[file: 你好.pdf]\n[file: Größe.pdf]\n[file: invoicefdp.exe]\n[file]',
    ['2 日本.pdf', '3 日本.pdf', '4 你好.pdf', '5 Größe.pdf', '6 invoicefdp.exe', '7 null'],
  ],
  'a forwarded mail in a forwarded mail': [
    [text('Fw'), forwarded({ 'Content-Disposition': 'attachment; filename="Anfrage.eml"' }), forwarded()],
    'Fw\n\n[file: Anfrage.eml]\n[file: message.eml]',
    ['2 Anfrage.eml', '3 message.eml'],
  ],
  'a page, and an invitation': [
    [
      parts('alternative', text('Invited'), html('<p>Invited</p>'), [
        { 'Content-Type': 'text/calendar; method=REQUEST' },
        'BEGIN:VCALENDAR',
      ]),
      [{ 'Content-Type': 'text/html; name="page.html"' }, '<p>page</p>'],
      [fileHeaders('application/pkcs7-signature', 'smime.p7s'), 'x'],
    ],
    'Invited\n\n[file: invite.ics]\n[file: page.html]',
    ['1.3 invite.ics', '2 page.html'],
  ],
}

describe('mails of programs', () => {
  for (const [program, [all, expected, files]] of Object.entries(MAILS))
    it(`are read: ${program}`, async () => {
      const raw = mailOfParts('anna@example.org', ME, all)
      const letter = await readLetter(Readable.from([Buffer.from(raw)]))
      const [event] = readReceived(letter, settings, { validity: '7', uid: 1 })
      assert.ok(event?.type === 'message')
      assert.equal(event.text, `A question\n\n${expected}`)
      assert.deepEqual(
        letter.files.map(({ part, name, inText }) => `${part} ${name}${inText === null ? '' : ' in text'}`),
        files,
      )
    })
})
