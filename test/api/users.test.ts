import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'
import { assertError, type PromptAnswer, type TestAgent } from '../support/app.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { addChannel, LINE_DESTINATION, lineFollow, startPlatformPeer } from '../support/platform-peer.ts'
import { shared } from '../support/shared.ts'

onBothEngines(
  'POST /users/{id}/scrub and /anonymize',
  (service) => {
    it('200: all completions of the end user, in batches, and nobody else’s', async () => {
      const agent = await service.addAgent()
      const mine = []
      for (let n = 0; n < 3; n++) mine.push(await agent.prompt(`${n} ada@example.org`, { user: 'ada' }))
      const other = await agent.prompt('bob@example.org', { user: 'bob' })
      const another = await service.addAgent()
      const namesake = await another.prompt('ada@example.org', { user: 'ada' })
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
      const { body } = await another.get(`/chat/completions/${namesake.id}`)
      assert.equal(body.data.prompt, 'ada@example.org')
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
      const nobodys = await agent.prompt('elsewhere')
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
      const { prompt, user_id } = (await agent.get(`/chat/completions/${nobodys.id}`)).body.data
      assert.deepEqual([prompt, user_id], ['elsewhere', null])
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

onBothEngines(
  'POST /users/{id}/scrub and /anonymize, of messages without a prompt',
  (service) => {
    const peer = shared(startPlatformPeer)
    afterEach(() => {
      peer().sent.length = 0
    })

    const ADA = `U${'a'.repeat(32)}`
    const BOB = `U${'b'.repeat(32)}`

    /** Two people who follow the agent's account and have written nothing: the ids of their conversations. */
    async function followed(agent: TestAgent) {
      const channel = await addChannel(agent, 'messenger-three', peer())
      const events = [ADA, BOB].map((user) => lineFollow(user, `${channel.id}-${user}`))
      const before = peer().sent.length
      await channel.post({ destination: LINE_DESTINATION, events })
      await peer().untilSent(before + 2)
      return { ada: `messenger-three:${channel.id}:${ADA}`, bob: `messenger-three:${channel.id}:${BOB}` }
    }

    const said = async (agent: TestAgent, conversation: string) =>
      (await agent.get(`/conversations/${conversation}/messages`)).body.data.map(
        ({ content, author, redacted }: Record<string, string | null>) => [content, author, redacted],
      )
    const redact = async (agent: TestAgent, user: string, mode: string) => {
      const { messages_redacted, remaining } = (await agent.post(`/users/${user}/${mode}`)).body.data
      return [messages_redacted, remaining]
    }

    it('200: greetings, pause messages and people’s answers, in batches, and nobody else’s', async () => {
      const greeting = 'Write to shop@example.org'
      const agent = await service.addAgent({ settings: { greeting, pause_message: greeting } })
      const { ada, bob } = await followed(agent)
      const another = await service.addAgent({ settings: { greeting } })
      const namesake = (await followed(another)).ada
      await agent.post('/pause')
      await agent.post(`/conversations/${ada}/messages`, { content: 'Ask tom@example.org', author: 'Tom' })
      assert.deepEqual(await redact(agent, ADA, 'anonymize'), [2, 1])
      assert.deepEqual(await redact(agent, ADA, 'anonymize'), [1, 0])
      assert.deepEqual(await redact(agent, ADA, 'anonymize'), [0, 0])
      assert.deepEqual(await said(agent, ada), [
        ['Write to [EMAIL_ADDRESS]', null, 'anonymize'],
        ['Write to [EMAIL_ADDRESS]', null, 'anonymize'],
        ['Ask [EMAIL_ADDRESS]', '[PERSON]', 'anonymize'],
      ])
      assert.deepEqual(await redact(agent, ADA, 'scrub'), [2, 1])
      assert.deepEqual(await redact(agent, ADA, 'scrub'), [1, 0])
      assert.deepEqual(await redact(agent, ADA, 'anonymize'), [0, 0])
      assert.deepEqual(await said(agent, ada), [
        ['[REDACTED]', null, 'scrub'],
        ['[REDACTED]', null, 'scrub'],
        ['[REDACTED]', '[REDACTED]', 'scrub'],
      ])
      assert.deepEqual(await said(agent, bob), [
        [greeting, null, null],
        [greeting, null, null],
      ])
      assert.deepEqual(await said(another, namesake), [[greeting, null, null]])
      await peer().untilSent(7)
    })

    it('200: beside prompts, those of whose conversation it is', async () => {
      const agent = await service.addAgent({ settings: { pause_message: 'Back soon' } })
      const external_id = `shared-${agent.agentId}`
      service.model.next({ text: 'Hello Ada' })
      await agent.prompt('I am Ada', { external_id, user: 'ada' })
      service.model.next({ text: 'Hello Bob' })
      await agent.prompt('I am Bob', { external_id, user: 'bob' })
      await agent.post('/pause')
      const texts = async () => (await said(agent, external_id)).map(([content]: string[]) => content)
      assert.deepEqual(await redact(agent, 'bob', 'scrub'), [2, 0])
      assert.deepEqual(await texts(), ['I am Ada', 'Hello Ada', '[REDACTED]', '[REDACTED]', 'Back soon'])
      assert.deepEqual(await redact(agent, 'ada', 'scrub'), [2, 1])
      assert.deepEqual(await redact(agent, 'ada', 'scrub'), [1, 0])
      assert.deepEqual(await texts(), Array(5).fill('[REDACTED]'))
    })

    it('200: several at once rewrite each row once', async () => {
      const agent = await service.addAgent({ settings: { greeting: 'Welcome' } })
      const { ada } = await followed(agent)
      for (let n = 0; n < 8; n++)
        await agent.post(`/conversations/${ada}/messages`, { content: `${n} tom@example.org` })
      let rewritten = 0
      for (let left = 1; left > 0; ) {
        const results = await Promise.all([1, 2, 3].map(() => redact(agent, ADA, 'scrub')))
        for (const [redacted] of results) rewritten += redacted
        left = Math.min(...results.map(([, remaining]) => remaining))
      }
      assert.equal(rewritten, 9)
      await peer().untilSent(10)
    })

    if (service.engine === 'sqlite') {
      it('the text is in files of the data directory before and in none after', async () => {
        const agent = await service.addAgent({ settings: { greeting: 'Welcome' } })
        const { ada } = await followed(agent)
        await agent.post(`/conversations/${ada}/messages`, { content: 'Ask the okapi' })
        await peer().untilSent(3)
        assert.notDeepEqual(await filesWith(service.app.dataDir, 'okapi'), [])
        assert.deepEqual(await redact(agent, ADA, 'scrub'), [2, 0])
        assert.deepEqual(await filesWith(service.app.dataDir, 'okapi'), [])
      })
    }
  },
  { PARLEY_REDACTION_BATCH: '2' },
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
