import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type PromptAnswer } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines(
  'POST /users/{id}/scrub and /anonymize',
  (service) => {
    it('200: all completions of the end user, in batches, and nobody else’s', async () => {
      const agent = await service.addAgent()
      const mine = []
      for (let n = 0; n < 3; n++) mine.push(await agent.prompt(`${n} ada@example.org`, { user: 'ada' }))
      const other = await agent.prompt('bob@example.org', { user: 'bob' })
      const results = []
      for (let n = 0; n < 3; n++) results.push((await agent.post('/users/ada/scrub')).body.data)
      assert.deepEqual(results, [
        { id: 'ada', mode: 'scrub', messages_redacted: 4, remaining: 2 },
        { id: 'ada', mode: 'scrub', messages_redacted: 2, remaining: 0 },
        { id: 'ada', mode: 'scrub', messages_redacted: 0, remaining: 0 },
      ])
      for (const { id } of mine) {
        const { prompt, response, user_id } = (await agent.get(`/chat/completions/${id}`)).body.data
        assert.deepEqual([prompt, response, user_id], ['[REDACTED]', '[REDACTED]', 'ada'])
      }
      assert.equal((await agent.get(`/chat/completions/${other.id}`)).body.data.prompt, 'bob@example.org')
    })

    it('200: when no message row remains, nothing beside the messages does', async () => {
      const agent = await service.addAgent()
      const prompts = []
      for (let n = 0; n < 5; n++) prompts.push(await agent.prompt(`${n}`, { user: 'ada' }))
      for (let n = 0; n < 3; n++) await agent.post('/users/ada/scrub')
      for (const { id } of prompts)
        await agent.post(`/chat/completions/${id}/feedback`, { feedback: 'ada@example.org' })
      const { body } = await agent.post('/users/ada/scrub')
      assert.deepEqual(body.data, { id: 'ada', mode: 'scrub', messages_redacted: 0, remaining: 0 })
      for (const { id } of prompts)
        assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.feedback, '[REDACTED]')
    })

    it('200: prompts that name nobody, before and after, are of the user of their conversation', async () => {
      const agent = await service.addAgent()
      const external_id = `named-late-${agent.agentId}`
      await agent.prompt('before ada@example.org', { external_id })
      await agent.prompt('named', { external_id, user: 'ada' })
      await agent.prompt('after ada@example.org', { external_id })
      await agent.prompt('another person', { external_id, user: 'bob' })
      for (let n = 0; n < 2; n++) await agent.post('/users/ada/scrub')
      const { data } = (await agent.get(`/chat/completions?conversation_id=${external_id}`)).body
      assert.deepEqual(
        data.map(({ prompt, user_id }: { prompt: string; user_id: string }) => [prompt, user_id]),
        [
          ['another person', 'bob'],
          ['[REDACTED]', 'ada'],
          ['[REDACTED]', 'ada'],
          ['[REDACTED]', 'ada'],
        ],
      )
    })

    it('200: anonymize redacts findings alone, for an id with any characters', async () => {
      const agent = await service.addAgent()
      const user = 'team/ada?é'
      const { id } = await agent.prompt('Write to ada@example.org', { user })
      const { status, body } = await agent.post(`/users/${encodeURIComponent(user)}/anonymize`)
      assert.equal(status, 200)
      assert.equal(body.data.remaining, 0)
      assert.equal((await agent.get(`/chat/completions/${id}`)).body.data.prompt, 'Write to [EMAIL_ADDRESS]')
    })

    it('404: an end user the agent has not seen, also when another agent has', async () => {
      const agent = await service.addAgent()
      const sibling = await service.addAgent({ teamId: agent.teamId })
      await sibling.prompt('Hello', { user: 'eve' })
      assertError(await agent.post('/users/eve/scrub'), 404, 'user_not_found')
      assertError(await agent.post('/users/%00/anonymize'), 404, 'user_not_found')
    })

    it('403: without credentials', async () => {
      const agent = await service.addAgent()
      assertError(
        await agent.post('/users/ada/scrub', undefined, { authorization: '' }),
        403,
        'invalid_credentials',
      )
    })
  },
  { PARLEY_REDACTION_BATCH: '4' },
)

onBothEngines('POST /users/{id}/scrub and /anonymize at once', (service) => {
  it('200: redactions do not keep each other from ending, while feedback comes in', async () => {
    const agent = await service.addAgent()
    const prompts: PromptAnswer[] = []
    for (let n = 0; n < 40; n++) prompts.push(await agent.prompt(`${n} ada@example.org`, { user: 'ada' }))
    const redactAgain = async (mode: string) => {
      for (let n = 0; n < 8; n++) assert.equal((await agent.post(`/users/ada/${mode}`)).status, 200)
    }
    const feedbackAgain = async (step: number) => {
      for (let n = 0; n < 80; n++) {
        const { id } = prompts[(n * step) % prompts.length] as PromptAnswer
        const { status } = await agent.post(`/chat/completions/${id}/feedback`, {
          feedback: 'ada@example.org',
        })
        assert.equal(status, 200)
      }
    }
    const modes = ['anonymize', 'scrub', 'anonymize', 'scrub', 'anonymize', 'scrub']
    await Promise.all([...modes.map(redactAgain), ...[7, 11, 13].map(feedbackAgain)])
  })
})
