import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createServer } from 'vite'
import { startPeer } from '../../support/peer.ts'

it('npm run console passes requests on with the host that the browser asked, so that they count as own', async (t) => {
  const service = await startPeer()
  t.after(() => service.close())
  const before = { ...process.env }
  // Vite sets variables of its own as well.
  t.after(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  })
  process.env.PARLEY_URL = service.url
  const pages = await createServer({
    configFile: 'console/vite.config.ts',
    logLevel: 'silent',
    server: { port: 0, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  })
  t.after(() => pages.close())
  await pages.listen()
  const address = pages.httpServer?.address()
  assert.ok(address && typeof address === 'object')
  const host = `127.0.0.1:${address.port}`
  for (const path of ['/console/api/session', '/api/v1/agent']) await fetch(`http://${host}${path}`)
  assert.deepEqual(
    service.requests.map(({ path, headers }) => [path, headers.host]),
    [
      ['/console/api/session', host],
      ['/api/v1/agent', host],
    ],
  )
})
