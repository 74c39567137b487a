import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatOfFile } from '../../../src/knowledge/formats/file-format.ts'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'

const read = (value: unknown) =>
  readDocument(typeof value === 'string' ? value : JSON.stringify(value), 'json')
const passagesOf = (value: unknown) => read(value).passages.map(({ path, text }) => [path.join(' › '), text])

describe('JSON', () => {
  it('of questions and answers is entries, with other ways to ask', () => {
    const faq = [
      {
        id: 1,
        question: 'How do I pay?',
        answer: '<p>By <b>card</b>.</p>',
        alternates: ['Payment', 'Cards'],
      },
      { q: 'May dogs come?', a: 'Yes, *on a leash*.', category: 'Visits' },
    ]
    const entries = [
      ['How do I pay?', 'By card.'],
      ['May dogs come?', 'Yes, on a leash.\n\n- category: Visits'],
    ]
    assert.deepEqual(passagesOf(faq), entries)
    assert.deepEqual(passagesOf(faq.map((entry) => JSON.stringify(entry)).join('\n')), entries)
    assert.deepEqual(read(faq).passages[0]?.questions, ['Payment', 'Cards'])
    assert.equal(read(faq).title, null)
    assert.deepEqual(
      passagesOf({ faq }).map(([path]) => path),
      ['faq › How do I pay?', 'faq › May dogs come?'],
    )
  })

  it('of titles and texts is entries, whose own headings stand below them', () => {
    const page = { title: 'Returns', body: 'Send it back.\n\n## Refunds\n\nWithin a week.', url: '/returns' }
    assert.deepEqual(passagesOf(page), [
      ['Returns', 'Send it back.'],
      ['Returns › Refunds', 'Within a week.'],
    ])
    assert.equal(read(page).title, 'Returns')
  })

  it('of an OpenAPI document has a section for each operation', () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Kettle API', description: 'All about kettles.' },
      paths: {
        '/kettles/{id}': {
          parameters: [{ $ref: '#/components/parameters/id' }],
          patch: {
            summary: 'Change a kettle',
            description: 'It keeps *boiling*.',
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/kettle' } } },
            },
            responses: { 200: { description: 'Changed.' }, 404: { $ref: 'other.json#/x' } },
          },
        },
      },
      components: {
        parameters: { id: { name: 'id', in: 'path', required: true, description: 'Which one.' } },
        schemas: { kettle: { required: ['litres'], properties: { litres: { description: 'How much.' } } } },
      },
    }
    assert.deepEqual(passagesOf(document), [
      ['Kettle API', 'All about kettles.'],
      [
        'Kettle API › Change a kettle (PATCH /kettles/{id})',
        'PATCH /kettles/{id}\n\nIt keeps boiling.\n\nParameters:\n- id (path, required): Which one.\n\nBody:\n- litres (required): How much.\n\nAnswers:\n- 200: Changed.\n- 404',
      ],
    ])
  })

  it('of an OpenAPI document names the fields of schemas that are made of others, and of items', () => {
    const field = (name: string) => ({
      required: [name],
      properties: { [name]: { description: `The ${name}.` } },
    })
    const schemas = {
      base: { ...field('id'), allOf: [{ $ref: '#/components/schemas/base' }] },
      kettle: { allOf: [{ $ref: '#/components/schemas/base' }, field('litres')] },
    }
    const kettle = { $ref: '#/components/schemas/kettle' }
    const linesOf = (schema: unknown) =>
      passagesOf({
        openapi: '3.1.0',
        paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
        components: { schemas },
      })[0]?.[1]
        ?.split('\n')
        .filter((line) => line.startsWith('- '))
    const lines = ['- id (required): The id.', '- litres (required): The litres.']
    assert.deepEqual(linesOf(kettle)?.toSorted(), lines)
    assert.deepEqual(linesOf({ type: 'array', items: kettle })?.toSorted(), lines)
    assert.deepEqual(linesOf({ oneOf: [field('id'), field('litres')] }), lines)
    assert.deepEqual(linesOf({ anyOf: [field('litres'), kettle] })?.toSorted(), lines)
  })

  it('of an OpenAPI document does not grow by its references without a bound', () => {
    const fields = Array.from({ length: 20 }, (_, at) => [`field${at}`, { description: 'x'.repeat(2000) }])
    const operation = {
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/large' } } } },
    }
    const paths = Array.from({ length: 500 }, (_, at) => [`/things/${at}`, { post: operation }])
    const document = {
      openapi: '3.1.0',
      paths: Object.fromEntries(paths),
      components: { schemas: { large: { properties: Object.fromEntries(fields) } } },
    }
    const { passages, notes } = read(document)
    const { length } = JSON.stringify(document)
    const characters = passages.reduce((sum, { text }) => sum + text.length, 0)
    assert.ok(characters < 150_000 + 5 * length, `${characters} of ${length}`)
    assert.equal(passages.filter(({ text }) => text.startsWith('POST /things/')).length, 500)
    assert.match(notes.join(), /^left out: parameters, fields and answers of operations \(\d+\)$/)
  })

  it('of anything else is sections and lines named by their keys, and tables', () => {
    const value = {
      shop: { openingHours: 'Monday to Friday', max_items: 5, tags: ['tea', 'coffee'] },
      plans: [
        { plan: 'Team', price: 29 },
        { plan: 'Solo', price: null },
      ],
    }
    assert.deepEqual(passagesOf(value), [
      ['shop', '- opening Hours: Monday to Friday\n- max items: 5\n- tags: tea, coffee'],
      ['plans', '- plan: Team; price: 29\n- plan: Solo'],
    ])
  })

  it('takes the markup out of short values, and keeps long ones in tables', () => {
    const long = 'It boils. '.repeat(40).trim()
    const value = {
      shop: { opening: '<p>Monday <b>to</b><br>Friday</p>', tags: ['<b>tea</b>', 'a < b'] },
      plans: [
        { plan: '<b>Team</b>', about: long },
        { plan: 'Solo', about: 'a\nb' },
      ],
    }
    const { passages } = read(value)
    const all = passages.map(({ text }) => text).join('\n')
    assert.doesNotMatch(all, /<\/?[pb]/)
    for (const text of [
      'Monday',
      '- tags: tea, a < b',
      `plan: Team; about: ${long}`,
      'plan: Solo; about: a b',
    ])
      assert.ok(all.includes(text), `${text} in ${all}`)
  })

  it('that is broken, or holds only data, is refused with the reason', () => {
    for (const [source, message] of [
      ['{"a": ', 'it is no valid JSON'],
      ['{"a": "b"}\n{"a": ', 'it is no valid JSON at line 2'],
      ['[[1, 2], [3, null]]', 'there is no text in it, only data'],
      ['{}', 'there is no text in it, only data'],
    ] as const)
      assert.throws(() => read(source), { message })
  })

  it('of too many entries is cut, and says so', () => {
    const many = Array.from({ length: 20_100 }, (_, at) => ({ q: `Question ${at}?`, a: 'Yes.' }))
    const { passages, notes } = read(many)
    assert.ok(passages.length < 20_000)
    assert.deepEqual(notes, ['left out: what follows after 20000 entries'])
  })

  it('takes time in line with its length, however deep or wide it is', () => {
    for (const source of [
      `${'['.repeat(100_000)}"a b"${']'.repeat(100_000)}`,
      `${'{"a":'.repeat(100_000)}"a b"${'}'.repeat(100_000)}`,
      `[${'"a b",'.repeat(100_000)}"c"]`,
      `[${'{"a":"b c"},'.repeat(50_000)}{"d":"e f"}]`,
      `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":{"x":"a b"}`).join(',')}}`,
    ]) {
      const started = process.cpuUsage()
      try {
        read(source)
      } catch (error) {
        assert.match(String(error), /only data/)
      }
      assert.ok(process.cpuUsage(started).user < 2000_000)
    }
  })

  it('reads any JSON, or refuses it', () => {
    fc.assert(
      fc.property(fc.json(), (source) => {
        try {
          read(source)
        } catch (error) {
          assert.match(String(error), /only data/)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is known by its name', () =>
    assert.deepEqual(['a.json', 'a.jsonl', 'a.ndjson'].map(formatOfFile), ['json', 'json', 'json']))
})
