import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

onBothEngines(
  'synonyms',
  (service) => {
    async function informed(synonyms?: string[][]) {
      const agent = await service.addAgent(synonyms ? { settings: { synonyms } } : {})
      for (const [title, content] of [
        ['Refunds', 'You get a refund within a week after we received the goods.'],
        ['Shipments', 'A shipment can be followed on the page of the carrier.'],
        ['Opening hours', 'We are open from nine to five, on Saturdays until noon.'],
      ])
        await agent.post('/knowledge', { title, content })
      return agent
    }
    const said = async (agent: Awaited<ReturnType<typeof informed>>, question: string) =>
      String((await agent.prompt(question)).choices[0].message.content)

    it('what is asked in one word is found by another, and answered', async () => {
      const without = await informed()
      assert.match(await said(without, 'Can I follow my parcel?'), /^I am not sure/)
      const agent = await informed([
        ['parcel', 'shipment'],
        ['money back', 'refund'],
      ])
      assert.match(await said(agent, 'Can I follow my parcel?'), /A shipment can be followed/)
      assert.match(await said(agent, 'Do I get my money back?'), /You get a refund/)
      assert.match(await said(agent, 'Where do llamas sleep?'), /^I don't know/)
      await agent.patch('/agent', { synonyms: [] })
      assert.match(await said(agent, 'Can I follow my parcel?'), /^I am not sure/)
    })

    it('count once in a passage that holds several of a group', async () => {
      const agent = await service.addAgent()
      for (const content of [
        'A refund takes five days.',
        'Our reimbursement, which is a refund, is free of zeppelins.',
      ])
        await agent.post('/knowledge', { title: content, content })
      const best = async () => {
        const { body } = await agent.get('/knowledge/search?q=refund+whales')
        return (body.data as { title: string; coverage: number }[]).map(({ title, coverage }) => ({
          title,
          coverage,
        }))
      }
      const before = await best()
      await agent.patch('/agent', { synonyms: [['refund', 'reimbursement']] })
      const after = await best()
      assert.deepEqual(
        after.map(({ title }) => title).toSorted(),
        before.map(({ title }) => title).toSorted(),
      )
      for (const { title, coverage } of after) assert.ok(coverage < 0.6, `${title}: ${coverage}`)
    })

    it('400: what is no list of groups', async () => {
      const agent = await service.addAgent()
      const long = 'x'.repeat(100)
      const wrong = [
        null,
        'parcel',
        ['parcel'],
        [['parcel']],
        [['parcel', '']],
        [['parcel', `${long}x`]],
        [['a', 7]],
      ]
      const large = Array.from({ length: 300 }, () => Array.from({ length: 4 }, () => long))
      for (const synonyms of [...wrong, large]) {
        const answer = await agent.patch('/agent', { synonyms })
        assert.equal(answer.status, 400, JSON.stringify(synonyms).slice(0, 100))
        assertError(answer, 400, 'invalid_request')
      }
    })
  },
  { PARLEY_MODEL_URL: '' },
)
