import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { keepAssets, keptAssetsIn } from '../../src/console/keep-assets.ts'
import { serveConsole } from '../../src/console/serve-console.ts'
import { createServer } from '../../src/http/server.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const options = {
  logger: pino({ level: 'silent' }),
  bodyLimit: 1000,
  trustedProxies: [],
  isUnavailable: () => false,
}

/**
 * Creates a server of only the console's pages.
 * @param kept the folder of the assets of earlier versions
 * @param built the folder of the pages, if it is not the build's
 */
function serve(kept = 'none', built?: string) {
  const server = createServer(options)
  serveConsole(server, kept, built)
  return server
}

describe('pages of the console', () => {
  const server = serve()
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.inject({ url, headers: { host: 'localhost', ...headers } })
  before(() => server.ready())
  after(() => server.close())

  it('302: the first address leads there', async () => {
    const answer = await get('/')
    assert.equal(answer.statusCode, 302)
    assert.equal(answer.headers.location, '/console')
  })

  for (const path of ['/console', '/console/', '/console/join', '/console/agents/1/settings/people?x=1'])
    it(`200: ${path} is the document`, async () => {
      const answer = await get(path)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['content-type']), /^text\/html/)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(answer.body, /<div id="root">/)
    })

  it('200: the policy allows what this service serves, and styles with the nonce of this answer', async () => {
    const answers = [await get('/console'), await get('/console')]
    const nonces = answers.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy'])
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? []
      assert.ok(body.includes(`nonce="${nonce}"`), policy)
      assert.match(policy, /^default-src 'self';.*frame-ancestors 'none'$/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.doesNotMatch(body, /<script(?![^>]* src=)|<style| on\w+=|https?:\/\//)
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
  })

  it('200: scripts never change, and arrive compressed', async () => {
    const { body } = await get('/console')
    const [, script = ''] = /href="(\/console\/assets\/console-[^"]+\.js)"/.exec(body) ?? []
    const plain = await get(script)
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(plain.headers['content-type']), /javascript/)
    const compressed = await get(script, { 'accept-encoding': 'gzip, br' })
    assert.equal(compressed.headers['content-encoding'], 'br')
    assert.ok(compressed.rawPayload.length < plain.rawPayload.length / 2)
  })

  for (const path of [
    '/console/assets/none.js',
    '/console/assets/..%2findex.html',
    '/console/api',
    '/console/api/none',
    '/consoles',
  ])
    it(`404: ${path}`, async () => {
      const answer = await get(path)
      assert.equal(answer.statusCode, 404, answer.body)
      assert.equal(answer.json().error.code, 'not_found')
    })

  it('404: what is posted to a page', async () => {
    const answer = await server.inject({ method: 'POST', url: '/console', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 404)
  })

  it('200: what an earlier version had, for seven days after the first start without it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-upgraded-'))
    const build = async (name: string, files: Record<string, string>) => {
      await mkdir(join(folder, name, 'assets'), { recursive: true })
      await writeFile(join(folder, name, 'index.html'), '<html></html>')
      for (const [file, text] of Object.entries(files))
        await writeFile(join(folder, name, 'assets', file), text)
      return join(folder, name)
    }
    const first = await build('first', { 'a-1.js': 'first', 'a-1.js.br': 'packed', 'b-1.js': 'both' })
    const second = await build('second', { 'a-2.js': 'second', 'b-1.js': 'both' })
    const upgradedMs = 90 * DAY_MS
    /** Starts a version, and returns its answers to requests for scripts. */
    const started = async (built: string, atMs: number) => {
      await keepAssets(folder, atMs, built)
      const server = serve(keptAssetsIn(folder), built)
      const answers = await Promise.all(
        ['a-1.js', 'a-2.js', 'b-1.js'].map((name) =>
          server.inject({ url: `/console/assets/${name}`, headers: { host: 'localhost' } }),
        ),
      )
      const packed = await server.inject({
        url: '/console/assets/a-1.js',
        headers: { host: 'localhost', 'accept-encoding': 'br' },
      })
      await server.close()
      const [old] = answers
      if (old?.statusCode === 200)
        assert.equal(old.headers['cache-control'], 'public, max-age=31536000, immutable')
      return [...answers, packed].map(({ statusCode, body }) => (statusCode === 200 ? body : statusCode))
    }
    const both = ['first', 'second', 'both', 'packed']
    assert.deepEqual(await started(first, 0), ['first', 404, 'both', 'packed'])
    // A start that was killed while it copied left this file.
    await writeFile(join(keptAssetsIn(folder), 'a-2.js'), 'sec')
    assert.deepEqual(await started(second, upgradedMs), both, 'after the upgrade')
    assert.deepEqual(await started(second, upgradedMs + 7 * DAY_MS), both, 'seven days later')
    assert.deepEqual(await started(first, upgradedMs + 7 * DAY_MS), both, 'back at the first version')
    assert.deepEqual(await started(second, upgradedMs + 20 * DAY_MS), both, 'upgraded again')
    assert.deepEqual(await started(second, upgradedMs + 27 * DAY_MS + 1), [404, 'second', 'both', 404])
    assert.deepEqual((await readdir(keptAssetsIn(folder))).sort(), ['a-2.js', 'b-1.js'])
    await rm(folder, { recursive: true })
  })

  it('200: the service worker may be asked for anew each time, and has the rights of every page', async () => {
    const { statusCode, headers, body } = await get('/console/service-worker.js')
    assert.equal(statusCode, 200)
    assert.match(String(headers['content-type']), /^text\/javascript/)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['service-worker-allowed'], '/console')
    assert.equal(headers['content-security-policy'], "default-src 'self'")
    assert.match(body, /"\/console\/assets\/InboxPage-[\w-]+\.js"/)
  })

  it('503: pages that were not built say how to build them', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'parley-unbuilt-'))
    const unbuilt = serve('none', empty)
    const answer = await unbuilt.inject({ url: '/console', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.json().error.message, /npm run build:console/)
    await unbuilt.close()
    await rm(empty, { recursive: true })
  })
})
