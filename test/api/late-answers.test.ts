import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const EMAIL = 'grace.hopper@example.org'
const OTHER = 'ada@example.org'

onBothEngines('answers that are still being made when they are redacted', (service) => {
  const read = async (agent: TestAgent, id: string) => (await agent.get(`/chat/completions/${id}`)).body.data

  /** A prompt that a guardrail's evaluator quotes, while a model is about to stream its answer. */
  async function openPrompt(ending: 'end' | 'cut') {
    const agent = await service.addAgent()
    const evaluator = { name: 'E', kind: 'keywords', settings: { words: [EMAIL] } }
    const { data } = (await agent.post('/evaluators', evaluator)).body
    await agent.post('/guardrails', { name: 'G', evaluator_id: data.id, on: 'prompt', action: 'flag' })
    const feed = service.model.feed({ ...(ending === 'cut' ? { ending } : {}) })
    const messages = [{ role: 'user', content: `I am ${EMAIL}` }]
    const answering = agent.post('/chat/completions', { messages, stream: true })
    await service.model.request(0)
    const [{ id, conversation_id }] = (await agent.get('/chat/completions')).body.data
    return {
      agent,
      id: id as string,
      conversation: conversation_id as string,
      async answer() {
        feed.push(`You are ${EMAIL}`)
        const cited = { url: 'https://example.com/', title: 'A page', content: `Of ${EMAIL}` }
        feed.push({ annotations: [{ type: 'url_citation', url_citation: cited }] })
        feed.end()
        await answering
      },
    }
  }

  /** Texts given while the answer is made; how often each is stored, how many messages the next redaction changes. */
  const meanwhile = {
    'a person leaves a note': {
      says: (agent: TestAgent, _id: string, conversation: string) =>
        agent.post(`/conversations/${conversation}/notes`, { text: `Ask ${OTHER}` }),
      stored: { texts: 0, messages: 0 },
    },
    'feedback is given': {
      says: (agent: TestAgent, id: string) =>
        agent.post(`/chat/completions/${id}/feedback`, { feedback: `Ask ${OTHER}` }),
      stored: { texts: 1, messages: 0 },
    },
    'it is flagged': {
      says: (agent: TestAgent, id: string) =>
        agent.post(`/chat/completions/${id}/flag`, { flagged: true, reason: `Ask ${OTHER}` }),
      stored: { texts: 1, messages: 0 },
    },
    'a flag is taken back, with a reason': {
      says: (agent: TestAgent, id: string) =>
        agent.post(`/chat/completions/${id}/flag`, { flagged: false, reason: `Ask ${OTHER}` }),
      stored: { texts: 0, messages: 0 },
    },
  }

  for (const [what, { says, stored }] of Object.entries(meanwhile))
    for (const modes of [['scrub'], ['anonymize'], ['anonymize', 'scrub']])
      for (const ending of what === 'feedback is given' ? (['end', 'cut'] as const) : (['end'] as const))
        it(`are redacted although ${what}: ${modes.join(', then ')}${ending === 'cut' ? ', when the model fails' : ''}`, async () => {
          const { agent, id, conversation, answer } = await openPrompt(ending)
          const last = modes.at(-1)
          const redact = async () => (await agent.post(`/chat/completions/${id}/${last}`)).body.data
          for (const mode of modes) {
            const { data } = (await agent.post(`/chat/completions/${id}/${mode}`)).body
            assert.equal(data.remaining, 0)
          }
          await says(agent, id, conversation)
          await answer()

          const kept = await read(agent, id)
          assert.doesNotMatch(JSON.stringify(kept), new RegExp(EMAIL))
          assert.equal(kept.response, last === 'scrub' ? '[REDACTED]' : 'You are [EMAIL_ADDRESS]')
          const snippet = last === 'scrub' ? '[REDACTED]' : 'Of [EMAIL_ADDRESS]'
          assert.deepEqual(
            kept.citations.map((citation: { snippet: string }) => citation.snippet),
            [snippet],
          )
          assert.equal(kept.evaluations[0].content, '[REDACTED]')

          // The text given meanwhile stays until the next redaction.
          assert.equal(JSON.stringify(kept).split(OTHER).length - 1, stored.texts)
          const { messages_redacted, remaining } = await redact()
          assert.deepEqual([messages_redacted, remaining], [stored.messages, 0])
          const after = await read(agent, id)
          assert.doesNotMatch(JSON.stringify(after), new RegExp(OTHER))
          for (const { redacted } of after.messages) assert.equal(redacted, last)
        })

  it('a flag that is taken back leaves nothing to redact, whatever its reason', async () => {
    const agent = await service.addAgent()
    const { id } = await agent.prompt('Hello')
    await agent.post(`/chat/completions/${id}/scrub`)
    await agent.post(`/chat/completions/${id}/flag`, { flagged: false, reason: `Ask ${OTHER}` })
    const { redacted, flag_reason } = await service.app.app.foundation.database.db
      .selectFrom('completions')
      .select(['redacted', 'flag_reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([redacted, flag_reason], ['scrub', null])
  })
})
