import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { readPages, seedGuide } from '../../../src/knowledge/documents/seed-guide.ts'
import { findsPassages } from '../../../src/knowledge/search/find-passages.ts'
import { asksByName } from '../../../src/model/close-entries.ts'
import { knowledgeAnswerer } from '../../../src/model/knowledge-answerer.ts'
import { sharedDatabase } from '../../support/shared.ts'

// The first questions of newcomers often say the same as a heading.
describe('the answerer and the headings of the guide', () => {
  const database = sharedDatabase('sqlite')

  it('answers what a heading asks from a section of that name, above all what newcomers are told to ask', async () => {
    const created = await createAgent(database().db, { name: 'Guide', teamId: null, nowMs: Date.now() })
    await seedGuide(database(), created.agentId, Date.now())
    const find = findsPassages({
      db: database().db,
      clock: Date.now,
      embedderOf: async () => null,
      embeddingFailed: () => {},
      rerank: null,
    })
    const agent = { id: created.agentId, teamId: created.teamId, settings: { synonyms: [] } }
    const model = knowledgeAnswerer((question) => find(agent, question, 10))
    const isAnswered = async (question: string) => {
      const [best] = (await find(agent, question, 1)).passages
      const request = { model: 'any', messages: [{ role: 'user' as const, content: question }] }
      const { content, retrieval } = await model.complete(request as never, new AbortController().signal)
      const isChoice = String(content).startsWith('Did you mean')
      return best && asksByName(question, best) && retrieval?.answered && !isChoice
    }
    const pages = await readPages()
    const questions = pages.flatMap(({ text }) =>
      [...text.matchAll(/^##+ (.*\?)$/gm)].map(([, one]) => `${one}`),
    )
    assert.ok(questions.length > 200, `${questions.length} headings`)
    const wrong: string[] = []
    for (const question of questions) if (!(await isAnswered(question))) wrong.push(question)
    assert.ok(
      wrong.length <= questions.length / 30,
      `${wrong.length} of ${questions.length}: ${wrong.join(' ')}`,
    )
    for (const question of ['How do I connect a language model?', 'How do I pause the agent?'])
      assert.ok(!wrong.includes(question), question)
  })
})
