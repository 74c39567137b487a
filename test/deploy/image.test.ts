import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { exampleIn } from '../support/guide.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

const IMAGE = process.env.PARLEY_TEST_IMAGE
const LARGEST = 400_000_000

/** Runs Podman and returns what it prints. */
const podman = async (...words: string[]) => (await promisify(execFile)('podman', words)).stdout.trim()

describe('the image', {
  skip:
    !IMAGE &&
    'PARLEY_TEST_IMAGE names no image: `podman build --format docker --tag parley .` builds one, as .ci/run does with PARLEY_CI_IMAGE',
}, () => {
  const image = IMAGE as string
  const volume = `parley-test-${randomUUID()}`
  const containers: string[] = []
  let model: ModelServer

  before(async () => {
    model = await startModelServer()
  })
  after(async () => {
    for (const name of containers) await podman('rm', '--force', '--time=0', name)
    await podman('volume', 'rm', '--force', volume)
    await model.close()
  })

  /** Starts a container as the guide does, but with a user who has no name, and returns its name. */
  async function start(...more: string[]): Promise<string> {
    const lines = exampleIn('docs/operations.md', 'sh', 'docker run').replaceAll('\\\n', ' ')
    const [, words = ''] = /^docker run (.*)$/m.exec(lines) ?? []
    const name = `parley-test-${randomUUID()}`
    const as = words
      .replace('--name parley', `--name ${name} --user 12345:0 --read-only-tmpfs=false ${more.join(' ')}`)
      .replace(
        '--publish 127.0.0.1:8080:8080 --volume parley:/data parley',
        `--volume ${volume}:/data ${image}`,
      )
    assert.ok(as.endsWith(image) && as.includes(name), words)
    containers.push(name)
    await podman('run', ...as.split(/\s+/))
    return name
  }

  async function untilHealthy(name: string): Promise<void> {
    while (
      !(await podman('healthcheck', 'run', name).then(
        () => true,
        () => false,
      ))
    ) {
      assert.equal(await podman('inspect', '--format={{.State.Running}}', name), 'true')
      await wait(200)
    }
  }

  it('is small, carries no tools, and has the programs of its processor', async () => {
    const [{ Size, Config, Architecture }] = JSON.parse(await podman('image', 'inspect', image))
    assert.ok(Size < LARGEST, `${Size} bytes`)
    assert.equal(Config.User, '10001:0')
    assert.ok(Config.Labels['org.opencontainers.image.version'])
    const found = await podman(
      ...['run', '--rm', '--network=none', '--entrypoint=find', image, '/parley'],
      ...['-name', '*.node', '-o', '-name', 'typescript', '-o', '-name', 'vite', '-o', '-name', '.env'],
    )
    const cpu = Architecture === 'amd64' ? 'x64' : Architecture
    assert.match(found, new RegExp(`^/parley/node_modules/@img/sharp-linux-${cpu}/lib/[^/\\n]+\\.node$`))
  })

  it('starts without a network, read-only, as a user without a name, and turns healthy', async () => {
    const name = await start('--network=none')
    await untilHealthy(name)
    assert.equal(await podman('exec', name, 'id', '-u'), '12345')
    for (const path of ['/', '/parley', '/tmp'])
      await assert.rejects(podman('exec', name, 'touch', `${path}/file`), /Read-only file system/)
    assert.match(await podman('exec', name, 'parley', 'keys', 'list', '--agent', '1'), /first key/)
    const page = "fetch('http://127.0.0.1:8080/PATH').then(({ status }) => console.log(status))"
    for (const path of ['console', 'widget.js', 'docs'])
      assert.equal(await podman('exec', name, 'node', '-e', page.replace('PATH', path)), '200', path)
    await podman('stop', name)
  })

  it('ends at SIGTERM with the answer that is under way, and its data stays', async () => {
    const port = String(await freePort())
    const name = await start(
      '--network=host',
      `--env=PARLEY_PORT=${port}`,
      `--env=PARLEY_MODEL_URL=${model.url}`,
    )
    await untilHealthy(name)
    // The volume of the container before this one.
    assert.match(await podman('exec', name, 'parley', 'keys', 'list', '--agent', '1'), /first key/)
    const { api_key: key } = JSON.parse(
      await podman('exec', name, 'parley', 'keys', 'create', '--agent', '1', '--json'),
    )
    const { bearer_token: token } = JSON.parse(
      await podman('exec', name, 'parley', 'tokens', 'create', '--team', '1', '--json'),
    )
    const pieces = model.feed()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'Tell me' }] }),
    })
    assert.ok(response.body)
    pieces.push('Before the signal, ')
    const decoder = new TextDecoder()
    let read = ''
    let stopped: Promise<string> | undefined
    for await (const chunk of response.body) {
      read += decoder.decode(chunk, { stream: true })
      if (!read.includes('Before') || stopped) continue
      stopped = podman('stop', name)
      while (!(await isStopping(name))) await wait(50)
      pieces.push('and after it.')
      pieces.end()
    }
    assert.match(read, /after it[\s\S]*\[DONE\]/)
    await stopped
    assert.equal(await podman('inspect', '--format={{.State.ExitCode}}', name), '0')
  })

  it('ends at SIGTERM while it still loads', async () => {
    const name = await start('--network=none')
    await podman('stop', name)
    // 137 is that of a process that had to be killed.
    assert.match(await podman('inspect', '--format={{.State.ExitCode}}', name), /^[01]$/)
  })
})

async function isStopping(name: string): Promise<boolean> {
  const { stdout, stderr } = await promisify(execFile)('podman', ['logs', name])
  return `${stdout}${stderr}`.includes('stopping: finishing what is under way')
}
