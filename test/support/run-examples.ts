import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestAgent, testAgent } from './app.ts'
import { assertShownAs, type Example, replaceAll } from './guide.ts'
import { programFiles } from './program.ts'
import { databaseWithAgent, startService } from './service-process.ts'

/** Follows pages of the guides: runs their examples, one after another. */
export interface Reader extends AsyncDisposable {
  /** Runs an example. @param replaced the replacements, by the texts in the example */
  run(example: Example, replaced?: Record<string, string>): Promise<void>
  /** Forgets the last answer and its id, before another page. */
  forget(): void
}

/** The service's address in the pages. Its port is not that of the tests. */
const ADDRESS = 'http://127.0.0.1:8080'
const READY_MS = 60_000

/**
 * Starts a service whose database has the first agent and none of the documentation, and a folder for the files that
 * the examples write. `npm` and `node` are those of the machine, because a page must work under any Node.
 *
 * - `sh` runs in bash, in which every answer that is an error ends curl with a failure. `$PARLEY`, `$API_KEY`,
 *   `$BEARER_TOKEN` and `$JOIN_TOKEN` are set.
 * - `http` is a call with the first agent's credentials; `{id}` is the id in the last answer.
 * - `json` and `text` show what the example before them answered or printed.
 * - Code whose first line is a comment with a file name is written to that file.
 *
 * @param settings the service's settings
 */
export async function openReader(settings: Record<string, string> = {}): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-guide-'))
  await copyFile('package.json', join(folder, 'package.json'))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/main.js'), `import '${(await programFiles()).main}'\n`)
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  const dataDir = join(folder, 'data')
  await rename((await databaseWithAgent('sqlite')).dataDir, dataDir)
  const service = await startService({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    PARLEY_MODEL_URL: '',
    ...settings,
  })
  assert.ok(service.credentials)
  const { api_key: apiKey, bearer_token: bearerToken } = service.credentials
  const agent: TestAgent = testAgent(`${service.url}/api/v1`, { agentId: 1, teamId: 1, apiKey, bearerToken })
  const own = `${resolve('node_modules/.bin')}`
  const env = {
    ...process.env,
    PATH: (process.env.PATH ?? '')
      .split(delimiter)
      .filter((entry) => entry !== own)
      .join(delimiter),
    CURL_HOME: folder,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY: service.url,
    API_KEY: apiKey,
    BEARER_TOKEN: bearerToken,
    JOIN_TOKEN: service.joinUrl?.split('#')[1] ?? '',
  }
  let answer = ''
  let lastId = ''

  async function run(example: Example, replaced: Record<string, string> = {}): Promise<void> {
    const text = replaceAll(example.text, { ...replaced, [ADDRESS]: service.url })
    const [, file] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? []
    if (file) return writeFile(join(folder, file), text)
    if (example.language === 'sh' && /npm start$/m.test(text)) return runService(text)
    if (example.language === 'sh') answer = await runShell(text)
    else if (example.language === 'http') answer = await call(text)
    else if (example.language === 'json') assertShownAs(JSON.parse(text), JSON.parse(answer))
    else if (example.language === 'text') assert.equal(answer.trim(), text.trim())
    else
      assert.fail(`nothing runs code in "${example.language}": run it here, or list it in examples.test.ts`)
    lastId = /"id": ?"?([\w-]+)/.exec(answer)?.[1] ?? lastId
  }

  function start(text: string, more: Record<string, string> = {}): ChildProcess {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', text], {
      cwd: folder,
      env: { ...env, ...more },
      detached: true,
    })
    child.stdin?.end()
    return child
  }

  async function runShell(text: string): Promise<string> {
    const child = start(text)
    const [out, err, [code]] = await Promise.all([
      buffer(child.stdout as NodeJS.ReadableStream),
      buffer(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ])
    assert.equal(code, 0, `${text}${out}${err}`)
    return out.toString()
  }

  /** Runs another service until it listens. Only one that makes the first agent itself begins with no database. */
  async function runService(text: string): Promise<void> {
    const isFirst = text.includes('PARLEY_INIT_')
    const data = isFirst ? await mkdtemp(join(folder, 'data-')) : (await databaseWithAgent('sqlite')).dataDir
    const child = start(text, { PARLEY_DATA_DIR: data })
    const ended = once(child, 'exit')
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
    })
    child.stderr?.on('data', (chunk) => {
      printed += chunk
    })
    const deadline = AbortSignal.timeout(READY_MS)
    while (!printed.includes('Parley listens on')) {
      const next = child.stdout ? once(child.stdout, 'data', { signal: deadline }) : ended
      await Promise.race([next, ended])
      assert.equal(child.exitCode, null, printed)
    }
    assert.ok(child.pid)
    process.kill(-child.pid, 'SIGTERM')
    await ended
  }

  async function call(text: string): Promise<string> {
    const [head = '', body = ''] = text.split(/\n\n([\s\S]*)/)
    const [method = '', path = ''] = head.trim().replace('{id}', lastId).split(' ')
    assert.ok(path.startsWith('/api/v1/'), head)
    const called = await agent.call(method, path.slice('/api/v1'.length), body.trim() || undefined)
    assert.ok(called.status < 300, `${head} ${called.status} ${called.text}`)
    return called.text
  }

  return {
    run,
    forget() {
      answer = ''
      lastId = ''
    },
    async [Symbol.asyncDispose]() {
      await service.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
