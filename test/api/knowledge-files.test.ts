import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { assertConforms } from '../support/conforms.ts'
import { docxParagraph, makeDocx, makePdf } from '../support/made-files.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('POST /knowledge/files', (service) => {
  async function send(agent: TestAgent, body: FormData | string, headers: Record<string, string> = {}) {
    const response = await fetch(`${agent.baseUrl}/knowledge/files`, {
      method: 'POST',
      headers: { ...agent.headers, ...headers },
      body,
    })
    const answer = (await response.json()) as { data: Record<string, unknown>[]; error?: { code: string } }
    await assertConforms(agent.baseUrl, 'POST', '/api/v1/knowledge/files', response.status, answer)
    return { status: response.status, body: answer }
  }
  const form = (files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
    const data = new FormData()
    for (const [name, content] of Object.entries(files)) data.append('files', new Blob([content]), name)
    return data
  }

  it('200: tells of each file what became of it, and what was added is found', async () => {
    const agent = await service.addAgent()
    const files = {
      'docs/returns.md': '# Returns\n\nBicycles can be returned within 30 days.',
      'hours.txt': 'We are open from nine to five.',
      'page.html': '<title>Prices</title><p>A lamp costs 20 euros.</p>',
      'logo.png': 'not read',
      'empty.md': '',
      'russian.txt': new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      'latin.txt': Uint8Array.from(Buffer.from('The caf\xe9 is closed.', 'latin1')),
    }
    const { status, body } = await send(agent, form(files))
    assert.equal(status, 200, JSON.stringify(body))
    const told = body.data.map(({ file, outcome, reason }) => [file, outcome, reason])
    assert.deepEqual(told.slice(0, 4), [
      ['docs/returns.md', 'added', null],
      ['hours.txt', 'added', null],
      ['page.html', 'added', null],
      ['logo.png', 'skipped', 'its format is not read'],
    ])
    assert.deepEqual(told[4]?.slice(0, 2), ['empty.md', 'skipped'])
    assert.deepEqual(told[5], ['russian.txt', 'skipped', 'it is no text in UTF-8'])
    assert.deepEqual(told[6], ['latin.txt', 'added', null])
    assert.deepEqual(body.data[6]?.notes, ['no text in UTF-8: read as Windows-1252'])
    const found = await agent.get('/knowledge/search?q=bicycles')
    assert.equal(found.body.data[0].title, 'Returns')
    const document = await agent.get(`/knowledge/${body.data[1]?.document_id}`)
    assert.deepEqual([document.body.data.title, document.body.data.source], ['hours', 'hours.txt'])
    const acts = await agent.get('/audit?action=knowledge.added')
    assert.equal(acts.body.total, 4)
  })

  it('200: the same files again are unchanged, and changed ones are replaced', async () => {
    const agent = await service.addAgent()
    await send(agent, form({ 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' }))
    const { body } = await send(agent, form({ 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nThree.' }))
    assert.deepEqual(
      body.data.map(({ outcome }) => outcome),
      ['unchanged', 'replaced'],
    )
    assert.equal((await agent.get('/knowledge')).body.total, 2)
  })

  it('200: what documentation is written in is read, and what of it was left out is told, also later', async () => {
    const agent = await service.addAgent()
    const files = {
      'a.md': 'import Part from "./part.mdx"\n\n# Kettles\n\n:::note\nBoil.\n:::\n\n<Part />\n\n![](a.png)',
      'b.rst': 'Lamps\n=====\n\n.. include:: c.rst\n\nThey shine.\n',
      'c.json': '[{"question": "Is it free?", "answer": "Always."}]',
      'd.json': '[1, 2]',
      'e.xhtml': '<?xml version="1.0"?><html><body><title/><h1>Pots</h1><p>They cook.</p></body></html>',
    }
    const includes = { code: 'left_out_includes', values: { count: '1' } }
    const pictures = { code: 'left_out_pictures', values: { count: '1' } }
    const note = 'left out: text included from other files (1)'
    const expected = [
      [note, 'added', [includes, pictures]],
      [note, 'added', [includes]],
      [null, 'added', []],
      ['there is no text in it, only data', 'skipped', []],
      [null, 'added', []],
    ]
    const tell = ({ reason, outcome, notes, left_out }: Record<string, unknown>) => [
      reason ?? (notes as string[])[0] ?? null,
      outcome,
      left_out,
    ]
    const { body } = await send(agent, form(files))
    assert.deepEqual(body.data.map(tell), expected)
    const again = await send(agent, form(files))
    assert.deepEqual(
      again.body.data.map(tell),
      expected.map(([reason, outcome, leftOut]) => [
        reason,
        outcome === 'added' ? 'unchanged' : outcome,
        leftOut,
      ]),
    )
    const id = body.data[0]?.document_id
    const document = await agent.get(`/knowledge/${id}`)
    assert.deepEqual(document.body.data.left_out, [includes, pictures])
    assert.deepEqual(document.body.data.passages, [{ heading: 'Kettles', text: 'Boil.' }])
    const renamed = await agent.patch(`/knowledge/${id}`, { title: 'Pots' })
    assert.deepEqual(renamed.body.data.left_out, [includes, pictures])
    const edited = await agent.patch(`/knowledge/${id}`, { text: '# Kettles\n\nBoil.' })
    assert.deepEqual([edited.body.data.notes, edited.body.data.left_out], [[], []])
    const found = await agent.get('/knowledge/search?q=is%20it%20free')
    assert.equal(found.body.data[0].heading, 'Is it free?')
  })

  it('200: PDF, DOCX and CSV files are read; what was left out is told, and a scan is called one', async () => {
    const agent = await service.addAgent()
    const files = {
      'manual.pdf': makePdf([[{ y: 800, text: 'The boiler hums while it heats the water.' }], []]),
      'scan.pdf': makePdf([[], []]),
      'rules.docx': makeDocx(docxParagraph('Dogs', 'Heading1') + docxParagraph('Dogs may come along.')),
      'faq.csv': 'question,answer,alternates\nWhere can I park?,Behind the bakery.,Is there a garage?\n',
      'broken.csv': 'question,answer\n"open,x\n',
      'bomb.docx': makeDocx(docxParagraph(' '.repeat(5_000_000))),
    }
    const { status, body } = await send(agent, form(files))
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.data.map(({ file, outcome, reason, notes }) => [file, outcome, reason, notes]),
      [
        ['manual.pdf', 'added', null, ['no text, only pictures, on page 2']],
        [
          'scan.pdf',
          'skipped',
          'it has no text, only pictures of pages: it is a scan. Let an OCR program add the text (for example ocrmypdf), and add it again',
          [],
        ],
        ['rules.docx', 'added', null, []],
        ['faq.csv', 'added', null, []],
        ['broken.csv', 'skipped', 'it is no valid CSV at line 2: a quotation mark is not closed', []],
        ['bomb.docx', 'skipped', 'its archive is too large when it is unpacked', []],
      ],
    )
    for (const [question, title, heading] of [
      ['Why does the boiler hum?', 'manual', 'Page 1'],
      ['May dogs come along?', 'Dogs', 'Dogs'],
      ['Is there a garage?', 'faq', 'Where can I park?'],
    ] as const) {
      const found = await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)
      assert.deepEqual([found.body.data[0]?.title, found.body.data[0]?.heading], [title, heading], question)
    }
    const again = await send(agent, form(files))
    assert.deepEqual(
      again.body.data.map(({ outcome, reason }) => [outcome, reason]),
      body.data.map(({ outcome, reason }) => [outcome === 'skipped' ? outcome : 'unchanged', reason]),
    )
  })

  it('200: a new version that cannot be read leaves the one before, and is read once it has changed', async () => {
    const agent = await service.addAgent()
    const good = makePdf([[{ y: 800, text: 'The boiler hums while it heats.' }]])
    for (const [content, outcome] of [
      [good, 'added'],
      [makePdf([[]]), 'skipped'],
      [makePdf([[{ y: 800, text: 'The boiler is silent at last.' }]]), 'replaced'],
    ] as const) {
      const { body } = await send(agent, form({ 'manual.pdf': content }))
      assert.equal(body.data[0]?.outcome, outcome)
      const { body: found } = await agent.get('/knowledge/search?q=boiler')
      assert.match(found.data[0].snippet, outcome === 'replaced' ? /silent/ : /hums/)
    }
  })

  it('400 for no file, other fields, and a body that breaks off; 413 for too many; 415 for another type: nothing is added', async () => {
    const agent = await service.addAgent()
    const fields = form({ 'a.md': '# A' })
    fields.append('title', 'x')
    const many = form(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`${at}.md`, '# A'])))
    const part = '--x\r\ncontent-disposition: form-data; name="f"; filename="a.md"\r\n\r\n# A'
    const broken = `${part}\r\n${part}`
    const before = (await agent.get('/knowledge')).body.total
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    for (const [name, status, answer] of [
      ['none', 400, await send(agent, new FormData())],
      ['fields', 400, await send(agent, fields)],
      ['many', 413, await send(agent, many)],
      ['broken', 400, await send(agent, broken, type)],
      ['no boundary', 400, await send(agent, 'x', { 'content-type': 'multipart/form-data' })],
      ['json', 415, await send(agent, '{}', { 'content-type': 'application/json' })],
    ] as const)
      assert.equal(answer.status, status, `${name}: ${JSON.stringify(answer.body)}`)
    assert.equal((await agent.get('/knowledge')).body.total, before)
  })

  it('429: a team has four uploads at once, and leaves others theirs', async () => {
    const [greedy, good] = [await service.addAgent(), await service.addAgent()]
    const held = Promise.withResolvers<void>()
    const statuses: number[] = []
    const slow = Array.from({ length: 6 }, async () => {
      const head = '--x\r\ncontent-disposition: form-data; name="f"; filename="s.md"\r\n\r\n# Slow\n\nText.'
      const body = async function* () {
        yield Buffer.from(head)
        await held.promise
        yield Buffer.from('\r\n--x--\r\n')
      }
      const response = await fetch(`${greedy.baseUrl}/knowledge/files`, {
        method: 'POST',
        headers: { ...greedy.headers, 'content-type': 'multipart/form-data; boundary=x' },
        body: ReadableStream.from(body()),
        duplex: 'half',
      })
      statuses.push(response.status)
      if (response.status === 429) assert.equal(response.headers.get('retry-after'), '5')
    })
    await becomes(() => statuses, [429, 429])
    const files = form({ 'a.md': '# A\n\nOne.' })
    assert.equal((await send(greedy, files)).status, 429)
    assert.equal((await send(good, files)).status, 200)
    held.resolve()
    await Promise.all(slow)
    assert.deepEqual(statuses, [429, 429, 200, 200, 200, 200])
    assert.equal((await send(greedy, files)).status, 200)
  })
})

