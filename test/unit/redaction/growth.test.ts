import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { redactString } from '../../../src/redaction/redact-content.ts'
import { processorTime } from '../../support/processor-time.ts'

/** Pieces of each structure that is read, whole and broken ones. */
const PIECES: Record<string, readonly string[]> = {
  passwords: ['password: ', 'password is ', '"', "'", '«', ' ', 'my dog ', '\\', '\n', '.'],
  links: [
    'www.example.com/',
    'https://a.co/',
    '/reset/',
    'invite/',
    '?token=',
    '=',
    'a1',
    '-',
    'a',
    '#',
    ' ',
    'a.',
  ],
  IBANs: [
    'IBAN ',
    'DE89 ',
    'DE',
    '3704 ',
    '3704',
    'O5',
    'nwbk ',
    '756.',
    'AHV ',
    'cf ',
    'RSSMRA',
    '85T10',
    '-',
  ],
  JSON: [
    '{"',
    '"name":',
    '"Ada"',
    ',',
    '}',
    '[',
    ']',
    '{"email":"a@b.co",',
    '\\"',
    '{"a":{"name":"A","id":1}}',
    '"',
    ' : ',
  ],
  CSV: ['name,email\n', 'Ada,a@b.co\n', ',', '"', '""', '\n', 'name;phone;', '\t', 'first name,', '1,2,'],
  Markdown: [
    '| name | phone |\n',
    '|---|---|\n',
    '|',
    '| Ada ',
    '\n',
    '**Name:** ',
    '- ',
    '`',
    '[a](b) ',
    '# ',
  ],
  HTML: [
    '<table><tr><th>Name</th>',
    '<td>Ada</td>',
    '<tr>',
    '<th>',
    '</',
    '<td',
    '<',
    '>',
    '<a href="',
    '="x" ',
  ],
  XML: ['<name>Ada</name>', '<name>', '</name>', '<name ', 'a="1" ', '<a:name>', '<', '/>', '&lt;', '<!--'],
  SQL: [
    'INSERT INTO t (name, email) VALUES ',
    "('Ada', 'a@b.co')",
    ',',
    '(',
    "'",
    "''",
    '\\',
    ' values (',
    ');\n',
    'a,',
  ],
  'contact cards': [
    'BEGIN:VCARD\n',
    'FN:Ada Bell\n',
    'N:Bell;Ada;;;\n',
    'ADR;TYPE=home:;;',
    ';',
    ':',
    'item1.',
    'END:VCARD\n',
    ',',
  ],
  'heads of mails': [
    'From: ',
    'Ada Bell ',
    '<a@b.co>',
    'To: "',
    '>, ',
    '\n',
    'Cc: A',
    '<',
    '@',
    'mailto:',
    'On Monday, ',
  ],
  forms: [
    'Name: ',
    'Full name ..... ',
    'Ada',
    '\n',
    ' - ',
    '   ',
    'First name\n',
    'Address\t',
    ': ',
    '—',
    '1. ',
    '• ',
  ],
  pairs: [
    'name=',
    'password=',
    '&',
    '?',
    ';',
    'user="',
    "'",
    ' = ',
    'first_name: ',
    'Ada ',
    ', email: ',
    '[EMAIL_ADDRESS]',
  ],
}

const SHORT = 8000
const FACTOR = 8
/** The most that each character of a text eight times as long may take. What grows with the square takes eight times. */
const MOST = 3
/** Rounds of growing for each structure. */
const ROUNDS = 6
/** The processor's clock goes in steps of some milliseconds. */
const LEAST_MS = 8

const { redact } = createPatternRedactor()

for (const [name, pieces] of Object.entries(PIECES))
  it(`the time for ${name} grows with the length of the text, whatever it repeats`, () => {
    const random = seeded(name)
    const pick = () => pieces[Math.floor(random() * pieces.length)] as string
    const unitOf = (length: number) => Array.from({ length }, pick)
    let worst = { unit: unitOf(2), growth: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      // The unit that grew most so far, changed at one place; or a new one.
      const unit = round % 3 === 0 ? unitOf(1 + Math.floor(random() * 4)) : mutated(worst.unit, pick, random)
      const growth = growthOf(unit.join(''))
      assert.ok(
        growth < MOST,
        `${JSON.stringify(unit.join(''))} takes ${growth.toFixed(1)} times as long a character`,
      )
      if (growth > worst.growth) worst = { unit, growth }
    }
  })

/**
 * Returns the processor time for each character of a long text, divided by that of a short one. Measured again by turns if
 * it looks bad, because others may have emptied the processor's caches.
 */
function growthOf(unit: string): number {
  const text = (length: number) => flat(unit.repeat(Math.ceil(length / unit.length)).slice(0, length))
  const [short, long] = [text(SHORT), text(SHORT * FACTOR)]
  let [ofShort, ofLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const growth = () => Math.max(ofLong, LEAST_MS) / Math.max(ofShort, LEAST_MS)
  for (let attempt = 0; attempt < 6; attempt++) {
    ofShort = Math.min(ofShort, timeOf(short, FACTOR))
    ofLong = Math.min(ofLong, timeOf(long, 1))
    if (growth() < MOST) break
  }
  return growth()
}

function timeOf(text: string, times: number): number {
  const used = processorTime()
  for (let count = 0; count < times; count++) redactString(text, redact)
  return used()
}

function mutated(unit: readonly string[], pick: () => string, random: () => number): string[] {
  const at = Math.floor(random() * (unit.length + 1))
  return random() < 0.5 && unit.length > 1
    ? unit.toSpliced(at, 1)
    : unit.toSpliced(at, random() < 0.5 ? 1 : 0, pick())
}

/** Copies a text into one piece of memory, as if it came off the network, instead of the rope that `repeat` makes. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}

function seeded(name: string): () => number {
  let state = [...name].reduce((sum, char) => sum * 31 + (char.codePointAt(0) as number), 7) % 2147483647
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
