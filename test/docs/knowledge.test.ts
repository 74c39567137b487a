import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bodyIn, exampleIn, runCurl } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const GUIDE = 'docs/knowledge.md'

onBothEngines(
  'the guide to knowledge',
  (service) => {
    it('has a document that is answered from, with where it stands', async () => {
      const agent = await service.addAgent()
      await runCurl(agent, exampleIn(GUIDE, 'sh', '/knowledge -H'))
      const { choices, citations } = await agent.prompt('Can I return a kettle?')
      assert.equal(choices[0].message.content, 'You may return a kettle within 30 days.')
      assert.deepEqual(citations, [
        {
          title: 'Returns',
          url: 'https://example.com/returns#returns',
          snippet: 'You may return a kettle within 30 days.',
        },
      ])
      const [found] = (await agent.get('/knowledge/search?q=return%20a%20kettle')).body.data
      assert.deepEqual([found.title, found.coverage], ['Returns', 1])
    })

    it('has an FAQ entry that is found by each way to ask', async () => {
      const agent = await service.addAgent()
      const entry = bodyIn(GUIDE, '"questions"')
      const { title, content, questions } = JSON.parse(entry)
      assert.equal((await agent.post('/knowledge', entry)).status, 201)
      // Another document has a word of the question, and is not wanted.
      await agent.post('/knowledge', { title: 'Logs', content: 'What the log holds: one line a request.' })
      for (const question of [title, ...questions])
        assert.equal((await agent.prompt(question)).choices[0].message.content, content, question)
    })
  },
  { PARLEY_MODEL_URL: '' },
)
