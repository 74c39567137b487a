import { seededRandom } from './random.ts'

const repeated = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const wrapped = (start: string, unit: string, end: string) => (length: number) =>
  start + repeated(unit)(length) + end
/** Joins a key that is split in the source, so that secret scanners do not see it. */
const key = (...parts: string[]) => parts.join('')

/** Builds a text of units that all differ, against engines that remember what they found. */
const counted = (unit: (word: string, count: number) => string) => (length: number) => {
  const parts: string[] = []
  for (let count = 0, size = 0; size < length; count++) {
    const part = unit(letters(count), count)
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}
const letters = (count: number) => [...String(count)].map((digit) => 'aeioulmnrs'[Number(digit)]).join('')

/** Builds a text of all fragments in random order. */
const soup = (between: string) => (length: number) => {
  const random = seededRandom('soup')
  const fragments =
    `1 12 4111 0532 2001: :: ab: @ a@b. .com dot at http:// ?token= Mr. Dear Anna Bell name is my Street
    12345678 +1 +49 00 ( ) - . / [EMAIL_ [A] DE89 SSN PO Box born on 12/12/1980 password: eyJ. bc1q 0xab 路1号 我叫 ～ é 😀`.split(
      /\s+/,
    )
  const parts: string[] = []
  for (let size = 0; size < length; ) {
    const part = random.pick(fragments) + between
    parts.push(part)
    size += part.length
  }
  return parts.join('').slice(0, length)
}

/** Kinds of text that make careless patterns slow; each function builds about `length` characters. */
export const HOSTILE: Record<string, (length: number) => string> = {
  '1.': repeated('1.'),
  '1-': repeated('1-'),
  '1 ': repeated('1 '),
  '1,': repeated('1,'),
  '1/': repeated('1/'),
  '12:': repeated('12:'),
  'a@': repeated('a@'),
  'a.a.': repeated('a.a.'),
  'a.a.@': wrapped('', 'a.a.', '@'),
  '@a.a.': wrapped('@', 'a.a.', '@'),
  'a+a+': repeated('a+a+'),
  'a-a-': repeated('a-a-'),
  letters: repeated('a'),
  digits: repeated('1'),
  zeros: repeated('0'),
  'card digits': repeated('4111111111111111 '),
  'odd card digits': repeated('4111 1111 1111 1112 '),
  'full-width digits': repeated('１２３'),
  '[': repeated('['),
  ']': repeated(']'),
  '[A]': repeated('[A]'),
  '[EMAIL_': repeated('[EMAIL_'),
  '(': repeated('('),
  '()': repeated('()'),
  '{"': repeated('{"a":'),
  '<': repeated('<'),
  spaces: repeated(' '),
  'a and spaces': wrapped('a', ' ', 'a'),
  newlines: repeated('\n'),
  tabs: repeated('\t '),
  'capital words': repeated('Anna '),
  'capital letters': repeated('ABCD'),
  'capital letters and digits': repeated('A1'),
  'combining marks': wrapped('a', '\u0301', ''),
  'combining words': repeated('e\u0301e\u0301 '),
  'zero-width': repeated('a\u200b'),
  surrogates: repeated('\ud83d'),
  'low surrogates': repeated('\udc00\ud800'),
  emoji: repeated('😀'),
  'my name is': repeated('my name is '),
  'My Name Is': repeated('My name is Anna '),
  'ich heiße': repeated('ich heiße '),
  'Mr.': repeated('Mr. '),
  'dear hello': repeated('Dear Hello '),
  'http://': repeated('http://'),
  'http://a': repeated('http://a.a/'),
  'http://a@': wrapped('http://', 'a:', '@'),
  'url query': wrapped('https://example.org/?', 'a=b&', ''),
  'url token': repeated('?token='),
  'www.': repeated('www.'),
  BEGIN: repeated('-----BEGIN '),
  'BEGIN KEY': repeated(`-----BEGIN PRIVATE ${'KEY'}-----\n`),
  'base64 lines': wrapped(`-----BEGIN PRIVATE ${'KEY'}-----\n`, `${'MIIE'.repeat(16)}\n`, ''),
  'half keys': repeated(key('s', 'k-')),
  'half keys 2': repeated(key('gh', 'p_a ')),
  'half keys 3': repeated(key('AK', 'IA')),
  'eyJ.': repeated('eyJ.'),
  eyJa: repeated('eyJa'),
  'eyJ.eyJ': repeated('eyJhbGciOi.eyJ'),
  'password:': repeated('password: '),
  password: repeated('password '),
  'pwd=': repeated('pwd='),
  'street words': repeated('Street '),
  'numbers and streets': repeated('12 Main '),
  streets: repeated('12 Main Street '),
  rue: repeated('rue de la '),
  straße: repeated('straße '),
  号: repeated('路1号'),
  東京都: repeated('東京都区1-'),
  'PO Box': repeated('PO Box '),
  '+1 ': repeated('+1 '),
  '+': repeated('+'),
  '+49 1': repeated('+49 1'),
  '00': repeated('00 '),
  '(0': repeated('(0'),
  'phone:': repeated('phone: '),
  'tel 1': repeated('tel 1 '),
  'hex groups': repeated('ab:'),
  'v6 groups': repeated('abcd:'),
  '::': repeated('::'),
  ':': repeated(':'),
  hex: repeated('deadbeef'),
  'mac dashes': repeated('AB-'),
  '0x': repeated('0x'),
  bc1: repeated('bc1'),
  bc1q: wrapped('bc1', 'q', ''),
  base58: wrapped('1', 'A', ''),
  'base58 words': repeated('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb '),
  'IBAN heads': repeated('DE89 '),
  'IBAN run': repeated('DE8937040044'),
  'IBAN almost': repeated('DE89 3704 0044 0532 0130 01 '),
  'SSN almost': repeated('123-45-'),
  'SSN word': repeated('SSN '),
  'born on': repeated('born on '),
  dates: repeated('12/12/'),
  'at dot': repeated('a at a dot '),
  at: repeated(' at '),
  dot: repeated(' dot '),
  dear: repeated('Dear '),
  regards: repeated('Regards,\n'),
  'regards names': repeated('Best regards,\nAnna Bell\n'),
  quotes: repeated('"\''),
  backslashes: repeated('\\'),
  'full stops': repeated('.'),
  dashes: repeated('-'),
  underscores: repeated('_'),
  hashes: repeated('#'),
  Han: repeated('我叫'),
  kana: repeated('と申します'),
  Hangul: repeated('제 이름은 '),
  Arabic: repeated('اسمي '),
  Devanagari: repeated('मेरा नाम '),
  'veto words': repeated('order number 1234567 '),
  'e-mails': repeated('anna.bell@example.org '),
  addresses: repeated('10.1.2.3 '),
  'almost addresses': repeated('256.256.256.256.'),
  'many names': counted((word) => `My name is A${word} B${word}. `),
  'many greetings': counted((word) => `Dear Mr. K${word},\n`),
  'one name often': wrapped('My name is Anna Bell. ', 'Anna and Bell said Anna Bell ', ''),
  'many e-mails': counted((word) => `${word}@${word}.org `),
  'many numbers': counted((_, count) => `${4111000 + count} `),
  'many streets': counted((word, count) => `${count} S${word} Street `),
  'number list': counted((_, count) => `${count}, `),
  'number lines': counted((_, count) => `${count}\n`),
  soup: soup(' '),
  'soup without spaces': soup(''),
  mixed: repeated('My name is Anna Bell, 12 Main Street, +1 212 555 0100, a@b.co, 4111 1111 1111 1111. '),
}
