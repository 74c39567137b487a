import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A server in its own process. */
export interface BenchServer {
  name: string
  url: string
  headers: Record<string, string>
  pid: number
  /** Returns the processor time it has used, in seconds. */
  cpu(): number
  /** Returns its resident memory in MiB. */
  memory(): number
  stop(): Promise<void>
}

const TICKS = 100

/** Starts a script of the repository with Node and waits until its port answers. */
export async function startServer(
  name: string,
  words: string[],
  port: number,
  env: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<BenchServer> {
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilListening(port, child)
  return describe(name, `http://127.0.0.1:${port}`, headers, child)
}

/** The master key of every Parley in the benches. */
export const MASTER_KEY = Buffer.alloc(32, 1).toString('base64')

/** Starts Parley over an empty data directory (or a database), without logs, with its first agent's credentials. */
export async function startParley(env: Record<string, string> = {}, dataDir?: string): Promise<BenchServer> {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-bench-')))
  const child = spawn(process.execPath, ['src/main.js', 'serve', '--json'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PARLEY_PORT: '0',
      PARLEY_DATA_DIR: directory,
      PARLEY_LOG_LEVEL: 'warn',
      PARLEY_MASTER_KEY: MASTER_KEY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url, api_key, bearer_token } = JSON.parse(String(line))
  const headers: Record<string, string> = api_key
    ? { 'x-api-key': api_key, authorization: `Bearer ${bearer_token}` }
    : {}
  const server = describe('parley', url, headers, child)
  const stop = async () => {
    await server.stop()
    if (!dataDir) await rm(directory, { recursive: true, force: true })
  }
  return { ...server, stop }
}

function describe(
  name: string,
  url: string,
  headers: Record<string, string>,
  child: ChildProcess,
): BenchServer {
  const pid = child.pid ?? 0
  return {
    name,
    url,
    headers,
    pid,
    cpu() {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
    memory() {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
      return (pages * 4096) / 1024 / 1024
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + 20_000
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return
    } catch {
      if (child.exitCode !== null || Date.now() > until)
        throw new Error('a server of the bench did not start')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
