import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createFirstAgent, guideAgentId } from '../../src/agents/first-agent.ts'
import { readPages } from '../../src/knowledge/documents/seed-guide.ts'
import { putSeeded } from '../../src/knowledge/documents/seeded-documents.ts'
import { type DatabasePlace, openDatabase } from '../../src/storage/database.ts'
import { type TestAgent, testAgent } from './app.ts'
import { type EngineKind, type FreshDatabase, readyDatabase } from './databases.ts'
import { passOnErrors, startProgram } from './program.ts'
import type { LentProgram } from './program-of-run.ts'

/** The service as its users run it: a process of its own. */
export interface ServiceProcess {
  url: string
  /** The first agent's credentials, which only the first start on a database prints. */
  credentials: { api_key: string; bearer_token: string } | null
  /** The link by which the first owner joins, which only the first start on a database prints. */
  joinUrl: string | null
  child: ChildProcess
  /** Sends a signal and resolves with exit code and signal once the process has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ code: number | null; signal: string | null }>
}

/**
 * Creates a database with the agent that a first start of the service would make. The documentation is not added to it:
 * reading that takes a third of the processor time of a first start.
 */
export async function databaseWithAgent(kind: EngineKind): Promise<FreshDatabase> {
  const fresh = await readyDatabase(kind)
  const { db, close } = await openDatabase(fresh)
  await createFirstAgent(db, Date.now())
  const guide = await guideAgentId(db)
  if (guide === null) throw new Error('the database has no first agent')
  await putSeeded(
    db,
    guide,
    (await readPages()).map(({ url }) => url),
  )
  await close()
  return fresh
}

/** Returns the settings with which every process on a database is started. */
export function settingsOn(
  { dataDir, databaseUrl }: DatabasePlace,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(databaseUrl ? { PARLEY_DATABASE_URL: databaseUrl } : {}),
    ...more,
  }
}

/** Returns the first agent of a database, called through any of its processes. @param first the process that made it */
export function firstAgentOf({ credentials }: ServiceProcess): (service: ServiceProcess) => TestAgent {
  assert.ok(credentials)
  const { api_key: apiKey, bearer_token: bearerToken } = credentials
  return ({ url }) => testAgent(`${url}/api/v1`, { agentId: 1, teamId: 1, apiKey, bearerToken })
}

/**
 * Starts `serve` on a free port and resolves when it listens.
 * @param begun called with the process at once
 * @param program the program of another version
 */
export async function startService(
  env: Record<string, string>,
  begun: (child: ChildProcess) => void = () => {},
  program?: LentProgram,
): Promise<ServiceProcess> {
  const settings = { PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'silent', ...env }
  const child = await startProgram(['serve', '--json'], {
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(program ? { program } : {}),
  })
  void passOnErrors(child)
  begun(child)
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const line = await Promise.race([
    once(child.stdout, 'data').then(([data]) => String(data)),
    ended.then(({ code }) => Promise.reject(new Error(`the service ended with code ${code}`))),
  ])
  const { url, api_key, bearer_token, join_url } = JSON.parse(line)
  return {
    url,
    credentials: api_key ? { api_key, bearer_token } : null,
    joinUrl: join_url ?? null,
    child,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}
