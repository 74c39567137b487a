import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const ENGLISH = 'Hello, I would like to know where my parcel is, please.'
const GERMAN = 'Guten Tag, ich möchte bitte wissen, wo mein Paket ist.'
const FRENCH = 'Bonjour, je voudrais savoir où se trouve mon colis, merci.'

const settings = {
  pause_message: 'Paused.',
  resume_message: null,
  texts: {
    de: {
      pause_message: 'Pausiert.',
      resume_message: 'Wieder da.',
      unknown: 'Keine Ahnung.',
      offer: 'Sag „Mensch“.',
      hello: 'Moin!',
    },
    'fr-CA': { pause_message: null },
  },
}

onBothEngines("an agent's texts by language", (service) => {
  async function spoken(): Promise<TestAgent> {
    const agent = await service.addAgent({ settings })
    for (const [external_id, prompt] of Object.entries({ en: ENGLISH, de: GERMAN, fr: FRENCH }))
      await agent.prompt(prompt, { external_id })
    return agent
  }

  async function transitions(agent: TestAgent): Promise<Record<string, string[]>> {
    const said: Record<string, string[]> = {}
    for (const id of ['en', 'de', 'fr']) {
      const { data } = (await agent.get(`/conversations/${id}/messages`)).body
      said[id] = (data as { role: string; content: string }[]).flatMap(({ role, content }) =>
        role === 'transition' ? [content] : [],
      )
    }
    return said
  }

  it('pause and resume say what the language of each conversation has, and count what was said', async () => {
    const agent = await spoken()
    const paused = (await agent.post('/pause')).body.data
    assert.deepEqual([paused.emitted, paused.skipped], [2, 1], 'nothing is said in French')
    assert.deepEqual(await transitions(agent), { en: ['Paused.'], de: ['Pausiert.'], fr: [] })
    const resumed = (await agent.post('/resume')).body.data
    assert.deepEqual([resumed.emitted, resumed.skipped], [1, 2], 'there is only a German message')
    assert.deepEqual(await transitions(agent), { en: ['Paused.'], de: ['Pausiert.', 'Wieder da.'], fr: [] })
  })

  it('a prompt to a paused agent, and its repeat, are answered in the language of the conversation', async () => {
    const agent = await spoken()
    await agent.post('/pause')
    const body = { messages: [{ role: 'user', content: GERMAN }] }
    const headers = { 'idempotency-key': 'one' }
    for (const time of ['first', 'repeated']) {
      const answer = await agent.call('POST', '/chat/completions', body, headers)
      assert.equal(answer.body.choices[0].message.content, 'Pausiert.', time)
    }
    const short = await agent.prompt('ok', { external_id: 'de' })
    assert.equal(short.choices[0].message.content, 'Pausiert.', 'a prompt whose language cannot be told')
    const french = await agent.prompt(FRENCH)
    assert.equal(french.choices[0].message.content, '', 'null: nothing is said')
    const english = await agent.prompt(ENGLISH)
    assert.equal(english.choices[0].message.content, 'Paused.')
  })

  it('are kept in their canonical form, replaced as a whole, and part of versions', async () => {
    const agent = await service.addAgent()
    const first = await agent.patch('/agent', { texts: { 'pt-br': { greeting: 'Olá!' }, de: {} } })
    assert.deepEqual(first.body.data.texts, { 'pt-BR': { greeting: 'Olá!' }, de: {} })
    const second = await agent.patch('/agent', { texts: { it: { greeting: 'Ciao!' } } })
    assert.deepEqual(second.body.data.texts, { it: { greeting: 'Ciao!' } })
    const [newest] = (await agent.get('/agent/versions')).body.data
    assert.deepEqual(newest.changes, ['texts'])
  })

  it('400: what is no language, no text, or too much', async () => {
    const agent = await service.addAgent()
    const wrong: [name: string, texts: unknown][] = [
      ['no language', { 'no language': {} }],
      ['an unknown text', { de: { farewell: 'Tschüss!' } }],
      ['an empty sentence', { de: { unknown: '' } }],
      ['a sentence that is no text', { de: { unknown: 7 } }],
      ['a sentence that is too long', { de: { unknown: 'x'.repeat(1001) } }],
      [
        'too many characters',
        Object.fromEntries(
          Array.from({ length: 11 }, (_, n) => [`${'abcdefghijk'[n]}a`, { greeting: 'x'.repeat(10_000) }]),
        ),
      ],
    ]
    for (const [name, texts] of wrong) {
      const answer = await agent.patch('/agent', { texts })
      assert.equal(answer.status, 400, name)
      assertError(answer, 400, 'invalid_request')
    }
  })
})

onBothEngines(
  "the built-in answerer's sentences by language",
  (service) => {
    it('those that are set; the others stay its own', async () => {
      const agent = await service.addAgent({ settings })
      const said = async (prompt: string) => (await agent.prompt(prompt)).choices[0].message.content
      assert.equal(
        await said('Wie hoch ist eigentlich der Eiffelturm in Paris?'),
        'Keine Ahnung.\n\nSag „Mensch“.',
      )
      assert.match(await said('Guten Tag!'), /^Moin! Ich beantworte Fragen/)
      assert.match(await said('How tall is the Eiffel Tower in Paris?'), /^I don't know/)
    })
  },
  { PARLEY_MODEL_URL: '' },
)
