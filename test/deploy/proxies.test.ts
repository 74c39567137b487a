import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, FormData, fetch, type Response } from 'undici'
import type { FreshDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { replaceAll } from '../support/guide.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { runProgram } from '../support/program.ts'
import {
  databaseWithAgent,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { untrusted } from '../support/untrusted-certificate.ts'

const PASSWORD = 'correct horse battery'
/** Whoever calls from here is told from the proxy, which calls the service from 127.0.0.1. */
const CLIENT = '127.0.0.2'

/** The surroundings of a proxy that a test starts. */
interface Place {
  folder: string
  /** The port of its public address, which is on localhost. */
  port: number
  /** The replicas, of which only one is there. */
  upstreams: string[]
}

interface Proxy {
  name: string
  program: string | undefined
  /** The package of Debian that has it. */
  from: string
  file: string
  /** Starts it with the lines of its file. */
  start(lines: string, place: Place): Promise<ChildProcess>
  /** The certificate that its clients trust. */
  certificate(place: Place): Promise<string>
  /** Lines without which it would fail, others in their place, and what doctor then says. */
  lacking: [line: string, instead: string, said: RegExp][]
}

const proxies: Proxy[] = [
  {
    name: 'nginx',
    program: findProgram(['nginx', '/usr/sbin/nginx'], '-v'),
    from: 'nginx-light',
    file: 'deploy/nginx/parley.conf',
    async start(lines, { folder, port, upstreams }) {
      const here = replaceAll(lines.replaceAll(/^ *listen \[.*\n/gm, ''), {
        'listen 443': `listen 127.0.0.1:${port}`,
        'listen 80': `listen 127.0.0.1:${await freePort()}`,
        'server_name chat.example.com': 'server_name localhost',
        '/etc/ssl/chat.example.com.pem': join(folder, 'cert.pem'),
        '/etc/ssl/chat.example.com.key': join(folder, 'key.pem'),
        'server 127.0.0.1:8080;': upstreams.map((upstream) => `server ${upstream};`).join(' '),
      })
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${join(folder, name)};`)
        .join('\n')
      await writeFile(join(folder, 'cert.pem'), untrusted.cert)
      await writeFile(join(folder, 'key.pem'), untrusted.key)
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
      return spawn(this.program as string, ['-e', 'stderr', '-p', folder, '-c', config])
    },
    certificate: async () => untrusted.cert,
    lacking: [
      ['client_max_body_size 51m;', '', /client_max_body_size/],
      ['proxy_buffering off;', 'proxy_ignore_headers X-Accel-Buffering;', /proxy_buffering off/],
    ],
  },
  {
    name: 'Caddy',
    program: findProgram(['caddy'], 'version'),
    from: 'caddy',
    file: 'deploy/caddy/Caddyfile',
    async start(lines, { folder, port, upstreams }) {
      const config = join(folder, 'Caddyfile')
      await writeFile(
        config,
        `{
          admin off
          skip_install_trust
          http_port ${await freePort()}
        }
        ${lines}`,
      )
      return spawn(this.program as string, ['run', '--adapter', 'caddyfile', '--config', config], {
        env: {
          ...process.env,
          DOMAIN: `localhost:${port}`,
          UPSTREAMS: upstreams.join(' '),
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
        },
      })
    },
    certificate: async ({ folder }) => readFile(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8'),
    lacking: [],
  },
]

for (const proxy of proxies)
  describe(`${proxy.name} before the service, as in deploy/`, {
    skip: proxy.program === undefined && `there is no ${proxy.name} here: install ${proxy.from} to run this`,
  }, () => {
    let lines: string
    let place: Place
    let database: FreshDatabase
    let model: ModelServer
    let service: ServiceProcess
    let env: Record<string, string>
    let address: string
    let running: ChildProcess
    let certificate: string
    let client: Agent

    before(async () => {
      lines = await readFile(resolve(proxy.file), 'utf8')
      const port = await freePort()
      // The service prints its public address alone.
      const own = await freePort()
      place = {
        folder: await mkdtemp(join(tmpdir(), 'parley-proxy-')),
        port,
        upstreams: [`127.0.0.1:${await freePort()}`, `127.0.0.1:${own}`],
      }
      address = `https://localhost:${port}`
      database = await databaseWithAgent('sqlite')
      model = await startModelServer()
      env = settingsOn(database, {
        PARLEY_PORT: String(own),
        PARLEY_MODEL_URL: model.url,
        PARLEY_PUBLIC_URL: address,
        PARLEY_TRUSTED_PROXIES: '127.0.0.1',
      })
      service = await startService(env)
      running = await start(lines)
      certificate = await proxy.certificate(place)
      client = new Agent({ localAddress: CLIENT, connect: { ca: certificate } })
    })
    after(async () => {
      await end()
      await client?.destroy()
      await service?.end('SIGTERM')
      await model?.close()
      await database?.remove()
      await rm(place.folder, { recursive: true, force: true })
    })

    async function start(lines: string): Promise<ChildProcess> {
      const child = await proxy.start(lines, place)
      const said = text(child.stderr as NodeJS.ReadableStream)
      for (;;) {
        if (child.exitCode !== null) assert.fail(await said)
        if (await isListening(place.port)) return child
        await wait(50)
      }
    }

    async function end(): Promise<void> {
      if (!running || running.exitCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      await ended
    }

    const ask = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
      fetch(address + path, { ...init, dispatcher: client })
    const credentials = () => ({
      'x-api-key': service.credentials?.api_key ?? '',
      authorization: `Bearer ${service.credentials?.bearer_token}`,
    })
    const post = (path: string, body: unknown, headers: Record<string, string> = credentials()) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    it('a stream comes as it is written', async () => {
      const pieces = model.feed()
      const response = await post('/api/v1/chat/completions', {
        stream: true,
        messages: [{ role: 'user', content: 'Tell me' }],
      })
      assert.equal(response.status, 200)
      pieces.push('The first half, ')
      const read = await readAll(response, (read) => {
        // The rest is only written when this much has arrived.
        if (!read.includes('first half') || read.includes('second half')) return
        pieces.push('the second half.')
        pieces.end()
      })
      assert.match(read, /second half[\s\S]*\[DONE\]/)
    })

    it('live events come as they happen', async () => {
      const leaving = new AbortController()
      const live = await ask('/api/v1/live', { headers: credentials(), signal: leaving.signal })
      assert.equal(live.status, 200)
      model.next({ text: 'Here it is.' })
      assert.equal((await post('/api/v1/chat/completions', prompt('Where?'))).status, 200)
      // The stream never ends.
      await assert.rejects(
        readAll(live, (read) => {
          if (read.includes('Here it is.')) leaving.abort()
        }),
        { name: 'AbortError' },
      )
    })

    it('an upload of 50 MB arrives', async () => {
      const body = new FormData()
      body.set('file', new Blob([Buffer.alloc(50_000_000)]), 'sheet.docx')
      const response = await ask('/api/v1/knowledge/files', { method: 'POST', headers: credentials(), body })
      const answer = await response.text()
      assert.equal(response.status, 200, answer)
      // It was looked at as a whole: that it is no document is told of the file, not of the request.
      assert.equal(JSON.parse(answer).data[0].outcome, 'skipped', answer)
    })

    it("a person signs in, from the client's address and no other", async () => {
      const token = service.joinUrl?.split('#')[1]
      assert.ok(service.joinUrl?.startsWith(`${address}/`))
      const own = { 'x-parley-console': '1', origin: address, 'x-forwarded-for': '203.0.113.9' }
      const response = await post('/console/api/join', { token, password: PASSWORD }, own)
      assert.equal(response.status, 200, await response.text())
      assert.match(response.headers.getSetCookie().join(), /parley_session=.*Secure/)
      const audit = await ask('/api/v1/audit?per_page=1&actor=operator', { headers: credentials() })
      assert.equal(((await audit.json()) as { data: { address: string }[] }).data[0]?.address, CLIENT)
    })

    it('a page with a widget opens a session', async () => {
      const made = await post('/api/v1/widgets', { name: 'Chat' })
      const { data } = (await made.json()) as { data: { public_key: string } }
      const opened = await post(`/widget/v1/${data.public_key}/sessions`, {}, { origin: address })
      assert.ok(opened.ok, await opened.text())
      assert.equal(opened.headers.get('access-control-allow-origin'), address)
    })

    it('the metrics stay inside', async () => {
      assert.equal((await ask('/metrics')).status, 404)
    })

    it('doctor finds nothing to mend, and names what a proxy lacks', async () => {
      const good = await publicAddress()
      assert.equal(good.state, 'ok', good.detail)
      for (const [line, instead, said] of proxy.lacking) {
        assert.ok(lines.includes(line))
        await end()
        running = await start(lines.replace(line, instead))
        const { state, detail } = await publicAddress()
        assert.equal(state, 'failed', detail)
        assert.match(detail, said)
      }
    })

    async function publicAddress(): Promise<{ state: string; detail: string }> {
      const trusted = join(place.folder, 'trusted.pem')
      await writeFile(trusted, certificate)
      const { out } = await runProgram(['doctor', '--json'], {
        env: { ...env, NODE_EXTRA_CA_CERTS: trusted },
      })
      const { findings } = JSON.parse(out)
      return findings.find(({ check }: { check: string }) => check === 'public address')
    }
  })

const prompt = (content: string) => ({ messages: [{ role: 'user', content }] })

/** Reads an answer to its end. @param seen called with what has come so far, whenever there is more */
async function readAll({ body }: Response, seen: (read: string) => void): Promise<string> {
  assert.ok(body)
  const decoder = new TextDecoder()
  let read = ''
  for await (const chunk of body) {
    read += decoder.decode(chunk as Uint8Array, { stream: true })
    seen(read)
  }
  return read
}

/** Returns the first of these programs that runs. */
function findProgram(names: string[], argument: string): string | undefined {
  return names.find((name) => spawnSync(name, [argument]).status === 0)
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
