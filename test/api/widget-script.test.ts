import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createServer } from '../../src/http/server.ts'
import { serveWidget } from '../../src/widgets/serve-widget.ts'

const options = {
  logger: pino({ level: 'silent' }),
  bodyLimit: 1000,
  trustedProxies: [],
  isUnavailable: () => false,
}

/** A service of nothing but the widget's script. @param built where it is, if not where the build puts it */
function serve(built?: string) {
  const server = createServer(options)
  serveWidget(server, built)
  return server
}

describe("the widget's script", () => {
  const server = serve()
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.inject({ url, headers: { host: 'localhost', ...headers } })
  let panel = ''
  before(async () => {
    await server.ready()
    panel = (await readdir('widget/dist/assets')).find((name) => /^panel-.*\.js$/.test(name)) ?? ''
  })
  after(() => server.close())

  it('200: every site may load it, and asks again after five minutes', async () => {
    const answer = await get('/widget.js', { origin: 'https://shop.example' })
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /javascript/)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(answer.headers['cache-control'], 'public, max-age=300')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    const again = await get('/widget.js', { 'if-none-match': String(answer.headers.etag) })
    assert.equal(again.statusCode, 304)
  })

  it('200: pages from before an upgrade find the present panel by a name that stays', async () => {
    const answer = await get('/widget/panel.js?1', { origin: 'https://shop.example' })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['cache-control'], 'public, max-age=300')
    assert.ok(answer.body.includes(`"./assets/${panel}"`), answer.body)
  })

  it('200: what it loads never changes, is for every site too, and arrives compressed', async () => {
    const plain = await get(`/widget/assets/${panel}`)
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['access-control-allow-origin'], '*')
    for (const [path, coding] of [
      [`/widget/assets/${panel}`, 'br'],
      ['/widget.js', 'gzip'],
    ] as const) {
      const answer = await get(path, { 'accept-encoding': coding })
      assert.equal(answer.headers['content-encoding'], coding, path)
      assert.match(String(answer.headers['content-type']), /javascript/)
      assert.match(String(answer.headers.vary), /accept-encoding/i, path)
    }
  })

  it('HEAD tells a page whether the service is there', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/widget.js', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })

  for (const path of [
    '/widget/assets/none.js',
    '/widget/assets/',
    '/widget/assets/../../package.json',
    '/widget.js.gz',
  ])
    it(`404: ${path}`, async () => assert.equal((await get(path)).statusCode, 404))

  it('503: one that was not built says how to build it', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'parley-widget-'))
    const other = serve(empty)
    const answer = await other.inject({ url: '/widget.js', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.json().error.message, /npm run build:widget/)
    await other.close()
    await rm(empty, { recursive: true })
  })
})
