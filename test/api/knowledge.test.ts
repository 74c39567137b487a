import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines('/knowledge', (service) => {
  const returns = {
    title: 'Returns',
    url: 'https://example.com/returns',
    content:
      '# Returns\n\n## How long?\n\nYou may return a kettle within 30 days.\n\n## Who pays?\n\nWe pay the postage.',
  }

  it('201: adds a document; 200: replaces the one of the same address', async () => {
    const agent = await service.addAgent()
    const first = await agent.post('/knowledge', returns)
    assert.equal(first.status, 201, first.text)
    const again = await agent.post('/knowledge', returns)
    assert.deepEqual([again.status, again.body.data.id], [200, first.body.data.id])
    const changed = await agent.post('/knowledge', { ...returns, content: '# Returns\n\nWithin 60 days.' })
    assert.equal(changed.status, 200)
    const read = await agent.get(`/knowledge/${first.body.data.id}`)
    assert.match(JSON.stringify(read.body.data.passages), /60 days/)
    assert.ok(!read.text.includes('30 days'))
    assert.equal((await agent.get('/knowledge')).body.total, 1)
  })

  it('a document is known by its source: of one title and of no address there may be many', async () => {
    const agent = await service.addAgent()
    const post = (source: string | undefined, content: string) =>
      agent.post('/knowledge', { ...(source ? { source } : {}), title: 'Introduction', content })
    const [a, b, none] = [
      await post('a.md', 'apples'),
      await post('b.md', 'bears'),
      await post(undefined, 'cats'),
    ]
    assert.deepEqual([a.status, b.status, none.status], [201, 201, 201])
    assert.deepEqual(
      [a, b, none].map(({ body }) => body.data.source),
      ['a.md', 'b.md', 'Introduction'],
    )
    const again = await post('b.md', 'beavers')
    assert.deepEqual([again.status, again.body.data.id], [200, b.body.data.id])
    const listed = (await agent.get('/knowledge')).body.data
    assert.deepEqual(
      listed.map(({ source }: { source: string }) => source),
      ['Introduction', 'b.md', 'a.md'],
    )
    assert.equal((await agent.get(`/knowledge/${a.body.data.id}`)).body.data.source, 'a.md')
    const addressed = await agent.post('/knowledge', returns)
    assert.equal(addressed.body.data.source, returns.url)
    for (const source of ['', 7, 'a\u0000', 'x'.repeat(501)])
      assertError(
        await agent.post('/knowledge', { source, title: 't', content: 'c' }),
        400,
        'invalid_request',
      )
  })

  it('201: front matter gives the title and the address; MDX', async () => {
    const agent = await service.addAgent()
    const content = '---\ntitle: Ports\nurl: https://example.com/ports\n---\nimport A from "a"\n\nPick one.'
    const { status, body } = await agent.post('/knowledge', { content, format: 'mdx' })
    assert.equal(status, 201)
    const { title, url, source } = body.data
    assert.deepEqual(
      [title, url, source],
      ['Ports', 'https://example.com/ports', 'https://example.com/ports'],
    )
    const { passages } = (await agent.get(`/knowledge/${body.data.id}`)).body.data
    assert.deepEqual(passages, [{ heading: '', text: 'Pick one.' }])
  })

  it('201: HTML, with its own title and without what surrounds it', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.post('/knowledge', {
      format: 'html',
      content: `<html><head><title>Kettle &amp; Co</title><script>var hidden = 1</script></head><body>
        <nav>Home | Shop</nav><h1>Warranty</h1><p>Two years on <b>every</b> kettle.</p>
        <ul><li>Lid</li><li>Handle</li></ul><footer>Imprint</footer></body></html>`,
    })
    assert.equal(status, 201)
    assert.equal(body.data.title, 'Kettle & Co')
    const text = JSON.stringify((await agent.get(`/knowledge/${body.data.id}`)).body.data.passages)
    assert.match(text, /Two years on every kettle\./)
    assert.match(text, /Lid/)
    assert.ok(!/hidden|Imprint|Shop/.test(text))
  })

  it('201: markdown is named by its first heading, however many blanks that has', async () => {
    const agent = await service.addAgent()
    const content = `\`\`\`\n# no heading\n\`\`\`\n# The **kettle**${' '.repeat(100_000)}boils ##\nIt does.`
    const { status, body } = await agent.post('/knowledge', { content })
    assert.deepEqual([status, body.data.title], [201, 'The kettle boils'])
  })

  it('an FAQ entry is found by its other questions', async () => {
    const agent = await service.addAgent()
    await agent.post('/knowledge', {
      title: 'How do I reset my password?',
      content: 'Press "Forgotten" on the sign-in page.',
      questions: ['I cannot log in', 'lost my credentials'],
    })
    await agent.post('/knowledge', returns)
    const { body } = await agent.get(`/knowledge/search?q=${encodeURIComponent('my credentials are lost')}`)
    assert.equal(body.data[0].title, 'How do I reset my password?')
  })

  for (const [language, content, question] of [
    ['Japanese', '返品は三十日以内に可能です。', '返品はできますか'],
    ['Thai', 'คุณสามารถคืนสินค้าได้ภายในสามสิบวัน', 'คืนสินค้าได้ไหม'],
    ['accents', 'Le délai de rétractation est de trente jours.', 'quel est le delai de retractation'],
  ] as const) {
    it(`finds words of ${language}`, async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: language, content })
      const { body } = await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)
      assert.equal(body.data[0]?.title, language)
    })
  }

  it('a document of very many different words is replaced and deleted as any other', async () => {
    const agent = await service.addAgent()
    const words = Array.from({ length: 70_000 }, (_, n) => `w${n.toString(36)}`).join(' ')
    const { status, body } = await agent.post('/knowledge', { title: 'words', content: words })
    assert.equal(status, 201)
    const replaced = await agent.post('/knowledge', { title: 'words', content: `${words} more` })
    assert.equal(replaced.status, 200, replaced.text)
    assert.equal((await agent.call('DELETE', `/knowledge/${body.data.id}`)).status, 204)
    assert.deepEqual((await agent.get('/knowledge/search?q=w1x')).body.data, [])
  })

  it('a document is known by its address, however long that is', async () => {
    const agent = await service.addAgent()
    const characters = Array.from({ length: 2000 }, () =>
      String.fromCharCode(0x4e00 + Math.random() * 20_000),
    )
    const url = `https://example.com/${characters.join('')}`
    const first = await agent.post('/knowledge', { ...returns, url })
    const again = await agent.post('/knowledge', { ...returns, url, content: 'Within 60 days.' })
    assert.deepEqual([first.status, again.status, again.body.data.id], [201, 200, first.body.data?.id])
    assert.equal((await agent.post('/knowledge', { ...returns, url: `${url}x` })).status, 201)
  })

  it('400: more sections than can be written at once', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.post('/knowledge', {
      title: 't',
      content: '# a\nb\n'.repeat(20_001),
    })
    assert.deepEqual([status, body.error.param], [400, 'content'])
  })

  it('400: so many other questions of so many sections that the index would grow without end', async () => {
    const agent = await service.addAgent()
    const questions = Array.from({ length: 50 }, (_, at) => `question of number ${at}`)
    const content = '# a\nb\n'.repeat(2000)
    const { status, body } = await agent.post('/knowledge', { title: 't', content, questions })
    assert.deepEqual([status, body.error.param], [400, 'questions'])
  })

  it('400: no content, no title, wrong format or address', async () => {
    const agent = await service.addAgent()
    for (const wrong of [
      {},
      { title: 'x' },
      { content: '' },
      { content: 'no title anywhere' },
      { title: 'x', content: '<p></p>', format: 'html' },
      { title: 'x', content: '# a heading alone' },
      { title: 'x', content: 'y', format: 'pdf' },
      { title: 'x', content: 'y', url: 'javascript:alert(1)' },
      { title: 'x', content: 'y', colour: 'red' },
    ])
      assertError(await agent.post('/knowledge', wrong), 400, 'invalid_request')
    for (const query of ['', '?q=', '?q=%20%20'])
      assertError(await agent.get(`/knowledge/search${query}`), 400, 'invalid_request')
  })

  it('404 for what is not there and for what is of others; 204: deletes', async () => {
    const [agent, other] = [await service.addAgent(), await service.addAgent()]
    const { id } = (await agent.post('/knowledge', returns)).body.data
    for (const wrong of [id, 999_999, 'x', '0']) {
      assertError(await other.get(`/knowledge/${wrong}`), 404, 'document_not_found')
      assertError(await other.call('DELETE', `/knowledge/${wrong}`), 404, 'document_not_found')
    }
    assert.equal((await other.get('/knowledge')).body.total, 0)
    assert.deepEqual((await other.get('/knowledge/search?q=kettle')).body.data, [])
    assert.equal((await agent.call('DELETE', `/knowledge/${id}`)).status, 204)
    assert.deepEqual((await agent.get('/knowledge/search?q=kettle')).body.data, [])
    assert.equal((await fetch(`${agent.baseUrl}/knowledge`)).status, 403)
  })

  it('what stands in several documents is found once, and leaves room for others', async () => {
    const agent = await service.addAgent()
    const content = 'A kettle can be returned for 30 days, in its box and with the receipt.'
    for (let page = 1; page <= 12; page++) await agent.post('/knowledge', { title: `Page ${page}`, content })
    await agent.post('/knowledge', { title: 'Other', content: 'Our museum shows the first kettle.' })
    const { body } = await agent.get('/knowledge/search?q=return%20a%20kettle')
    const titles = body.data.map(({ title }: { title: string }) => title)
    assert.deepEqual([titles.length, titles.at(-1)], [2, 'Other'])
  })

  it('a language model is given what fits, and the answer cites what it used of it', async () => {
    const agent = await service.addAgent()
    await agent.post('/knowledge', returns)
    service.model.next({ text: 'Within 30 days [1].' })
    const answer = await agent.prompt('How long may I return a kettle?')
    const asked = service.model.requests[0]?.body.messages.at(-1)
    assert.equal(asked?.role, 'user')
    assert.match(String(asked?.content), /within 30 days.*How long may I return a kettle\?$/s)
    assert.equal((answer.citations as { url: string }[])[0]?.url, 'https://example.com/returns#how-long')
    await agent.prompt('zzz qqq')
    assert.ok(!JSON.stringify(service.model.requests[1]?.body.messages).includes('30 days'))
  })
})