onBothEngines(
  'POST /knowledge/files and its limit',
  (service) => {
    const part = (name: string, content: string) =>
      `--x\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n${content}\r\n`
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const text = 'a word '.repeat(3000)

    it('413: more in all than one upload may have, whether its length is told or not', async () => {
      const agent = await service.addAgent()
      const [one, two] = [part('a.txt', text), part('b.txt', text)]
      const send = (body: string | ReadableStream) =>
        fetch(`${agent.baseUrl}/knowledge/files`, {
          method: 'POST',
          headers: { ...agent.headers, ...type },
          body,
          ...(typeof body === 'string' ? {} : { duplex: 'half' }),
        })
      assert.equal((await send(`${one}--x--\r\n`)).status, 200)
      const told = await send(`${one}${two}--x--\r\n`)
      assert.equal(told.status, 413)
      const { error } = (await told.json()) as { error: { code: string; message: string } }
      assert.equal(error.code, 'body_too_large')
      assert.equal(error.message, 'An upload may have at most 32768 bytes.')
      // Refused before anything of it is read.
      assert.equal((await agent.get('/knowledge')).body.total, 1)
      const untold = await send(new Blob([part('c.txt', text), two, '--x--\r\n']).stream())
      assert.equal(untold.status, 413)
      // Nor is the first file of it added.
      assert.equal((await agent.get('/knowledge')).body.total, 1)
    })
  },
  { PARLEY_UPLOAD_LIMIT: '32768' },
)
