import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createAgent } from '../../src/agents/create-agent.ts'
import type { AgentSettings } from '../../src/agents/settings.ts'
import { type App, createApp, createLogger } from '../../src/app/create-app.ts'
import { bySystem } from '../../src/audit/record.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import type { Right } from '../../src/http/rights.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { RECONNECTED, type WakeUps } from '../../src/storage/wake-ups.ts'
import { assertConforms } from './conforms.ts'
import { readyDatabase } from './databases.ts'

/** A service on a free port over a new database of one engine, as `serve` would start it. */
export interface TestApp extends AsyncDisposable {
  app: App
  /** The address without a path. */
  url: string
  /** The address of the API, which ends in /api/v1. */
  baseUrl: string
  dataDir: string
  /** Agent 1 of team 1 and its credentials. */
  agent: TestAgent
  /** Creates another agent, in a new team unless one is named, with a token of every right unless one is named. */
  addAgent(options?: {
    teamId?: number
    settings?: Partial<AgentSettings>
    right?: Right
  }): Promise<TestAgent>
  /** Issues a key of an agent and a token of its team with a right. */
  issue(to: { agentId: number; teamId: number; right: Right }): Promise<TestAgent>
  /** Lets all background work look for what is due, after its clock was moved; it would notice within a second. */
  lookAgain(): void
  close(): Promise<void>
}

/** An agent with one key and one token, and calls in its name. */
export interface TestAgent {
  baseUrl: string
  agentId: number
  teamId: number
  apiKey: string
  bearerToken: string
  headers: Record<string, string>
  /** Calls `path` below /api/v1; an object is sent as JSON. The answer is checked against the OpenAPI document. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  get(path: string): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  patch(path: string, body: unknown): Promise<TestAnswer>
  put(path: string, body: unknown): Promise<TestAnswer>
  /** Sends one user message and expects an answer; extra fields are added to the body. */
  prompt(content: string, fields?: Record<string, unknown>): Promise<PromptAnswer>
}

export interface TestAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

const promptAnswer = z.looseObject({
  id: z.string(),
  number: z.int(),
  conversation_id: z.string(),
  agent_paused: z.boolean(),
  choices: z.tuple([
    z.looseObject({ finish_reason: z.string(), message: z.looseObject({ content: z.any() }) }),
  ]),
})

export type PromptAnswer = z.output<typeof promptAnswer>

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/**
 * Starts a service for a test.
 * @param env settings besides the database's; loopback is an allowed private target by default
 * @param logger used in place of the silent one
 */
export async function startApp(
  engine: 'sqlite' | 'postgres',
  env: Record<string, string> = {},
  clock: Clock = Date.now,
  logger?: Logger,
): Promise<TestApp> {
  const database = await readyDatabase(engine)
  const config = readConfig({
    PARLEY_PORT: '0',
    PARLEY_DATA_DIR: database.dataDir,
    PARLEY_MASTER_KEY: MASTER_KEY,
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    PARLEY_LOG_LEVEL: 'silent',
    // Most tests want the failure of a model at once.
    PARLEY_MODEL_RETRIES: '0',
    ...(database.databaseUrl ? { PARLEY_DATABASE_URL: database.databaseUrl } : {}),
    ...env,
  })
  const foundation = await openFoundation(config, clock)
  const lookAgain = wakingAll(foundation.database.wakeUps)
  const app = await createApp(foundation, logger ?? createLogger(config))
  const url = await app.listen()
  const baseUrl = `${url}/api/v1`
  const { db } = foundation.database

  async function addAgent({
    teamId,
    settings,
    right = 'own',
  }: {
    teamId?: number
    settings?: Partial<AgentSettings>
    right?: Right
  } = {}) {
    return db.transaction().execute(async (db) => {
      const options = {
        name: 'Test agent',
        teamId: teamId ?? null,
        nowMs: clock(),
        ...(settings ? { settings } : {}),
      }
      return issueFor(db, { ...(await createAgent(db, options)), right })
    })
  }

  async function issueFor(
    db: Kysely<Tables>,
    { agentId, teamId, right }: { agentId: number; teamId: number; right: Right },
  ) {
    const { credentials } = foundation
    const key = await credentials.issueKey(db, agentId, 'test', bySystem)
    const token = await credentials.issueToken(db, teamId, { name: 'test', right, expiresAt: null }, bySystem)
    assert.ok(key && token)
    return testAgent(baseUrl, { agentId, teamId, apiKey: key.api_key, bearerToken: token.bearer_token })
  }

  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await app.close()
    await database.remove()
  }
  const agent = await addAgent()
  const { dataDir } = database
  const issue: TestApp['issue'] = (to) => db.transaction().execute((db) => issueFor(db, to))
  const made = { app, url, baseUrl, dataDir, agent, addAgent, issue, lookAgain, close }
  return { ...made, [Symbol.asyncDispose]: close }
}

/** Returns a function that wakes all that will listen for work. */
function wakingAll(wakeUps: WakeUps): () => void {
  const topics = new Set<string>()
  const { listen } = wakeUps
  wakeUps.listen = (topic, listener) => {
    if (topic !== RECONNECTED) topics.add(topic)
    return listen(topic, listener)
  }
  return () => topics.forEach(wakeUps.sendHere)
}

/**
 * Returns the calls in the name of one pair of credentials.
 * @param options.isOwnVersion false if an earlier release may answer, whose OpenAPI document is another one
 */
export function testAgent(
  baseUrl: string,
  agent: Pick<TestAgent, 'agentId' | 'teamId' | 'apiKey' | 'bearerToken'>,
  { isOwnVersion = true } = {},
): TestAgent {
  const headers = { 'x-api-key': agent.apiKey, authorization: `Bearer ${agent.bearerToken}` }
  const call: TestAgent['call'] = async (method, path, body, extra = {}) => {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...extra,
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const answer = isJson && text !== '' ? JSON.parse(text) : undefined
    const { pathname } = new URL(baseUrl + path)
    if (isOwnVersion) await assertConforms(baseUrl, method, pathname, response.status, answer)
    // No cache between the service and its client may keep a private answer.
    assert.match(response.headers.get('cache-control') ?? '', /\bno-store\b/, `${method} ${path}`)
    return { status: response.status, headers: response.headers, text, body: answer }
  }
  return {
    ...agent,
    baseUrl,
    headers,
    call,
    get: (path) => call('GET', path),
    post: (path, body, extra) => call('POST', path, body, extra),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    async prompt(content, fields = {}) {
      const answer = await call('POST', '/chat/completions', {
        messages: [{ role: 'user', content }],
        ...fields,
      })
      assert.equal(answer.status, 200, answer.text)
      return promptAnswer.parse(answer.body)
    },
  }
}

/** Asserts that an answer is the error of this code, in the shape that all errors share. */
export function assertError(answer: TestAnswer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['error', 'request_id'])
  assert.deepEqual(Object.keys(answer.body.error), ['message', 'type', 'param', 'code'])
  assert.equal(answer.body.error.code, code)
  assert.equal(answer.headers.get('x-request-id'), answer.body.request_id)
}
