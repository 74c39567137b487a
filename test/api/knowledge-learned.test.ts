import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApp, type TestAgent, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { startLearnedEmbeddings } from '../support/learned-embeddings.ts'

/** An entry, and a question that it answers in other words. */
const ENTRIES: [title: string, content: string, question: string][] = [
  [
    'Returning goods',
    'Send an article back within 30 days and get the full amount refunded.',
    'can I get my money back',
  ],
  ['Parking', 'Our garage has forty free spaces for visitors.', 'where do I leave my car'],
  ['Opening hours', 'We are open from nine to five on weekdays.', 'when can I come in to the shop'],
  [
    'Delivery',
    'Parcels reach you two to four working days after the order.',
    'how long until my package arrives',
  ],
  [
    'Password',
    'Press "Forgotten" on the sign-in page and we send a link for a new one.',
    'I cannot log in to my account',
  ],
  ['Payment', 'We take credit cards, bank transfers and invoices.', 'may I pay with Visa'],
  ['Careers', 'Send your application and your CV to our staff office.', 'are you looking for new employees'],
  ['Warranty', 'Defects are repaired free of charge for two years.', 'my kettle is broken, do you fix it'],
  [
    'Gift wrapping',
    'For two euros we pack the order in festive paper.',
    'it is a birthday present for my mother',
  ],
  ['Dogs', 'Pets on a leash are welcome in all our branches.', 'may I bring my puppy'],
]

/** Questions of other subjects than those of the entries. */
const OTHERS = ['what is the capital of France', 'who won the football match', 'how do I bake bread']

for (const engine of engines) {
  describe(`retrieval with a learned model on ${engine}`, () => {
    let app: TestApp
    let model: Awaited<ReturnType<typeof startLearnedEmbeddings>>
    let byWords: TestAgent
    let byMeaning: TestAgent

    before(async () => {
      model = await startLearnedEmbeddings()
      app = await startApp(engine)
      byWords = await app.addAgent()
      byMeaning = await app.addAgent()
      for (const agent of [byWords, byMeaning])
        for (const [title, content] of ENTRIES) await agent.post('/knowledge', { title, content })
      await byMeaning.patch('/agent', { embedding: { url: model.url, name: 'learned' } })
      await becomes(async () => {
        const { status, embedded } = (await byMeaning.get('/knowledge/embedding')).body.data
        return [status, embedded]
      }, ['done', ENTRIES.length])
    })
    after(async () => {
      await app?.close()
      await model?.[Symbol.asyncDispose]()
    })

    const search = async (agent: TestAgent, q: string) =>
      (await agent.get(`/knowledge/search?q=${encodeURIComponent(q)}`)).body as {
        data: { title: string }[]
        verdict: string
      }

    /** Returns the titles of the entries that a search for their question finds first. */
    async function rightOnes(agent: TestAgent): Promise<string[]> {
      const right: string[] = []
      for (const [title, , question] of ENTRIES)
        if ((await search(agent, question)).data[0]?.title === title) right.push(title)
      return right
    }

    it('finds what is asked in other words, which words alone do not', async () => {
      const [words, meaning] = [await rightOnes(byWords), await rightOnes(byMeaning)]
      assert.ok(words.length <= 3, `${words}`)
      assert.ok(meaning.length >= 8, `${meaning}`)
    })

    it('knows no answer to what no entry is about', async () => {
      for (const question of OTHERS)
        assert.equal((await search(byMeaning, question)).verdict, 'unknown', question)
    })
  })
}
