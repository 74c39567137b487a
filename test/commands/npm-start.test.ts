import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const ways: [string, string[]][] = [
  ['npm start', ['npm', 'start']],
  // Like `npx parley serve` of an installed package: a command in a shell that npm starts.
  ['npm exec', ['npm', 'exec', '--call', 'node src/main.js serve --json; true']],
]

for (const [name, [command = '', ...words]] of ways)
  it(`SIGTERM to ${name} ends the service with it`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-npm-'))
    const npm = spawn(command, words, {
      cwd: ROOT,
      env: {
        ...process.env,
        PARLEY_PORT: '0',
        // A relative path, as the default is: below the folder in which the service starts.
        PARLEY_DATA_DIR: relative(ROOT, dataDir),
        PARLEY_LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(npm, 'exit')
    let said = ''
    for await (const piece of npm.stdout) {
      said += piece
      if (/http:\/\/127\.0\.0\.1:\d+/.test(said)) break
    }
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    npm.kill('SIGTERM')
    await ended
    const isUp = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    const started = performance.now()
    while (await isUp()) {
      assert.ok(performance.now() - started < 5000, 'the service goes on without npm')
      await wait(50)
    }
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })
