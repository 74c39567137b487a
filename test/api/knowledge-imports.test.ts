import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { timestamp } from '../../src/lib/clock.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { makePdf } from '../support/made-files.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { refuse } from '../support/poisoned.ts'
import { endOfImport, type SitePage, sitePage, startSite } from '../support/site.ts'

const answer =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): SitePage =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)

onBothEngines('imports of sites', (service) => {
  const start = async (agent: TestAgent, body: object) => {
    const { status, body: told } = await agent.post('/knowledge/imports', body)
    assert.equal(status, 201, JSON.stringify(told))
    return told.data.id as number
  }
  const importRow = (id: number) =>
    service.app.app.foundation.database.db
      .selectFrom('knowledge_imports')
      .select(['attempts', 'due_at', 'leased_until'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const sources = async (agent: TestAgent, origin: string) =>
    (await agent.get('/knowledge?per_page=100')).body.data
      .map(({ source }: { source: string }) => source.replace(origin, ''))
      .toSorted()

  it('201: the pages of a site become documents, and of each it is told what became of it', async () => {
    const agent = await service.addAgent()
    await using other = await startSite({ '/': sitePage('Other', 'Another site.') })
    await using site = await startSite({
      '/': sitePage('Shop', 'We sell kettles and lamps.', [
        '/returns?utm_source=home#top',
        'hours.html',
        '/manual.pdf',
        '/old',
        '/missing',
        '/hidden',
        '/logo.png',
        '/away',
        '/image',
        '/broken',
        '/latin',
        '/away?to=meta',
        other.url,
        'mailto:ada@example.com',
        'javascript:alert(1)',
      ]),
      '/returns': sitePage('Returns', 'A kettle may be sent back within 30 days.', ['/', '/deep/1']),
      '/deep/1': sitePage('Deep', 'The page below returns.'),
      '/hours.html': sitePage('Hours', 'We are open from nine to five.'),
      '/manual.pdf': answer(
        200,
        { 'content-type': 'application/pdf' },
        makePdf([[{ y: 800, text: 'The boiler hums while it heats.' }]]),
      ),
      '/old': answer(301, { location: '/returns' }),
      '/hidden': `<meta name="robots" content="noindex">${sitePage('Secret', 'Nobody finds this.', ['/deep/2'])}`,
      '/deep/2': sitePage('Second', 'Found through a hidden page.'),
      '/away': answer(302, { location: `${other.url}/` }),
      '/away?to=meta': answer(302, { location: 'http://169.254.169.254/latest/meta-data' }),
      '/image': answer(200, { 'content-type': 'image/png' }, 'x'),
      '/broken': answer(403),
      '/latin': answer(
        200,
        {},
        Buffer.from(
          `<meta charset="iso-8859-1">${sitePage('Gr\xfc\xdfe', 'Sch\xf6n, dass du da bist.')}`,
          'latin1',
        ),
      ),
    })
    const end = await endOfImport(agent, await start(agent, { url: `${site.url}/` }), site.url)
    assert.equal(end.status, 'done', JSON.stringify(end))
    assert.deepEqual(end.pages, {
      '/': 'added',
      '/returns': 'added',
      '/hours.html': 'added',
      '/manual.pdf': 'added',
      '/old': 'skipped: it leads to /returns',
      '/missing': 'skipped: the site answers 404',
      '/hidden': 'skipped: it asks not to be found (noindex)',
      '/away': 'skipped: it leads to another site',
      '/away?to=meta': 'skipped: it leads to another site',
      '/image': 'skipped: its type image/png is not read',
      '/broken': 'skipped: the site answers 403',
      '/latin': 'added',
      '/deep/1': 'added',
      '/deep/2': 'added',
    })
    assert.deepEqual(end.counts, { added: 7, replaced: 0, unchanged: 0, removed: 0, skipped: 7 })
    assert.deepEqual(end.progress, { found: 14, done: 14 })
    assert.deepEqual(other.asked, [], 'no other site is asked')
    const found = await agent.get('/knowledge/search?q=kettle%20sent%20back')
    assert.deepEqual([found.body.data[0].title, found.body.data[0].url], ['Returns', `${site.url}/returns`])
    const skipped = await agent.get(`/knowledge/imports/${end.id}/pages?outcome=skipped&per_page=3`)
    assert.deepEqual([skipped.body.data.length, skipped.body.total], [3, 7])
    const acts = await agent.get('/audit?action=import.finished')
    assert.deepEqual(acts.body.data[0].details, { added: 7, replaced: 0, removed: 0, skipped: 7 })
    assert.equal((await agent.get('/knowledge/imports')).body.data[0].id, end.id)
  })

  it('each page tells what of it was left out, also when it is unchanged', async () => {
    const agent = await service.addAgent()
    const hidden = '<div hidden>Nobody sees this part of the page.</div>'
    await using site = await startSite({
      '/': sitePage('Shop', `We sell kettles. ${hidden}`, ['/plain']),
      '/plain': sitePage('Plain', 'Nothing is hidden here.'),
    })
    const id = await start(agent, { url: `${site.url}/` })
    await endOfImport(agent, id, site.url)
    const leftOut = async () =>
      (await agent.get(`/knowledge/imports/${id}/pages`)).body.data.map((page: Record<string, unknown>) => [
        page.outcome,
        page.notes,
        page.left_out,
      ])
    const note = 'left out: hidden parts (1)'
    const told = [[note], [{ code: 'left_out_hidden', values: { count: '1' } }]]
    assert.deepEqual(await leftOut(), [
      ['added', ...told],
      ['added', [], []],
    ])
    await agent.post(`/knowledge/imports/${id}/crawl`)
    await endOfImport(agent, id, site.url)
    assert.deepEqual(await leftOut(), [
      ['unchanged', ...told],
      ['unchanged', [], []],
    ])
  })

  it('a repeated crawl sorts pages into new, changed, gone and unchanged, and leaves edits of unchanged ones', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({
      '/': sitePage('Shop', 'Welcome.', ['/same', '/changed', '/gone', '/flaky', '/hides', '/edited']),
      '/same': sitePage('Same', 'It stays as it is.'),
      '/changed': sitePage('Changed', 'A lamp costs 20 EUR.'),
      '/gone': sitePage('Gone', 'The sale ends on Friday.'),
      '/flaky': sitePage('Flaky', 'Gift cards never expire.'),
      '/hides': sitePage('Hides', 'An offer for few.'),
      '/edited': sitePage('Edited', 'The bakery has parking spaces.'),
    })
    const id = await start(agent, { url: site.url })
    const first = await endOfImport(agent, id, site.url)
    assert.equal(first.counts.added, 7, JSON.stringify(first.pages))
    const edited = first.rows.find(({ url }) => url.endsWith('/edited'))
    await agent.patch(`/knowledge/${edited?.document_id}`, { text: '# Edited\n\nThe bakery has a garage.' })
    site.pages['/'] = sitePage('Shop', 'Welcome.', ['/same', '/changed', '/new', '/edited'])
    site.pages['/changed'] = sitePage('Changed', 'A lamp costs 25 EUR.')
    site.pages['/new'] = sitePage('New', 'We repair bicycles now.')
    site.pages['/hides'] = `<meta name="robots" content="none">${site.pages['/hides']}`
    delete site.pages['/gone']
    site.pages['/flaky'] = answer(503)
    assert.equal((await agent.post(`/knowledge/imports/${id}/crawl`)).status, 200)
    const second = await endOfImport(agent, id, site.url)
    assert.deepEqual(second.pages, {
      '/': 'unchanged',
      '/same': 'unchanged',
      '/changed': 'replaced',
      '/gone': 'removed: the site answers 404',
      '/flaky': 'skipped: the site answers 503',
      '/hides': 'removed: it asks not to be found (noindex)',
      '/edited': 'unchanged',
      '/new': 'added',
    })
    assert.deepEqual(await sources(agent, site.url), ['/', '/changed', '/edited', '/flaky', '/new', '/same'])
    for (const [question, text] of [
      ['lamp', /25 EUR/],
      ['gift cards', /never expire/],
      ['bakery', /garage/],
    ] as const) {
      const { body } = await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)
      assert.match(body.data[0]?.snippet ?? '', text, question)
    }
    assert.deepEqual((await agent.get('/knowledge/search?q=sale%20friday')).body.data, [])
  })

  it('keeps robots.txt, include, exclude and the limit', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({
      '/robots.txt': answer(
        200,
        { 'content-type': 'text/plain' },
        'User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /help/private\nAllow: /help/private/ok$\nCrawl-delay: 0.01\n',
      ),
      '/': sitePage('Shop', 'Welcome.', [
        '/help/1',
        '/help/2',
        '/help/3',
        '/help/private/x',
        '/help/private/ok',
        '/blog/1',
        '/help/draft-1',
      ]),
      ...Object.fromEntries(
        ['1', '2', '3', 'private/x', 'private/ok', 'draft-1'].map((name) => [
          `/help/${name}`,
          sitePage(`Help ${name}`, `This is the help of ${name}.`),
        ]),
      ),
      '/blog/1': sitePage('Blog', 'News.'),
    })
    const body = { url: site.url, include: ['/help/*'], exclude: ['*/draft*'] }
    const end = await endOfImport(agent, await start(agent, body), site.url)
    assert.deepEqual(end.pages, {
      '/': 'skipped: it matches no pattern of `include`',
      '/help/1': 'added',
      '/help/2': 'added',
      '/help/3': 'added',
      '/help/private/x': 'skipped: robots.txt disallows it',
      '/help/private/ok': 'added',
      '/blog/1': 'skipped: it matches no pattern of `include`',
      '/help/draft-1': 'skipped: it matches a pattern of `exclude`',
    })
    assert.ok(!site.asked.some((path) => /private\/x|draft|blog/.test(path)), String(site.asked))
    const limited = await endOfImport(agent, await start(agent, { ...body, limit: 2 }), site.url)
    assert.deepEqual([limited.stopped_by, limited.counts.skipped], ['limit', 6])
    assert.equal(limited.pages['/help/3'], 'skipped: the limit of pages was reached')
  })

  it('fails when robots.txt cannot be asked for, or no page can be read', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({ '/robots.txt': answer(503), '/': sitePage('Shop', 'Welcome.') })
    const id = await start(agent, { url: site.url, every: '6h' })
    const failed = await endOfImport(agent, id, site.url)
    assert.deepEqual([failed.status, failed.error], ['failed', 'robots.txt: the site answers 503'])
    assert.ok(failed.next_at !== null, 'it is tried again')
    assert.deepEqual(site.asked, [])
    site.pages['/robots.txt'] = answer(404)
    site.pages['/'] = answer(401)
    await agent.post(`/knowledge/imports/${id}/crawl`)
    const empty = await endOfImport(agent, id, site.url)
    assert.deepEqual(
      [empty.status, empty.error, empty.pages],
      ['failed', 'no page could be read: see what became of each', { '/': 'skipped: the site answers 401' }],
    )
  })

  it('skips a page that cannot be stored after three tries, and reads all others', async () => {
    await refuse(
      service.app.app.foundation.database,
      'knowledge_documents',
      'insert',
      `new.source like '%/poisoned'`,
    )
    const agent = await service.addAgent()
    await using site = await startSite({
      '/': sitePage('Start', 'The first page.', ['/poisoned', '/good']),
      '/poisoned': sitePage('Poisoned', 'Cannot be stored.'),
      '/good': sitePage('Good', 'Read after the poisoned one.'),
    })
    const id = await start(agent, { url: site.url })
    for (let failures = 1; failures <= 3; failures++) {
      await becomes(async () => {
        const { attempts, due_at, leased_until } = await importRow(id)
        return attempts > 0 && leased_until === null && (due_at ?? '') > timestamp(service.clock())
      }, true)
      service.pass(60_000)
    }
    const { status, counts, pages } = await endOfImport(agent, id, site.url)
    assert.deepEqual(pages, {
      '/': 'added',
      '/good': 'added',
      '/poisoned': 'skipped: reading it ended the service or failed three times',
    })
    assert.deepEqual([status, counts.added, counts.skipped], ['done', 2, 1])
  })

  it('follows at most five redirects, and no loop', async () => {
    const agent = await service.addAgent()
    const hops = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`/hop/${at}`, answer(302, { location: `/hop/${at + 1}` })]),
    )
    await using site = await startSite({
      ...hops,
      '/': sitePage('Shop', 'Welcome.', ['/hop/0', '/hop/5', '/loop/a', '/self']),
      '/hop/9': sitePage('End', 'The end of the hops.'),
      '/loop/a': answer(302, { location: '/loop/b' }),
      '/loop/b': answer(302, { location: '/loop/a' }),
      '/self': answer(302, { location: '/self' }),
    })
    const { pages } = await endOfImport(agent, await start(agent, { url: site.url }), site.url)
    assert.deepEqual(pages, {
      '/': 'added',
      '/hop/0': 'skipped: it redirects more than 5 times',
      '/hop/5': 'skipped: it leads to /hop/9',
      '/hop/9': 'added',
      '/loop/a': 'skipped: it redirects more than 5 times',
      '/self': 'skipped: it redirects to itself',
    })
  })

  it('is not stopped by pages that are huge, made to be slow, or dead ends of addresses', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({
      '/': sitePage('Shop', 'Welcome.', ['/huge', '/large', '/deep', '/cut', '/last']),
      '/huge': (response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        const piece = Buffer.alloc(1024 * 1024, 'x')
        const more = () => {
          while (!response.destroyed && response.write(piece));
          response.once('drain', more)
        }
        more()
      },
      '/large': sitePage('Large', 'word '.repeat(1_200_000)),
      '/deep': `<h1>Deep</h1>${'<div>'.repeat(300_000)}deep in there`,
      '/cut': (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('<p>half')
        setImmediate(() => response.destroy())
      },
      '/last': sitePage('Last', 'The last page.'),
    })
    const { pages } = await endOfImport(agent, await start(agent, { url: site.url }), site.url)
    assert.deepEqual(pages, {
      '/': 'added',
      '/huge': 'skipped: it is larger than 20 MB',
      '/large': 'skipped: it is larger than 5 MB',
      '/deep': 'added',
      '/cut': 'skipped: the target could not be reached',
      '/last': 'added',
    })
  })

  it('reads sitemaps, their indexes and packed ones, and removes what is no longer listed', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({})
    const list = (paths: string[]) =>
      `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</urlset>`
    const xml = (body: string | Buffer) => answer(200, { 'content-type': 'application/xml' }, body)
    Object.assign(site.pages, {
      '/sitemap.xml': xml(
        `<sitemapindex><sitemap><loc>${site.url}/one.xml</loc></sitemap><sitemap><loc>${site.url}/two.xml.gz</loc></sitemap></sitemapindex>`,
      ),
      '/one.xml': xml(
        list(['/a', '/b']).replace('</urlset>', '<url><loc>http://elsewhere.example/x</loc></url></urlset>'),
      ),
      '/two.xml.gz': xml(gzipSync(list(['/c']))),
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [`/${name}`, sitePage(name, `Page ${name}.`, ['/d'])]),
      ),
    })
    const id = await start(agent, { sitemap: `${site.url}/sitemap.xml` })
    const first = await endOfImport(agent, id, site.url)
    assert.deepEqual(first.pages, { '/a': 'added', '/b': 'added', '/c': 'added', '/d': 'added' })
    site.pages['/one.xml'] = xml(list(['/a']))
    for (const name of ['a', 'c']) site.pages[`/${name}`] = sitePage(name, `Page ${name}.`)
    await agent.post(`/knowledge/imports/${id}/crawl`)
    const second = await endOfImport(agent, id, site.url)
    assert.deepEqual(second.counts, { added: 0, replaced: 0, unchanged: 2, removed: 2, skipped: 0 })
    assert.deepEqual(await sources(agent, site.url), ['/a', '/c'])
    delete site.pages['/one.xml']
    await agent.post(`/knowledge/imports/${id}/crawl`)
    const third = await endOfImport(agent, id, site.url)
    assert.deepEqual(
      [third.status, third.counts.removed],
      ['done', 0],
      'a part of the list is missing: nothing is gone',
    )
    site.pages['/one.xml'] = answer(200, {}, '<h1>We are back soon</h1>')
    await agent.post(`/knowledge/imports/${id}/crawl`)
    const away = await endOfImport(agent, id, site.url)
    assert.deepEqual([away.status, away.counts.removed], ['done', 0], 'a part of the list is an error')
    delete site.pages['/sitemap.xml']
    await agent.post(`/knowledge/imports/${id}/crawl`)
    const last = await endOfImport(agent, id, site.url)
    assert.deepEqual(
      [last.status, last.error],
      ['failed', 'the sitemap cannot be read: the site answers 404'],
    )
    assert.deepEqual(await sources(agent, site.url), ['/a', '/c'])
  })

  it('200 and 204: an import is changed, and deleted with its documents, also while it runs', async () => {
    const agent = await service.addAgent()
    const held: (() => void)[] = []
    await using site = await startSite({
      '/': sitePage('Shop', 'Welcome.', ['/held']),
      '/held': (response) => void held.push(() => response.end(sitePage('Held', 'Late.'))),
    })
    await agent.post('/knowledge', { title: 'Own', content: 'This document was added by hand.' })
    const id = await start(agent, { url: site.url })
    await becomes(() => held.length, 1)
    const { body } = await agent.patch(`/knowledge/imports/${id}`, { every: '2d', limit: 5, include: ['/*'] })
    assert.deepEqual(
      [body.data.every, body.data.limit, body.data.include, body.data.status],
      ['2d', 5, ['/*'], 'running'],
    )
    assert.equal((await agent.call('DELETE', `/knowledge/imports/${id}`)).status, 204)
    for (const release of held) release()
    await becomes(async () => (await agent.get(`/knowledge/imports/${id}`)).status, 404)
    assert.deepEqual(await sources(agent, site.url), ['Own'])
  })

  it('204: a document goes with its import, also when the crawl ended before it noted the page', async () => {
    const agent = await service.addAgent()
    await using site = await startSite({ '/unnoted': sitePage('Unnoted', 'A document without an outcome.') })
    await refuse(
      service.app.app.foundation.database,
      'knowledge_pages',
      'update of outcome',
      `new.url like '%/unnoted'`,
    )
    const id = await start(agent, { url: `${site.url}/unnoted` })
    await becomes(async () => (await importRow(id)).attempts, 1)
    assert.deepEqual(await sources(agent, site.url), ['/unnoted'])
    assert.equal((await agent.call('DELETE', `/knowledge/imports/${id}`)).status, 204)
    await becomes(async () => (await agent.get(`/knowledge/imports/${id}`)).status, 404)
    assert.deepEqual(await sources(agent, site.url), [])
  })

  it('200: how often it is crawled may change while it runs', async () => {
    const agent = await service.addAgent()
    const held: (() => void)[] = []
    await using site = await startSite({
      '/': (response) => void held.push(() => response.end(sitePage('Shop', 'Welcome.'))),
    })
    const id = await start(agent, { url: site.url })
    await becomes(() => held.length, 1)
    await agent.patch(`/knowledge/imports/${id}`, { every: '6h' })
    for (const release of held) release()
    const { next_at } = await endOfImport(agent, id, site.url)
    assert.ok(next_at !== null && Date.parse(next_at) > Date.now())
  })

  it('400, 404 and 409', async () => {
    const agent = await service.addAgent()
    const refused = async (body: object) => (await agent.post('/knowledge/imports', body)).body.error?.param
    assert.deepEqual(
      await Promise.all([
        refused({}),
        refused({ url: 'http://example.com', sitemap: 'http://example.com/s.xml' }),
        refused({ url: 'ftp://example.com' }),
        refused({ url: 'http://10.0.0.1/' }),
        refused({ url: 'http://example.com', limit: 0 }),
        refused({ url: 'http://example.com', every: '5m' }),
        refused({ url: 'http://example.com', includes: [] }),
      ]),
      ['url', 'sitemap', 'url', 'url', 'limit', 'every', 'includes'],
    )
    for (const id of ['1000000', 'x'])
      for (const answer of [
        await agent.get(`/knowledge/imports/${id}`),
        await agent.get(`/knowledge/imports/${id}/pages`),
        await agent.patch(`/knowledge/imports/${id}`, { limit: 3 }),
        await agent.post(`/knowledge/imports/${id}/crawl`),
        await agent.call('DELETE', `/knowledge/imports/${id}`),
      ])
        assertError(answer, 404, 'import_not_found')
  })
})
