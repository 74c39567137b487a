import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines(
  'verdicts of /knowledge/search',
  (service) => {
    async function addAgent() {
      const agent = await service.addAgent()
      await agent.post('/knowledge', { title: 'Returns', content: 'You may return a kettle within 30 days.' })
      await agent.post('/knowledge', { title: 'Parking', content: 'There is a garage behind the bakery.' })
      return agent
    }

    it('200: say what the built-in answerer then does, and by which confidence', async () => {
      const agent = await addAgent()
      for (const [question, verdict] of [
        ['May I return a kettle?', 'answer'],
        ['Who returns from the moon to the zeppelin festival?', 'unknown'],
        ['Where do whales sleep?', 'unknown'],
      ] as const) {
        const { body } = await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)
        assert.deepEqual([body.verdict, body.threshold], [verdict, 0.47], question)
        const best = body.data[0]
        assert.equal((best?.confidence ?? 0) >= 0.47, verdict === 'answer', question)
        const { citations } = await agent.prompt(question)
        assert.equal((citations as unknown[]).length > 0, verdict === 'answer', question)
      }
    })

    it('200: follow the threshold of the agent, 0 included', async () => {
      const agent = await addAgent()
      const question = 'Who returns from the moon to the zeppelin festival?'
      const search = async () => (await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)).body
      const isAnswered = async () => ((await agent.prompt(question)).citations as unknown[]).length > 0
      assert.deepEqual([(await search()).verdict, await isAnswered()], ['unknown', false])
      assert.equal((await agent.patch('/agent', { answer_threshold: 0 })).status, 200)
      const { verdict, threshold } = await search()
      assert.deepEqual([verdict, threshold, await isAnswered()], ['answer', 0, true])
      await agent.patch('/agent', { answer_threshold: null })
      assert.deepEqual([(await search()).threshold, await isAnswered()], [0.47, false])
    })

    it('200: show and follow the threshold that was measured on the documents', async () => {
      const agent = await service.addAgent()
      for (const city of 'Oslo Rome Paris Madrid Berlin Vienna Prague Warsaw'.split(' '))
        for (const thing of ['bicycle', 'scooter'])
          await agent.post('/knowledge', {
            title: `Where do I rent a ${thing} in ${city}?`,
            content: `In ${city}, at the station.`,
          })
      const search = async (question: string) =>
        (await agent.get(`/knowledge/search?q=${encodeURIComponent(question)}`)).body
      await becomes(async () => (await search('Oslo')).threshold > 0.47, true)
      const there = 'Where do I rent a bicycle in Rome?'
      const elsewhere = 'Where do I rent a bicycle in Nairobi?'
      for (const [question, verdict] of [
        [there, 'answer'],
        [elsewhere, 'may_help'],
      ] as const) {
        assert.equal((await search(question)).verdict, verdict, question)
        const { citations, choices } = await agent.prompt(question)
        assert.ok((citations as unknown[]).length > 0, question)
        const named = String(choices[0].message.content).startsWith(
          'I am not sure, but these pages may help:',
        )
        assert.equal(named, verdict === 'may_help', question)
      }
      // The threshold does not depend on the question.
      assert.equal((await search('zeppelin')).threshold, (await search('Oslo')).threshold)
      await agent.patch('/agent', { answer_threshold: 0.1 })
      const { threshold, verdict } = await search(elsewhere)
      assert.deepEqual([threshold, verdict], [0.1, 'answer'])
    })

    it('400: a threshold beyond 0 and 1', async () => {
      const agent = await service.addAgent()
      for (const answer_threshold of [-0.1, 1.1, '0.5'])
        assertError(await agent.patch('/agent', { answer_threshold }), 400, 'invalid_request')
    })
  },
  { PARLEY_MODEL_URL: '' },
)
