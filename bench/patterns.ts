// Compares the engine of patterns with re2js: milliseconds of processor time for texts of 1 MB, harmless and hostile, and
// how many everyday patterns of JSON schemas each takes and reads as RegExp does.
import { fileURLToPath } from 'node:url'
import { linearPattern } from '../src/lib/linear-pattern/linear-pattern.ts'
import { seededRandom } from './redaction/random.ts'
import { byTurns } from './support/by-turns.ts'
import { importPeer, installPeers } from './support/install-peers.ts'
import { printTable } from './support/load.ts'

const PEERS = fileURLToPath(new URL('.peers/patterns/', import.meta.url))
const LENGTH = 1_000_000

interface Matcher {
  find(): boolean
}
interface Re2 {
  RE2JS: { compile(source: string): { matcher(text: string): Matcher } }
}

installPeers(PEERS, { re2js: '2.10.0' })
const { RE2JS } = await importPeer<Re2>(PEERS, 're2js')

const PROSE =
  'Good morning, I ordered 2 lamps on 3 May 2026 (order 40-1187), and only one of them has come so far. Could you please tell me where ' +
  'the other one is? My neighbour says that nobody rang. '
const prose = repeat(PROSE)
const mails = repeat(`${PROSE}Write to anna.berg@shop.example or call me. `)
const random = seededRandom('patterns')
// The one c keeps an engine from passing over the text because it lacks a letter of the pattern.
const letters = `c${Array.from({ length: LENGTH }, () => random.pick(['a', 'b'])).join('')}`

const MAIL = '[a-z0-9._%+-]{1,64}@[a-z0-9-]+\\.[a-z]{2,}'
const timed: [name: string, source: string, text: string][] = [
  ['words, in prose', '\\b(?:refund|money back|chargeback)s?\\b', prose],
  ['a date, in prose', '\\b\\d{4}-\\d{2}-\\d{2}\\b', prose],
  ['an e-mail address, found thousands of times', MAIL, mails],
  ['a[ab]{100}c, in letters', 'a[ab]{100}c', letters],
  ['(?:.?){100}c$, in letters', '(?:.?){100}c$', letters],
]
const rows = timed.map(([name, source, text]) => {
  const own = linearPattern(source)
  const other = RE2JS.compile(source)
  const all = () => {
    const matcher = other.matcher(text)
    while (matcher.find());
  }
  const times = byTurns({
    test: () => own.test(text),
    find: () => own.first(text),
    first: () => other.matcher(text).find(),
    all,
  })
  return [name, ...[times.test, times.find, times.first, times.all].map((ms) => ms.toFixed(0))]
})
printTable([['ms for 1 MB', 'own: test', 'find', 're2js: first match', 'all matches'], ...rows])

// What authors of schemas write: with each pattern a text that fits, and one that does not.
const schemas: [source: string, fits: string, other: string][] = [
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'red-shoes', 'red--shoes'],
  ['^[a-zA-Z_][a-zA-Z0-9_]*$', 'order_id', '1st'],
  ['^\\S+$', 'abc', 'a c'],
  ['\\S', ' a ', '   '],
  ['^\\S(?:.*\\S)?$', 'a b', 'a b '],
  ['^[A-Z]{2}$', 'DE', 'de'],
  ['^[A-Z]{3}$', 'EUR', 'EURO'],
  ['^[a-z]{2,3}(?:-[A-Z]{2})?$', 'pt-BR', 'pt_BR'],
  ['^#(?:[0-9a-fA-F]{3}){1,2}$', '#12abef', '#12ab'],
  ['^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$', '2026-11-28', '2026-13-01'],
  ['^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?$', '23:59', '24:00'],
  [
    '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)$',
    '2026-11-28T10:00:00Z',
    '2026',
  ],
  [
    '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    '0198f3a2-1b2c-7d3e-8f4a-5b6c7d8e9f00',
    '1234',
  ],
  ['^[0-9A-HJKMNP-TV-Z]{26}$', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3'],
  ['^(?:ord|ret)_[A-Za-z0-9]{14,}$', 'ord_1234567890abcd', 'inv_1234567890abcd'],
  ['^\\+[1-9]\\d{1,14}$', '+4915112345678', '015112345678'],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a@b.example', 'a@b'],
  ['^https?://[^\\s/$.?#].[^\\s]*$', 'https://a.example/b', 'ftp://a.example'],
  ['^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$', '10.0.0.1', '10.0.0.256'],
  ['^(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$', '00:1B:44:11:3A:B7', '00:1B:44'],
  ['^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$', 'a.b-c.example', '-a.example'],
  ['^v?\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?$', '1.2.3-rc.1+5', '1.2'],
  ['^\\d{5}(?:-\\d{4})?$', '90210-1234', '9021'],
  ['^[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}$', 'SW1A 1AA', '1AA SW1A'],
  ['^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', 'DE89370400440532013000', 'DE89'],
  ['^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$', 'DEUTDEFF', 'DEUT'],
  ['^\\d{13}$|^\\d{8}$', '4006381333931', '400638133'],
  ['^-?\\d+(?:\\.\\d{1,2})?$', '-12.50', '12.505'],
  ['^(?:\\d{4}[ -]?){3}\\d{4}$', '4111 1111 1111 1111', '4111'],
  ['^(?=.*[A-Z])(?=.*\\d).{8,}$', 'Abcdefg1', 'abcdefgh'],
  ['^P(?!$)(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?:\\d+H)?(?:\\d+M)?)?$', 'P1DT2H', 'P'],
  ["^[\\p{L} '-]+$", "O'Brien-Smith", 'R2D2'],
  ['^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', 'YWJj', 'YWJ'],
  ['^[\\w-]+\\.[\\w-]+\\.[\\w-]*$', 'a.b.c', 'a.b'],
  ['^[0-9a-f]{40}$', 'a'.repeat(40), 'abc'],
  ['^sha256:[0-9a-f]{64}$', `sha256:${'0'.repeat(64)}`, 'sha256:0'],
  ['^[a-z]+/[a-z0-9.+-]+$', 'image/svg+xml', 'image'],
  ['^/(?:[^/]+/)*[^/]*$', '/a/b', 'a/b'],
  ['^.{1,255}$', 'abc', ''],
  ['^.{1,1000}$', 'abc', ''],
  ['^[^<>]*$', 'a b', '<b>'],
]
const engines = {
  own: (source: string) => {
    const pattern = linearPattern(source, { testsOnly: true })
    return (text: string) => pattern.test(text)
  },
  re2js: (source: string) => {
    const pattern = RE2JS.compile(source)
    return (text: string) => pattern.matcher(text).find()
  },
}
process.stdout.write(`\n${schemas.length} everyday patterns of schemas\n`)
for (const [name, compile] of Object.entries(engines)) {
  const refused: string[] = []
  const wrong: string[] = []
  for (const [source, fits, other] of schemas) {
    if (!new RegExp(source, 'u').test(fits) || new RegExp(source, 'u').test(other)) throw new Error(source)
    try {
      const test = compile(source)
      if (!test(fits) || test(other)) wrong.push(source)
    } catch {
      refused.push(source)
    }
  }
  process.stdout.write(`${name}: refuses ${refused.length}, wrong ${wrong.length}\n`)
  for (const source of [...refused, ...wrong]) process.stdout.write(`  ${source}\n`)
}

function repeat(text: string): string {
  return text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH)
}
