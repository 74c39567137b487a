import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestAgent, type TestAnswer, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

const place = fc.integer({ min: 0, max: 3 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('prompt' as const), place, text: fc.string({ maxLength: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('list' as const), page: fc.integer({ min: -1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('conversation' as const),
      place,
      what: fc.constantFrom('pause', 'resume', 'end', 'messages', 'read'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('completion' as const),
      number: fc.integer({ min: 0, max: 12 }),
      what: fc.constantFrom('scrub', 'anonymize', 'like', 'flag', 'feedback', 'read'),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe('both engines', () => {
  let model: ModelServer
  const apps: TestApp[] = []

  before(async () => {
    model = await startModelServer()
    for (const engine of engines) apps.push(await startApp(engine, { PARLEY_MODEL_URL: model.url }))
  })
  after(async () => {
    for (const app of apps) await app.close()
    await model.close()
  })

  it('give the same answers to the same calls', async () => {
    const run = async (steps: Step[]) => {
      const answers = []
      for (const app of apps) answers.push(await play(await app.addAgent(), steps))
      assert.deepEqual(answers[0], answers[1])
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), run), { numRuns: 30 })
  })
})

/** Makes the calls of a sequence, and returns what was answered without what differs by nature. */
async function play(agent: TestAgent, steps: Step[]): Promise<unknown[]> {
  const made: string[] = []
  const answers: unknown[] = []
  for (const step of steps) {
    const answer = await take(agent, step, made)
    if (step.do === 'prompt' && answer.status === 200) made.push(answer.body.id)
    answers.push([step, answer.status, normalize(answer.body)])
  }
  return answers
}

function take(agent: TestAgent, step: Step, made: string[]): Promise<TestAnswer> {
  switch (step.do) {
    case 'prompt': {
      const messages = [{ role: 'user', content: `${step.text} ada@example.org` }]
      const external_id = step.place === 0 ? null : `${agent.agentId}-${step.place}`
      return agent.post('/chat/completions', { messages, external_id, user: `user-${step.place}` })
    }
    case 'list':
      return agent.get(`/conversations?page=${step.page}&per_page=2`)
    case 'pause':
    case 'resume':
      return agent.post(`/${step.do}`)
    case 'conversation': {
      const path = `/conversations/${agent.agentId}-${step.place}`
      if (step.what === 'read') return agent.get(`${path}/messages`)
      return agent.post(
        `${path}/${step.what}`,
        step.what === 'messages' ? { content: 'I am a person' } : undefined,
      )
    }
    case 'completion': {
      const path = `/chat/completions/${made[step.number] ?? '0'}`
      if (step.what === 'read') return agent.get(path)
      const bodies: Record<string, unknown> = {
        like: { liked: true },
        flag: { flagged: true, reason: 'ada@example.org' },
        feedback: { feedback: 'from ada@example.org', score: 3 },
      }
      return agent.post(`${path}/${step.what}`, bodies[step.what])
    }
  }
}

const BY_NATURE =
  /^(id|number|conversation_id|completion_id|request_id|agent_id|team_id|created|external_id)$/

/** Replaces ids and times by their types: their values differ by nature, but whether there is one still counts. */
function normalize(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalize(item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, normalize(field, name)]))
  }
  if (value !== null && (BY_NATURE.test(key) || key.endsWith('_at'))) return typeof value
  return value
}