onBothEngines(
  'answers from knowledge without a model',
  (service) => {
    it('with the passage and where it stands, or that it does not know', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', {
        title: 'Returns',
        url: 'https://example.com/returns',
        content: '# Returns\n\nYou may return a kettle within 30 days of delivery.',
      })
      const answer = await agent.prompt('When may I return a kettle?')
      assert.match(String(answer.choices[0].message.content), /30 days/)
      assert.equal((answer.citations as unknown[]).length, 1)
      const unknown = await agent.prompt('Who won the football match yesterday?')
      assert.deepEqual(unknown.citations, [])
    })

    it('and rules know how well it fits', async () => {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: 'You may return a kettle within 30 days.' })
      const condition = { field: 'retrieval.score', op: 'gte', value: 0.5 }
      await agent.post('/ctas', { name: 'C', content: 'Found', condition })
      const shown = async (content: string, stream: boolean) =>
        (
          await agent.post('/chat/completions', { messages: [{ role: 'user', content }], stream })
        ).text.includes('"content":"Found"')
      for (const stream of [false, true]) {
        assert.equal(await shown('When may I return a kettle?', stream), true)
        assert.equal(await shown('Who won the football match yesterday?', stream), false)
      }
    })
  },
  { PARLEY_MODEL_URL: '' },
)
