import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { serveConsole } from '../../src/console/serve-console.ts'
import { createServer } from '../../src/http/server.ts'

const options = {
  logger: pino({ level: 'silent' }),
  bodyLimit: 1000,
  trustedProxies: [],
  isUnavailable: () => false,
}

/** A service of nothing but the console's pages. @param built where they are, if not where the build puts them */
function serve(built?: string) {
  const server = createServer(options)
  serveConsole(server, built)
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

  it('503: pages that were not built say how to build them', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'parley-unbuilt-'))
    const unbuilt = serve(empty)
    const answer = await unbuilt.inject({ url: '/console', headers: { host: 'localhost' } })
    assert.equal(answer.statusCode, 503)
    assert.match(answer.json().error.message, /npm run build:console/)
    await unbuilt.close()
    await rm(empty, { recursive: true })
  })
})
