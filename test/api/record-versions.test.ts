import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { assertError, type TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { compile, documentOf } from '../support/conforms.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

interface Kind {
  /** Makes a record and returns its path. */
  make: (agent: TestAgent) => Promise<string>
  /** A field that people change, and values for it. */
  field?: string
  values?: [unknown, unknown, unknown]
}

async function added(agent: TestAgent, path: string, body: object): Promise<string> {
  const { status, text, body: answer } = await agent.post(path, body)
  assert.equal(status, 201, text)
  return `${path}/${answer.data.id}`
}

const nowhere = 'http://127.0.0.1:9/'
const keywords = { name: 'k', kind: 'keywords', settings: { words: ['x'] } }

/** The records that people edit, by the path of their PATCH. */
const kinds: Record<string, Kind> = {
  '/agent': { make: async () => '/agent' },
  '/agents/{id}': { make: async ({ agentId }) => `/agents/${agentId}` },
  '/team': { make: async () => '/team' },
  '/operators/{id}': {
    make: (agent) => added(agent, '/operators', { email: `a${agent.agentId}@example.com`, right: 'read' }),
  },
  '/groups/{id}': {
    make: (agent) => added(agent, '/groups', { name: 'g', operators: [], agents: [] }),
  },
  '/users/{id}': {
    make: async (agent) => {
      await agent.prompt('hi', { user: 'ann' })
      return '/users/ann'
    },
  },
  '/channels/{id}': { make: (agent) => added(agent, '/channels', { kind: 'messenger-one' }) },
  '/notifications/{id}': {
    make: (agent) => added(agent, '/notifications', { name: 'n', url: nowhere, events: ['error'] }),
  },
  '/guardrails/{id}': {
    make: async (agent) => {
      const evaluator_id = Number((await added(agent, '/evaluators', keywords)).split('/').at(-1))
      return added(agent, '/guardrails', { name: 'g', on: 'prompt', action: 'flag', evaluator_id })
    },
  },
  '/ctas/{id}': { make: (agent) => added(agent, '/ctas', { name: 'c', content: 'See' }) },
  '/automations/{id}': {
    make: (agent) => added(agent, '/automations', { name: 'a', actions: [{ type: 'tag', tag: 'x' }] }),
  },
  '/macros/{id}': {
    make: (agent) =>
      added(agent, '/macros', { name: 'm', actions: [{ type: 'end_conversation' }], shared: true }),
  },
  '/evaluators/{id}': { make: (agent) => added(agent, '/evaluators', keywords) },
  '/tools/{id}': {
    make: (agent) => added(agent, '/tools', { kind: 'http', name: 't', description: 'd', url: nowhere }),
  },
  '/knowledge/{id}': {
    make: (agent) => added(agent, '/knowledge', { title: 'A', content: 'Some text' }),
    field: 'title',
  },
  '/knowledge/proposals/{id}': {
    make: async (agent) => {
      const { conversation_id } = await agent.prompt('Can I swap a gift?')
      await agent.post(`/conversations/${conversation_id}/messages`, { content: 'Yes.', author: 'Tom' })
      const { body } = await agent.post('/knowledge/proposals', { conversation_id })
      const path = `/knowledge/proposals/${body.data.id}`
      await becomes(async () => (await agent.get(path)).body.data.state, 'open')
      return path
    },
    field: 'answer',
  },
  '/knowledge/imports/{id}': {
    make: (agent) => added(agent, '/knowledge/imports', { url: nowhere }),
    field: 'limit',
    values: [1, 2, 3],
  },
  '/datasets/{id}': { make: (agent) => added(agent, '/datasets', { name: 'd' }) },
  '/datasets/{id}/cases/{case_id}': {
    make: async (agent) => {
      const dataset = await added(agent, '/datasets', { name: 'd' })
      return added(agent, `${dataset}/cases`, { messages: [{ role: 'user', content: 'Hi' }] })
    },
    field: 'tags',
    values: [{ a: '1' }, { a: '2' }, { a: '3' }],
  },
  '/widgets/{id}': { make: (agent) => added(agent, '/widgets', { name: 'w' }) },
  '/targets/{id}': { make: (agent) => added(agent, '/targets', { name: 't', resolution: 1 }) },
  '/replies/{id}': {
    make: (agent) => added(agent, '/replies', { shortcut: 's', content: 'c' }),
    field: 'content',
  },
}

/** Includes what only people have: outdated versions are tested with the account and with saved views. */
const edited = [...Object.keys(kinds), '/console/api/profile', '/views/{id}']

/** Records that have a version of their own kind, or are one value that is set as a whole. */
const others = {
  // Each tag is set and taken away by itself, and a conversation has no fields but the interface's.
  patch: ['/conversations/{id}'],
  // A draft tells what else was written meanwhile (`draft_moved`).
  put: [
    '/console/api/availability',
    '/console/api/notices/read',
    '/console/api/notices/settings',
    '/console/api/notices/{id}/read',
    // Both ask for the present password.
    '/console/api/password',
    '/console/api/two-factor',
    '/conversations/{id}/assignee',
    '/conversations/{id}/draft',
    '/conversations/{id}/outcome',
    '/conversations/{id}/priority',
    '/conversations/{id}/read',
    '/conversations/{id}/snooze',
    '/users/{id}/blocked',
  ],
}

onBothEngines('versions of records', (service) => {
  const documented = async () => {
    const document = await documentOf(service.app.url)
    const pathsOf = (method: string) =>
      Object.keys(document.paths)
        .filter((path) => method in (document.paths[path] ?? {}))
        .map((path) => path.replace(/^\/api\/v1/, ''))
        .toSorted()
    return { document, pathsOf }
  }

  it('every PATCH takes the version that was read, and names 409; each PUT is looked at', async () => {
    const { document, pathsOf } = await documented()
    assert.deepEqual(pathsOf('patch'), [...edited, ...others.patch].toSorted())
    assert.deepEqual(pathsOf('put'), others.put)
    for (const path of edited) {
      const { requestBody, responses } = z
        .object({ requestBody: z.object({ content: z.record(z.string(), z.any()) }), responses: z.any() })
        .parse((document.paths[path] ?? document.paths[`/api/v1${path}`])?.patch)
      assert.ok(409 in responses, `${path}: no 409`)
      const body = compile(requestBody.content['application/json'].schema, document)
      assert.ok(body.safeParse({ version: 'v' }).success, `${path}: takes no version`)
      assert.ok(!body.safeParse({ version: 7 }).success, `${path}: does not declare a version`)
    }
  })

  for (const [kind, { make, field = 'name', values = ['One', 'Two', 'Three'] }] of Object.entries(kinds))
    it(`PATCH ${kind} 409 for an outdated version, which changes nothing; 200 for the present one`, async () => {
      const agent = await service.addAgent()
      const path = await make(agent)
      const read = async () => {
        const one = await agent.get(path)
        if (one.status === 200) return one.body.data
        const list = (await agent.get(path.replace(/\/\d+$/, ''))).body.data
        return list.find(({ id }: { id: number }) => id === Number(path.split('/').at(-1)))
      }
      const change = (value: unknown, version?: string) =>
        agent.patch(path, { [field]: value, ...(version === undefined ? {} : { version }) })
      const acts = async () =>
        (await agent.get('/audit')).body.data.filter(({ action }: { action: string }) =>
          action.endsWith('.changed'),
        ).length

      const { version } = await read()
      const changed = await change(values[0])
      assert.equal(changed.status, 200, changed.text)
      const [before, act] = [await read(), await acts()]
      assert.equal(changed.body.data.version, before.version)
      assertError(await change(values[1], version), 409, 'version_outdated')
      const after = await read()
      assert.deepEqual([after.version, after[field]], [before.version, values[0]])
      assert.equal(after.updated_at, before.updated_at)
      assert.equal(await acts(), act)

      const both = await Promise.all([change(values[1], after.version), change(values[2], after.version)])
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409], both[0]?.text)
      const winner = both.find(({ status }) => status === 200)?.body.data
      const stored = await read()
      assert.deepEqual([stored.version, stored[field]], [winner.version, winner[field]])
      assert.equal((await change(values[0], stored.version)).status, 200)
      assert.equal((await change(values[1])).status, 200)
    })
})
