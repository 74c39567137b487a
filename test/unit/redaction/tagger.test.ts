import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isHeldBack } from '../../../bench/redaction/held-back.ts'
import { readTemplates } from '../../../bench/redaction/templates.ts'
import { ORIGINS } from '../../../bench/redaction/values/origins.ts'
import { PLACES } from '../../../bench/redaction/values/places.ts'
import { addTagged } from '../../../src/redaction/engine/add-tagged.ts'
import type { Finding } from '../../../src/redaction/engine/finding.ts'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'
import { loadModel, packModel, unpackModel } from '../../../src/redaction/tagger/model.ts'
import { Sheet } from '../../../src/redaction/tagger/sheet.ts'
import { Tagger } from '../../../src/redaction/tagger/tagger.ts'
import { loadCountries } from '../../../training/redaction/addresses.ts'
import { readSections } from '../../../training/redaction/data.ts'
import { Generator } from '../../../training/redaction/generate.ts'
import { loadOrigins, loadUnsorted } from '../../../training/redaction/names.ts'
import { trainModel } from '../../../training/redaction/train-model.ts'

const redactor = createPatternRedactor()

describe('the tagger', () => {
  for (const [text, expected] of [
    ['Kwame Boateng signed for the parcel', '[PERSON] signed for the parcel'],
    [
      'customer,city\nWanjiku Kamau,Nairobi\nSione Fonua,Apia',
      'customer,city\n[PERSON],Nairobi\n[PERSON],Apia',
    ],
    ['the parcel is at 14 Ring Road Central, Accra now', 'the parcel is at [LOCATION] now'],
    ['{"driver": "Thabo Mokoena"}', '{"driver": "[PERSON]"}'],
    ['ask Nguyễn Thị Hoa about the refund', 'ask [PERSON] about the refund'],
    ['The order was placed by ธนากร ทองชัย last Friday.', 'The order was placed by [PERSON] last Friday.'],
  ] as const)
    it(`finds what no pattern does in ${JSON.stringify(text)}`, () => {
      assert.equal(redactor.redact(text), expected)
    })

  it('gives each of its findings a score, and with less care for false ones there are no fewer', () => {
    const text = 'ask Nguyễn Thị Hoa about the refund'
    const [found] = redactor.find(text)
    assert.equal(found?.strength, 'learned')
    assert.ok((found?.score as number) > 0.5 && (found?.score as number) <= 1)
    const counts = (['strict', 'usual', 'thorough'] as const).map((care) => {
      const { find } = createPatternRedactor({ care })
      return SAMPLES.reduce((sum, sample) => sum + find(sample).length, 0)
    })
    assert.ok(
      (counts[0] as number) <= (counts[1] as number) && (counts[1] as number) <= (counts[2] as number),
    )
  })

  it('looks for none of its types when they are not asked for', () => {
    const text = 'Kwame Boateng signed for the parcel at 14 Ring Road Central, Accra'
    const { redact } = createPatternRedactor({ types: ['LOCATION'] })
    assert.equal(redact(text), 'Kwame Boateng signed for the parcel at [LOCATION]')
    assert.equal(createPatternRedactor({ types: ['EMAIL_ADDRESS'] }).redact(text), text)
  })

  it('reads no line with a placeholder, beside one, or below one that heads its columns', () => {
    const name = 'Kwame Boateng signed for the parcel'
    const tagger = new Tagger(loadModel())
    const count = (text: string) => tagger.tag(text, LEAST, (name) => name === 'PERSON').length
    assert.equal(count(name), 1)
    assert.equal(count(`[TODO] ${name}`), 1)
    assert.equal(count(`${name} [PERSON]`), 0)
    assert.equal(count(`[PERSON]\n\n${name}`), 0)
    assert.equal(count(`${name}\n[PERSON]`), 0)
    assert.equal(count(`${name}\nthanks\n[PERSON]`), 1)
    assert.equal(count('customer,city,note\na,b,c\nWanjiku Kamau,Nairobi,x'), 1)
    assert.equal(count('[PERSON],city,note\na,b,c\nWanjiku Kamau,Nairobi,x'), 0)
  })

  it('finds the same, whatever it has read before', () => {
    const one = new Tagger(loadModel())
    const found = SAMPLES.map((text) => one.tag(text, LEAST))
    for (let at = 0; at < 20_000; at++) one.tag(`word${at.toString(36)} Name${at.toString(36)}`, LEAST)
    assert.deepEqual(
      SAMPLES.map((text) => one.tag(text, LEAST)),
      found,
    )
  })

  it('takes time in proportion to the text', () => {
    const tagger = new Tagger(loadModel())
    const time = (text: string) => {
      const start = process.threadCpuUsage()
      tagger.tag(text, LEAST)
      return process.threadCpuUsage(start).user
    }
    const least = (text: string) => Math.min(...[1, 2, 3].map(() => time(text)))
    for (const piece of ['Anna Smith ', 'a,', '[', '12 Main Street\n', '王', 'x=', "o'", '\u0301']) {
      time(piece.repeat(20_000))
      const short = least(piece.repeat(20_000))
      const long = least(piece.repeat(100_000))
      assert.ok(long < short * 20 + 20_000, `${piece}: ${long} µs after ${short} µs`)
    }
  })
})

