// How long from `npm start` to the first answered prompt, and how much memory does an idle service hold?
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../test/support/quantile.ts'
import { ROOT, startParley } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)

const times: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-start-'))
  const started = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, PARLEY_PORT: '0', PARLEY_DATA_DIR: dataDir, PARLEY_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let printed = ''
  while (!printed.includes('-d ')) printed += String((await once(npm.stdout, 'data'))[0])
  const url = /listens on (\S+)/.exec(printed)?.[1]
  const key = /API key +(\S+)/.exec(printed)?.[1] ?? ''
  const token = /Bearer token +(\S+)/.exec(printed)?.[1] ?? ''
  const response = await fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': key, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'How do I connect a language model?' }] }),
  })
  await response.json()
  if (response.status !== 200) throw new Error(`the first prompt got ${response.status}`)
  times.push(performance.now() - started)
  process.kill(-(npm.pid ?? 0), 'SIGTERM')
  await once(npm, 'exit')
  await rm(dataDir, { recursive: true, force: true })
}
const parley = await startParley()
await new Promise((resolve) => setTimeout(resolve, 3000))
const memory = readFileSync(`/proc/${parley.pid}/status`, 'utf8')
const resident = Number(/VmRSS:\s+(\d+)/.exec(memory)?.[1]) / 1024
await parley.stop()
process.stdout.write(
  `npm start to the first answer: median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; ` +
    `resident memory idle ${resident.toFixed(0)} MB\n`,
)
