import assert from 'node:assert/strict'
import { byCommandLine } from '../../src/audit/record.ts'
import { addFirstOperator } from '../../src/operators/first-operator.ts'
import type { OperatorRight } from '../../src/operators/operator.ts'
import { inviteOperator } from '../../src/operators/team-operators.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { assertConforms } from './conforms.ts'

export const PASSWORD = 'correct horse battery'

/** A browser's side of the console: it keeps the cookie and sends the same requests as the console's pages. */
export interface TestConsole {
  /** The cookie as the browser keeps it, `name=value`; empty if there is none. */
  cookie: string
  /** Calls `path` below /console/api. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
}

export function openConsole({ url }: Pick<TestApp, 'url'>): TestConsole {
  const console: TestConsole = {
    cookie: '',
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${url}/console/api${path}`, {
        method,
        headers: {
          ...(console.cookie ? { cookie: console.cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          'x-parley-console': '1',
          origin: url,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const set = response.headers.getSetCookie().find((one) => one.includes('parley_session='))
      if (set !== undefined) console.cookie = /Max-Age=0/.test(set) ? '' : (set.split(';')[0] ?? '')
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      const answer = isJson && text !== '' ? JSON.parse(text) : undefined
      // Under /api/v1 the same operation never gives this answer, because the key names the agent there.
      if (answer?.error?.code !== 'agent_not_found')
        await assertConforms(
          `${url}/console/api`,
          method,
          describedPath(path.split('?')[0] ?? ''),
          response.status,
          answer,
        )
      return { status: response.status, headers: response.headers, text, body: answer }
    },
  }
  return console
}

/** Returns the path that describes one below /console/api: what a key and token may call is described only once. */
function describedPath(path: string): string {
  const [, ofAgent] = /^\/agents\/[^/]+(\/(?!keys\b).+)$/.exec(path) ?? []
  if (ofAgent) return `/api/v1${ofAgent}`
  return /^\/(operators|groups|team|agents|tokens|audit)\b/.test(path)
    ? `/api/v1${path}`
    : `/console/api${path}`
}

/** Adds a new person to a team and signs them in. */
export async function signInNew(
  app: TestApp,
  { teamId, right, email }: { teamId: number; right: OperatorRight; email?: string },
): Promise<TestConsole & { operatorId: number; email: string }> {
  const { database, clock } = app.app.foundation
  const address = email ?? `person-${crypto.randomUUID()}@example.com`
  const wish = { email: address, right, name: 'Test Person' }
  const dependencies = { ...database, mailLink: async () => {} }
  const { operator, token } = await inviteOperator(dependencies, teamId, wish, byCommandLine, clock())
  const console = openConsole(app)
  const joined = await console.call('POST', '/join', { token, password: PASSWORD })
  assert.equal(joined.status, 200, joined.text)
  return Object.assign(console, { operatorId: operator.id, email: address })
}

/** Creates the token of a link for the first owner of a team. */
export function firstLink(app: TestApp, teamId: number): Promise<string> {
  const { database, clock } = app.app.foundation
  return database.db.transaction().execute((db) => addFirstOperator(db, teamId, clock()))
}
