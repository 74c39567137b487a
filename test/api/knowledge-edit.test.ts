import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('PATCH /knowledge/{id}', (service) => {
  const entry = {
    title: 'How do I reset my password?',
    content: '# Sign in\n\nPress "Forgotten" on the sign-in page.',
    url: 'https://example.com/sign-in',
    questions: ['lost my credentials'],
  }

  async function add(agent: TestAgent, document: object): Promise<number> {
    const { status, body, text } = await agent.post('/knowledge', document)
    assert.equal(status, 201, text)
    return body.data.id
  }

  const read = async (agent: TestAgent, id: number) => (await agent.get(`/knowledge/${id}`)).body.data

  async function titles(agent: TestAgent, question: string): Promise<string[]> {
    const { body } = await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)
    return body.data.map(({ title }: { title: string }) => title)
  }

  const edit = (agent: TestAgent, id: number | string, patch: unknown) =>
    agent.call('PATCH', `/knowledge/${id}`, patch)

  it('GET tells the text as it was read, of HTML as Markdown, and its passages', async () => {
    const agent = await service.addAgent()
    const markdown = '---\ntitle: Ports\n---\n# Which?\n\nPick *one*.\r\n'
    const mdx = 'import A from "a"\n\n<A>Pick two.</A>'
    const html = '<head><title>Lid</title></head><nav>Home</nav><h1>Care</h1><p>Wash it by <b>hand</b>.</p>'
    for (const [given, text, format, passage] of [
      [{ content: markdown }, markdown, 'markdown', 'Pick one.'],
      [{ title: 'M', content: mdx, format: 'mdx' }, mdx, 'mdx', 'Pick two.'],
      [{ title: 'T', content: 'One & two', format: 'text' }, 'One & two', 'text', 'One & two'],
      [{ content: html, format: 'html' }, '# Care\n\nWash it by hand.', 'markdown', 'Wash it by hand.'],
    ] as const) {
      const document = await read(agent, await add(agent, given))
      assert.deepEqual([document.text, document.format, document.edited_at], [text, format, null])
      assert.equal(document.passages[0].text, passage)
      const again = await edit(agent, document.id, { text: `${document.text}\n\nAnd more.` })
      assert.equal(again.status, 200, again.text)
      assert.equal(again.body.data.title, document.title)
      assert.match(JSON.stringify(again.body.data.passages), /And more\./)
      assert.ok(JSON.stringify(again.body.data.passages).includes(passage), again.text)
    }
  })

  it('200: what is not named stays: id, source, address and other questions; searches find the new text', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const { status, body } = await edit(agent, id, { text: 'Write to the help desk.' })
    assert.equal(status, 200)
    const { title, url, source, text, questions, passages } = body.data
    assert.deepEqual(
      { id: body.data.id, title, url, source, text, questions, passages },
      {
        id,
        title: entry.title,
        url: entry.url,
        source: entry.url,
        text: 'Write to the help desk.',
        questions: entry.questions,
        passages: [{ heading: '', text: 'Write to the help desk.' }],
      },
    )
    assert.ok(body.data.edited_at)
    assert.deepEqual(await read(agent, id), body.data)
    assert.deepEqual(await titles(agent, 'lost credentials'), [entry.title])
    assert.deepEqual(await titles(agent, 'forgotten'), [])
    assert.equal((await agent.get('/knowledge')).body.total, 1)
  })

  it('200: title, address and other questions change what is found and cited', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const patch = { title: 'Lost accounts', url: null, questions: ['who stole my account'] }
    const { status, body } = await edit(agent, id, patch)
    assert.equal(status, 200)
    const { title, url, source, questions, text } = body.data
    assert.deepEqual(
      { title, url, source, questions, text },
      { ...patch, source: entry.url, text: entry.content },
    )
    assert.deepEqual(await titles(agent, 'credentials'), [])
    assert.deepEqual(await titles(agent, 'account stolen'), ['Lost accounts'])
  })

  it('200: the same again changes nothing; adding the document again replaces what was edited', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const first = await edit(agent, id, { text: 'New.' })
    for (const same of [{ text: 'New.' }, { title: entry.title, questions: entry.questions }, {}])
      assert.deepEqual((await edit(agent, id, same)).body, first.body)
    const { body } = await agent.get('/audit?action=knowledge.changed')
    assert.deepEqual(
      body.data.map(({ target, details }: Record<string, unknown>) => [target, details]),
      [[`document ${id}`, { fields: ['text'] }]],
    )
    assert.equal((await agent.post('/knowledge', entry)).status, 200)
    const { text, edited_at } = await read(agent, id)
    assert.deepEqual([text, edited_at], [entry.content, null])
  })

  it('200: edits at once are all kept', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const answers = await Promise.all([
      edit(agent, id, { text: 'Ask Ann.' }),
      edit(agent, id, { title: 'Passwords' }),
      edit(agent, id, { questions: ['pin'] }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    const { title, text, questions, passages } = await read(agent, id)
    assert.deepEqual({ title, text, questions }, { title: 'Passwords', text: 'Ask Ann.', questions: ['pin'] })
    assert.equal(passages.length, 1)
  })

  it('200: an edit of a text of hundreds of passages', async () => {
    const agent = await service.addAgent()
    const sections = (word: string) => Array.from({ length: 120 }, (_, at) => `# S${at}\n\n${word} n${at}`)
    const id = await add(agent, { title: 'Book', content: sections('alpha').join('\n\n') })
    const { status, body } = await edit(agent, id, { text: sections('beta').join('\n\n') })
    assert.deepEqual([status, body.data.passages.length], [200, 120])
    assert.deepEqual(await titles(agent, 'alpha'), [])
  })

  it('a document from before texts were kept has none, and is edited with its whole text', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const { db } = service.app.app.foundation.database
    await db.deleteFrom('knowledge_texts').where('document_id', '=', id).execute()
    const { text, format, questions, passages } = await read(agent, id)
    assert.deepEqual([text, format, questions], [null, null, null])
    assert.equal(passages.length, 1)
    const refused = await edit(agent, id, { title: 'Passwords' })
    assertError(refused, 400, 'invalid_request')
    assert.equal(refused.body.error.param, 'text')
    const { body } = await edit(agent, id, { title: 'Passwords', text: 'Ask Ann.' })
    assert.deepEqual(
      [body.data.title, body.data.text, body.data.format],
      ['Passwords', 'Ask Ann.', 'markdown'],
    )
  })

  it('400: no text, a wrong address, what is not known; nothing changes', async () => {
    const agent = await service.addAgent()
    const id = await add(agent, entry)
    const before = await read(agent, id)
    for (const [wrong, param] of [
      [{ text: '' }, 'text'],
      [{ text: '# A heading alone' }, 'text'],
      [{ text: null }, 'text'],
      [{ text: 'a\u0000' }, 'text'],
      [{ title: '' }, 'title'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ questions: [''] }, 'questions.0'],
      [{ source: 'other' }, 'source'],
      [{ text: '# a\nb\n'.repeat(20_001) }, 'text'],
    ] as const) {
      const answer = await edit(agent, id, wrong)
      assertError(answer, 400, 'invalid_request')
      assert.equal(answer.body.error.param, param, answer.text)
    }
    assert.deepEqual(await read(agent, id), before)
  })

  it('404 for what is not there, was deleted, or is of others', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const id = await add(agent, entry)
    for (const wrong of [id, 999_999, 'x', '0'])
      assertError(await edit(other, wrong, { text: 'New.' }), 404, 'document_not_found')
    await agent.call('DELETE', `/knowledge/${id}`)
    assertError(await edit(agent, id, { text: 'New.' }), 404, 'document_not_found')
    const { db } = service.app.app.foundation.database
    const kept = await db.selectFrom('knowledge_texts').selectAll().where('document_id', '=', id).execute()
    assert.deepEqual(kept, [])
  })
})
