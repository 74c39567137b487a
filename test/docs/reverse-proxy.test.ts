import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, FormData, fetch } from 'undici'
import { type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { exampleIn, replaceAll } from '../support/guide.ts'
import { type ModelServer, pieceFeed, startModelServer } from '../support/model-server.ts'
import { type ServiceProcess, settingsOn, startService } from '../support/service-process.ts'
import { untrusted } from '../support/untrusted-certificate.ts'

const NGINX = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0)
const PASSWORD = 'correct horse battery'
const block = exampleIn('docs/security.md', 'nginx', 'proxy_pass')

describe('the nginx of the guide before the service', {
  skip: NGINX === undefined && 'there is no nginx here: install nginx-light to run this',
}, () => {
  let folder: string
  let database: FreshDatabase
  let model: ModelServer
  let service: ServiceProcess
  let env: Record<string, string>
  let port: string
  let address: string
  let proxy: ChildProcess
  const dispatcher = new Agent({ connect: { ca: untrusted.cert } })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-nginx-'))
    await writeFile(join(folder, 'cert.pem'), untrusted.cert)
    await writeFile(join(folder, 'key.pem'), untrusted.key)
    database = await freshDatabase('sqlite')
    model = await startModelServer()
    address = `https://localhost:${await freePort()}`
    // The service prints its public address alone.
    port = String(await freePort())
    env = settingsOn(database, {
      PARLEY_PORT: port,
      PARLEY_MODEL_URL: model.url,
      PARLEY_PUBLIC_URL: address,
      PARLEY_TRUSTED_PROXIES: '127.0.0.1',
    })
    service = await startService(env)
    proxy = await startNginx(block)
  })
  after(async () => {
    await endNginx()
    await dispatcher.destroy()
    await service?.end('SIGTERM')
    await model?.close()
    await database?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** Starts an nginx with one server and nothing else. */
  async function startNginx(server: string): Promise<ChildProcess> {
    const listening = new URL(address).port
    const here = replaceAll(server, {
      'listen 443': `listen 127.0.0.1:${listening}`,
      'chat.example.com;': 'localhost;',
      '/etc/ssl/chat.example.com.pem': join(folder, 'cert.pem'),
      '/etc/ssl/chat.example.com.key': join(folder, 'key.pem'),
      'http://127.0.0.1:8080': `http://127.0.0.1:${port}`,
    })
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join('\n')
    const config = join(folder, 'nginx.conf')
    await writeFile(
      config,
      `daemon off; pid ${join(folder, 'pid')}; ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http {
        access_log off; ${temporary}
        ${here}
      }`,
    )
    const child = spawn(NGINX as string, ['-e', 'stderr', '-p', folder, '-c', config], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const said = text(child.stderr as NodeJS.ReadableStream)
    for (;;) {
      if (child.exitCode !== null) assert.fail(await said)
      if (await isListening(Number(listening))) return child
      await wait(50)
    }
  }

  async function endNginx(): Promise<void> {
    if (!proxy || proxy.exitCode !== null) return
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
  }

  const ask = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(address + path, { ...init, dispatcher })
  const credentials = () => ({
    'x-api-key': service.credentials?.api_key ?? '',
    authorization: `Bearer ${service.credentials?.bearer_token}`,
  })

  it('a stream comes as it is written', async () => {
    const pieces = pieceFeed()
    model.next({ pieces })
    const response = await ask('/api/v1/chat/completions', {
      method: 'POST',
      headers: { ...credentials(), 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Tell me' }] }),
    })
    assert.equal(response.status, 200)
    assert.ok(response.body)
    const decoder = new TextDecoder()
    let read = ''
    pieces.push('The first half, ')
    for await (const chunk of response.body) {
      read += decoder.decode(chunk as Uint8Array, { stream: true })
      // The rest is only written when this much has arrived.
      if (read.includes('first half') && !read.includes('second half')) {
        pieces.push('the second half.')
        pieces.end()
      }
    }
    assert.match(read, /second half[\s\S]*\[DONE\]/)
  })

  it('an upload of several megabytes arrives', async () => {
    const line = 'The shop in the harbour is open from nine to six.\n'
    const body = new FormData()
    body.set('file', new Blob([`# Hours\n\n${line.repeat(25_000)}`], { type: 'text/markdown' }), 'hours.md')
    const response = await ask('/api/v1/knowledge/files', { method: 'POST', headers: credentials(), body })
    assert.equal(response.status, 200, await response.text())
  })

  it('a person signs in, and the metrics stay inside', async () => {
    const token = service.joinUrl?.split('#')[1]
    assert.ok(service.joinUrl?.startsWith(`${address}/`))
    const response = await ask('/console/api/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-parley-console': '1', origin: address },
      body: JSON.stringify({ token, password: PASSWORD }),
    })
    assert.equal(response.status, 200, await response.text())
    assert.match(response.headers.getSetCookie().join(), /parley_session=.*Secure/)
    assert.equal((await ask('/metrics')).status, 404)
  })

  it('doctor finds nothing to mend, and names what a proxy lacks', async () => {
    const good = await publicAddress()
    assert.equal(good.state, 'ok', good.detail)
    for (const [without, instead, named] of [
      ['client_max_body_size 51m;', '', /client_max_body_size/],
      ['proxy_buffering off;', 'proxy_ignore_headers X-Accel-Buffering;', /proxy_buffering off/],
    ] as const) {
      assert.ok(block.includes(without))
      await endNginx()
      proxy = await startNginx(block.replace(without, instead))
      const { state, detail } = await publicAddress()
      assert.equal(state, 'failed', detail)
      assert.match(detail, named)
    }
  })

  async function publicAddress(): Promise<{ state: string; detail: string }> {
    const child = spawn(process.execPath, ['src/main.js', 'doctor', '--json'], {
      env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const { findings } = JSON.parse(await text(child.stdout))
    return findings.find(({ check }: { check: string }) => check === 'public address')
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const done = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => done(true)).once('error', () => done(false))
  })
}
