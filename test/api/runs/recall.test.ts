import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { addDataset, asks, endOfRun, runOf, startRun } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

const RETURNS = {
  title: 'Returns',
  url: 'https://example.com/returns',
  content: '# Kettles\n\nA kettle can be returned within 30 days.',
}
const HOURS = { source: 'hours.md', title: 'Opening hours', content: 'The shop is open from nine to six.' }

async function learns(agent: TestAgent, ...documents: object[]): Promise<number[]> {
  const ids: number[] = []
  for (const document of documents) {
    const { status, body, text } = await agent.post('/knowledge', document)
    assert.ok(status < 300, text)
    ids.push(body.data.id)
  }
  return ids
}

const finds = (value: string, heading?: string) => ({ kind: 'finds', value, ...(heading ? { heading } : {}) })

onBothEngines('recall of passages', (service) => {
  it('a page by title, address or source, whatever the answer; its place, and the share that is found', async () => {
    const agent = await service.addAgent()
    await learns(agent, RETURNS, HOURS)
    const { id } = await addDataset(agent, [
      asks('Can a kettle be returned?', [
        finds('returns'),
        finds('https://example.com/returns/#kettles', 'kettles'),
      ]),
      asks('When is the shop open?', [finds('hours.md')]),
      asks('Can a kettle be returned?', [finds('Return'), finds('Returns', 'Teapots')]),
      asks('Hello', [finds('Returns')]),
    ])
    service.model.answer = { text: 'I do not know.' }
    const { results, recall, passed } = await runOf(agent, id)
    assert.equal(passed, 2)
    const reasons = results.map(({ failures }: { failures: { reason: string }[] }) =>
      failures.map(({ reason }) => reason),
    )
    const given = 'The model was given: Returns, Opening hours'
    assert.deepEqual(reasons, [[], [], [given, given], ['The model was given no page.']])
    assert.deepEqual(
      results.map(({ ranks }: { ranks: unknown }) => ranks),
      [[1, 1], [1], [null, null], [null]],
    )
    assert.deepEqual(recall, { expected: 6, found: 0.5, first_three: 0.5, reciprocal_rank: 0.5 })
  })

  it('a run without such an expectation has no recall', async () => {
    const agent = await service.addAgent()
    const { id } = await addDataset(agent, [asks('Hello')])
    assert.equal((await runOf(agent, id)).recall, null)
  })

  it('documents: what they were, and that they changed during the run or between two', async () => {
    const agent = await service.addAgent()
    const [returns] = await learns(agent, RETURNS, HOURS)
    const { id, cases } = await addDataset(agent, [asks('Can a kettle be returned?')])
    const first = await runOf(agent, id)
    assert.equal(first.documents.count, 2)
    assert.deepEqual([first.documents_changed, first.documents_changed_cases], [false, []])
    const go = Promise.withResolvers<void>()
    service.model.answer = { after: go.promise }
    const asked = service.model.requests.length
    const started = await startRun(agent, id)
    await service.model.request(asked)
    assert.equal((await agent.patch(`/knowledge/${returns}`, { text: 'Not at all.' })).status, 200)
    go.resolve()
    const second = await endOfRun(agent, started, `?against=${first.id}`)
    assert.deepEqual(second.documents, first.documents)
    assert.deepEqual(
      [second.documents_changed, second.documents_changed_cases, second.results[0].documents_changed],
      [true, cases, true],
    )
    assert.equal(second.same_documents, true)
    service.model.answer = {}
    const third = await runOf(agent, id)
    const compared = await endOfRun(agent, third.id, `?against=${first.id}`)
    assert.deepEqual([compared.same_documents, compared.documents_changed], [false, false])
    await learns(agent, RETURNS)
    const fourth = await runOf(agent, id)
    assert.deepEqual(fourth.documents, first.documents, 'the same documents have the same hash')
  })
})

onBothEngines(
  'recall of the built-in answerer',
  (service) => {
    it('what it found, also for a question that follows another one', async () => {
      const agent = await service.addAgent()
      await learns(
        agent,
        RETURNS,
        { title: 'Pots', content: 'The price of a pot is 30 euros.' },
        { title: 'Mugs', content: 'The price of a mug is 20 euros.' },
      )
      const messages = [
        { role: 'user', content: 'Do you have a mug?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'the price?' },
      ]
      const { id } = await addDataset(agent, [
        asks('Can a kettle be returned?', [finds('Returns')]),
        { messages, expectations: [finds('Mugs')] },
        asks('thank you', [finds('Returns')]),
      ])
      const { results, used } = await runOf(agent, id)
      assert.deepEqual(
        results.map(({ ranks }: { ranks: unknown }) => ranks),
        [[1], [1], [null]],
      )
      assert.deepEqual([used.calls, used.cost], [0, 0])
    })
  },
  { PARLEY_MODEL_URL: '' },
)
