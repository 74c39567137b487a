import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { addDataset, runOf } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

const MAIL = 'ann@example.com'
const OLDER = 'bob@example.com'

onBothEngines('redaction of completions of which cases are made', (service) => {
  async function caseOfTwo(agent: TestAgent) {
    const first = await agent.prompt(`I am ${OLDER}`, { user: 'ann' })
    const { conversation_id } = first
    const second = await agent.prompt(`I am ${MAIL}`, { conversation_id, user: 'ann' })
    const { id } = await addDataset(agent)
    const expectations = [{ kind: 'contains', value: MAIL }]
    const made = await agent.post(`/datasets/${id}/cases`, { completion_id: second.id, expectations })
    assert.equal(made.status, 201, made.text)
    const run = await runOf(agent, id)
    assert.equal(run.passed, 1)
    const textsNow = async () => {
      const cases = await agent.get(`/datasets/${id}/cases`)
      return cases.text + (await agent.get(`/runs/${run.id}`)).text
    }
    assert.ok((await textsNow()).includes(MAIL) && (await textsNow()).includes(OLDER))
    return { first, second, id, run, textsNow }
  }

  async function stored(agent: TestAgent): Promise<string> {
    const { db } = service.app.app.foundation.database
    const texts = await db
      .selectFrom('case_texts')
      .selectAll()
      .where('agent_id', '=', agent.agentId)
      .execute()
    const results = await db
      .selectFrom('test_results')
      .selectAll()
      .where('agent_id', '=', agent.agentId)
      .execute()
    return JSON.stringify([texts, results])
  }

  for (const mode of ['anonymize', 'scrub']) {
    it(`${mode}: reaches the case, its copy in a run and what was said there`, async () => {
      const agent = await service.addAgent()
      const { second, textsNow } = await caseOfTwo(agent)
      const { status, text } = await agent.post(`/chat/completions/${second.id}/${mode}`)
      assert.equal(status, 200, text)
      const now = (await textsNow()) + (await stored(agent))
      assert.ok(!now.includes(MAIL), now)
      assert.ok(now.includes(OLDER), 'what belongs to another completion stays')
    })

    it(`${mode}: of an earlier completion of the conversation reaches its messages`, async () => {
      const agent = await service.addAgent()
      const { first, textsNow, run } = await caseOfTwo(agent)
      const { status, text } = await agent.post(`/chat/completions/${first.id}/${mode}`)
      assert.equal(status, 200, text)
      const now = (await textsNow()) + (await stored(agent))
      assert.ok(!now.includes(OLDER), now)
      assert.ok(now.includes(MAIL))
      const { body } = await agent.get(`/runs/${run.id}`)
      assert.equal(body.data.results[0].response, null, 'an answer may repeat what was said before')
    })

    it(`${mode} of a user: reaches all of it, also after a message was changed`, async () => {
      const agent = await service.addAgent()
      const { id, textsNow } = await caseOfTwo(agent)
      const [made] = (await agent.get(`/datasets/${id}/cases`)).body.data
      const messages = made.messages.map(({ role, content }: { role: string; content: string }) => ({
        role,
        content: `${content}!`,
      }))
      await agent.patch(`/datasets/${id}/cases/${made.id}`, { messages })
      const { status, text } = await agent.post(`/users/ann/${mode}`)
      assert.equal(status, 200, text)
      const now = (await textsNow()) + (await stored(agent))
      assert.ok(!now.includes(MAIL) && !now.includes(OLDER), now)
      const again = await runOf(agent, id)
      assert.equal(again.status, 'done', 'what is left can be run')
    })
  }

  it('while a case runs: what was said is not kept', async () => {
    const agent = await service.addAgent()
    const { id: completion_id } = await agent.prompt(`I am ${MAIL}`)
    const { id } = await addDataset(agent, [{ completion_id }])
    const go = Promise.withResolvers<void>()
    const asked = service.model.requests.length
    service.model.next({ after: go.promise })
    const running = runOf(agent, id)
    await service.model.request(asked)
    await agent.post(`/chat/completions/${completion_id}/anonymize`)
    go.resolve()
    const { results } = await running
    assert.equal(results[0].response, null)
    assert.match(results[0].failures[0].reason, /redacted while it ran/)
    assert.ok(!(await stored(agent)).includes(MAIL))
  })
})