describe('a sheet', () => {
  it('has tokens in lines, with their keys and the heads of their columns', () => {
    const sheet = new Sheet()
    sheet.read('name: Ana 12\nid;city\n1;Rome')
    const tokens = Array.from({ length: sheet.count }, (_, at) =>
      sheet.text.slice(sheet.starts[at], sheet.ends[at]),
    )
    assert.deepEqual(tokens, ['name', ':', 'Ana', '12', '\n', 'id', ';', 'city', '\n', '1', ';', 'Rome', ''])
    assert.deepEqual(
      sheet.lines.map(({ start, end, header }) => [start, end, header]),
      [
        [0, 4, -1],
        [5, 8, -1],
        [9, 12, 1],
      ],
    )
    assert.equal(sheet.keys[2], sheet.words[0])
    assert.equal(sheet.keys[0], 0)
    assert.notEqual(sheet.heads[9], sheet.heads[11])
    assert.notEqual(sheet.heads[11], 0)
  })
})

describe('findings of the tagger', () => {
  const finding = (type: string, start: number, end: number, score?: number): Finding =>
    score === undefined
      ? { type, start, end, strength: 'context' }
      : { type, start, end, score, strength: 'learned' }

  it('give way to findings of other types, and an address without a number does not remain', () => {
    const text = 'Medicare 2123 at 5 Oak Lane, Leeds 0123456789 x'
    const added = addTagged(
      text,
      [finding('AU_MEDICARE', 9, 13), finding('PHONE_NUMBER', 35, 45)],
      [finding('LOCATION', 0, 13, 0.9), finding('LOCATION', 17, 45, 0.9)],
    )
    assert.deepEqual(
      added.map(({ type, start, end }) => [type, text.slice(start, end)]),
      [
        ['AU_MEDICARE', 'Medicare 2123'.slice(9)],
        ['LOCATION', '5 Oak Lane, Leeds '],
        ['PHONE_NUMBER', '0123456789'],
      ],
    )
  })
})

describe('the training', () => {
  const plan = { messages: 400, bits: 12, seed: 7 }

  it('makes the same bytes from the same seed, and others from another', () => {
    const bytes = (seed: number) => Buffer.from(packModel(trainModel({ ...plan, seed })))
    const first = bytes(7)
    assert.ok(first.equals(bytes(7)))
    assert.ok(!first.equals(bytes(8)))
    const again = unpackModel(first)
    assert.ok(Buffer.from(packModel(again)).equals(first))
  })

  it('uses no name, street or town that the bench holds back', () => {
    const origins = loadOrigins()
    const names = [...loadUnsorted(), ...origins.flatMap(({ given, family }) => [...given, ...family])]
    const places = loadCountries().flatMap(({ streets, towns }) => [...streets, ...towns])
    assert.ok(names.length > 100_000 && places.length > 1000)
    const words = [...names, ...names.flatMap((name) => name.split(/[\s-]+/))]
    assert.equal([...words, ...places].filter(isHeldBack).length, 0)
  })

  it('draws no name, street or town that the bench holds back', () => {
    const held = new Set(
      ORIGINS.flatMap(({ latin, native }) => [latin, native ?? latin])
        .flatMap(({ given, family }) => [...given, ...family])
        .concat(Object.values(PLACES).flatMap(({ streets, cities }) => [...streets, ...cities]))
        .filter(isHeldBack)
        .map((name) => name.toLowerCase()),
    )
    const generator = new Generator()
    const drawn = Array.from({ length: 5000 }, (_, at) => generator.make(`drawn ${at}`)).flatMap(
      ({ text, labelled }) => labelled.map(({ start, end }) => text.slice(start, end).toLowerCase()),
    )
    const found = drawn.filter((one) => [one, ...one.split(/[\s,]+/)].some((word) => held.has(word)))
    // Invented names, and words of prose that name streets, may be alike by chance.
    assert.ok(found.length < drawn.length / 500, `${found.length} of ${drawn.length}`)
  })

  it('has none of the templates that the bench holds back', () => {
    const formOf = (template: string) =>
      template
        .replace(/\{[^}]*\}/g, '{}')
        .toLowerCase()
        .trim()
    const held = new Set(
      ['support', 'structured', 'labelled', 'harmless', 'fair', 'fair-more', 'checkable', 'contextual']
        .flatMap((set) => readTemplates(set))
        .filter(({ template }) => isHeldBack(template))
        .map(({ template }) => formOf(template)),
    )
    const own = ['templates.txt', 'harmless.txt'].flatMap((file) =>
      readSections(file).flatMap(({ lines }) => lines.map((line) => line.replaceAll('\\n', '\n'))),
    )
    assert.equal(own.filter((line) => held.has(formOf(line))).length, 0)
  })
})

const LEAST = { PERSON: 0.5, LOCATION: 0.5 }

const SAMPLES = [
  'ask Nguyễn Thị Hoa about the refund',
  'kwame boateng signed for the parcel at 14 Ring Road Central, Accra',
  'how do i reset my password',
  'Lupe and Mele share the Tuipulotu account',
  'wire it, says Oyelaran',
  'min-jun, ji-woo and thabo',
]
