import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawing } from '../support/chance.ts'
import { engines } from '../support/databases.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { endOfImport, sitePage, startSite } from '../support/site.ts'

const PAGES = Array.from({ length: 8 }, (_, at) => `/page/${at}`)

for (const engine of engines)
  describe(`kill -9 in the middle of a crawl, on ${engine}`, () => {
    it('another process goes on at the page: each becomes one document, and none is asked for again that was read', async () => {
      let held = Promise.withResolvers<void>()
      let holdsAt = ''
      const page = (path: string) => sitePage(path, `This is the text of ${path}.`)
      await using site = await startSite({
        '/': sitePage('Start', 'Where the crawl begins.', PAGES),
        ...Object.fromEntries(
          PAGES.map((path) => [
            path,
            (response) => {
              if (path === holdsAt) return held.resolve()
              response.writeHead(200, { 'content-type': 'text/html' }).end(page(path))
            },
          ]),
        ),
      })
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, { PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      let imported = 0
      const draw = drawing()
      const half = PAGES.length / 2
      const heldPages = [draw(0, half - 1), draw(half, PAGES.length - 1)].map((at) => PAGES[at] ?? '')
      for (const path of heldPages) {
        holdsAt = path
        held = Promise.withResolvers()
        if (imported === 0) {
          const { body, text } = await agentOf(service).post('/knowledge/imports', { url: site.url })
          assert.ok(body.data, text)
          imported = body.data.id
        }
        await held.promise
        const { body } = await agentOf(service).get(`/knowledge/imports/${imported}`)
        assert.deepEqual([body.data.status, body.data.progress.found], ['running', 9])
        const { signal } = await service.end('SIGKILL')
        assert.equal(signal, 'SIGKILL')
        service = await startService(env)
      }
      holdsAt = ''
      const agent = agentOf(service)
      const { status, counts, pages } = await endOfImport(agent, imported, site.url)
      assert.equal(status, 'done')
      assert.deepEqual(counts, { added: 9, replaced: 0, unchanged: 0, removed: 0, skipped: 0 })
      assert.deepEqual(pages, Object.fromEntries(['/', ...PAGES].map((path) => [path, 'added'])))
      const { body } = await agent.get('/knowledge?per_page=100')
      assert.equal(body.total, 9)
      const asked = (path: string) => site.asked.filter((one) => one === path).length
      assert.deepEqual(
        PAGES.map(asked),
        PAGES.map((path) => (heldPages.includes(path) ? 2 : 1)),
      )
      await service.end('SIGTERM')
      await database.remove()
    })
  })
