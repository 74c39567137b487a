import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { retrieveContext } from '../../../src/knowledge/search/retrieve-context.ts'
import type { FoundPassage } from '../../../src/model/findings.ts'

const passage = (id: number, title: string, coverage = 0.5): FoundPassage => ({
  ...{ id, source: title, title, url: null, heading: '', anchor: '', text: `text ${id}` },
  ...{ score: 1, coverage, confidence: coverage, similarity: null },
})

interface Given {
  found: FoundPassage[]
  together?: FoundPassage[]
  all?: FoundPassage[] | null
  beside?: FoundPassage[]
  context_tokens?: number
}

async function given(
  { found, together = [], all = null, beside = [], context_tokens = 16_000 }: Given,
  question = 'Where is the kettle?',
  before?: string,
) {
  const context = await retrieveContext(
    async (_, asked) => ({
      words: [],
      threshold: 0.5,
      passages: typeof asked === 'string' ? found : together,
    }),
    { all: async () => all, beside: async () => beside },
    { id: 1, teamId: 1, settings: { synonyms: [], context_tokens } },
    question,
    before,
  )
  return context && { ...context, ids: context.passages.map(({ id }) => id) }
}

describe('the passages that a model is given', () => {
  it('are found for queries without another search for the question', async () => {
    const searched: unknown[] = []
    const found = { words: [], threshold: 0.5, passages: [passage(1, 'a')] }
    const context = await retrieveContext(
      async (_, asked) => {
        searched.push(asked)
        return { ...found, passages: [passage(2, 'b')] }
      },
      { all: async () => null, beside: async () => [] },
      { id: 1, teamId: 1, settings: { synonyms: [], context_tokens: 16_000 } },
      ...(['Is it free?', undefined, { queries: ['price of the kettle'], found }] as const),
    )
    assert.deepEqual(searched, [['price of the kettle']])
    assert.deepEqual(
      context?.passages.map(({ id }) => id),
      [2, 1],
    )
  })

  it('are all of a small collection, what was found first', async () => {
    const all = [passage(1, 'a', 0), passage(2, 'b', 0), passage(3, 'c', 0)]
    assert.deepEqual((await given({ found: [passage(2, 'b')], all }))?.ids, [2, 1, 3])
  })

  it('are the best, what stands beside them, and the best of each other document', async () => {
    const found = [1, 2, 3, 4, 5, 6].map((id) => passage(id, 'a')).concat(passage(7, 'b'))
    assert.deepEqual((await given({ found, beside: [passage(9, 'a', 0)] }))?.ids, [1, 2, 3, 4, 5, 9, 7, 6])
  })

  it('leave room for the rest of the context', async () => {
    const found = Array.from({ length: 40 }, (_, id) => passage(id, `t${id}`))
    assert.equal((await given({ found, context_tokens: 1000 }))?.ids.length, 5)
    assert.equal((await given({ found, context_tokens: 1 }))?.ids.length, 1)
  })

  it('are none for small talk and of an agent without documents', async () => {
    assert.equal(await given({ found: [passage(1, 'a')] }, 'Thank you!'), null)
    assert.equal(await given({ found: [], all: [] }), null)
  })

  it('are said to be none when nothing of the question stands in any', async () => {
    for (const found of [[], [passage(1, 'a', 0)]]) {
      const context = await given({ found, all: [passage(1, 'a', 0)] })
      assert.deepEqual([context?.ids, context?.score, context?.fits], [[], 0, false])
    }
  })

  it('are said to fit hardly when none is likely to', async () => {
    assert.equal((await given({ found: [passage(1, 'a', 0.3)] }))?.fits, false)
    assert.equal((await given({ found: [passage(1, 'a', 0.4)] }))?.fits, true)
  })

  it('are of the subject of the question before when a short question has none', async () => {
    const [alone, together] = [[passage(1, 'free')], [passage(2, 'kettle')]]
    const found = { found: alone, together }
    const before = 'Where is the kettle?'
    assert.deepEqual((await given(found, 'is it free?', before))?.ids, [2, 1])
    assert.deepEqual(
      (await given(found, 'Does the big steel teapot whistle loudly enough?', before))?.ids,
      [1],
    )
  })
})
