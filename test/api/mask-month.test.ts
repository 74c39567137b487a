import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApp, type TestAgent, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { addDataset, runOf } from '../support/datasets.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts'
import {
  type Answer,
  calling,
  type ModelServer,
  type RequestBody,
  startModelServer,
} from '../support/model-server.ts'
import { made } from '../support/on-rules.ts'
import { type Peer, startPeer } from '../support/peer.ts'

const TYPES = ['PERSON', 'EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD', 'IBAN_CODE', 'US_SSN', 'CUSTOMER']
const PLACEHOLDER = /\[[A-Z_]+_\d+\]/g

const FIRST = ['Zorana', 'Tilomar', 'Wenjara', 'Olumide', 'Ksenija', 'Brynhild', 'Adaeze', 'Jorvik']
const LAST = ['Quibblestone', 'Fjordvang', 'Okonkwosi', 'Zabrinski', 'Hollerbach', 'Vantongeren', 'Mirzayev']

interface Person {
  name: string
  email: string
  phone: string
  card: string
  iban: string
  ssn: string
  customer: string
}

/** Makes the nth person, no two alike. */
function person(n: number): Person {
  const [first, last] = [FIRST[n % FIRST.length] as string, LAST[n % LAST.length] as string]
  const digits = String(100 + n)
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}${n}@example.com`.toLowerCase(),
    phone: `+44 20 7946 0${digits}`,
    card: ['4111 1111 1111 1111', '5555 5555 5555 4444', '3782 822463 10005'][n % 3] as string,
    iban: ['DE89 3704 0044 0532 0130 00', 'GB29 NWBK 6016 1331 9268 19'][n % 2] as string,
    ssn: `536-90-4${digits}`,
    customer: `C-${700_000 + n}`,
  }
}

/** The values of people as they must not leave, parts of names among them. */
function valuesOf(people: readonly Person[]): string[] {
  return people.flatMap(({ name, ...others }) => [
    ...name.split(' '),
    ...Object.values(others).flatMap((value) => [
      value,
      value.replace(/[ -]/g, ''),
      encodeURIComponent(value),
    ]),
  ])
}

const beginsWith = ({ messages }: RequestBody, words: string) =>
  String(messages[0]?.content).startsWith(words)

/** Answers as a model that says each placeholder again that it was sent, and calls the tool once. */
function answerFor(body: RequestBody): Answer {
  const all = JSON.stringify(body.messages)
  const seen = [...new Set(all.match(PLACEHOLDER))].join(', ')
  if (beginsWith(body, 'You judge texts'))
    return { text: JSON.stringify({ reason: `It names ${seen || 'nobody'}`, score: 0 }) }
  if (beginsWith(body, 'You write queries')) return { text: `kettle return ${seen.split(', ')[0]}` }
  if (beginsWith(body, 'You keep the notes')) return { text: `- The customer is ${seen}` }
  if (beginsWith(body, 'You play a customer'))
    return { text: body.messages.length > 4 ? '[DONE]' : `I am ${seen}` }
  const last = String(body.messages.at(-1)?.content)
  const offersTool = JSON.stringify(body.tools ?? []).includes('find_customer')
  const [email = ''] = /\[EMAIL_ADDRESS_\d+\]/.exec(last) ?? []
  if (offersTool && email && last.includes('Find')) return calling(['find_customer', { email }])
  const text = `I have ${seen || 'nothing'}.`
  return body.stream ? { pieces: text.match(/.{1,3}/gs) ?? [] } : { text }
}

for (const engine of engines) {
  describe(`a month with masked personal data on ${engine}`, () => {
    let app: TestApp
    let model: ModelServer
    let embedding: EmbeddingServer
    let reranker: Peer
    let directory: Peer
    const people = Array.from({ length: 24 }, (_, n) => person(n))
    const others = Array.from({ length: 24 }, (_, n) => person(n + 100))

    before(async () => {
      model = await startModelServer()
      model.answerFor = answerFor
      embedding = await startEmbeddingServer()
      reranker = await startPeer((response, { body }) => {
        const { documents } = JSON.parse(body)
        response.end(
          JSON.stringify({
            results: documents.map((_: string, index: number) => ({ index, relevance_score: 1 })),
          }),
        )
      })
      directory = await startPeer((response, { path }) => {
        const n = people.findIndex(({ email }) => decodeURIComponent(path).includes(email))
        response.end(
          JSON.stringify({ path, found: n >= 0, spouse: others[n], note: `Ask ${others[n]?.name}` }),
        )
      })
      app = await startApp(engine, {
        PARLEY_MODEL_URL: model.url,
        PARLEY_MODEL: 'test-model',
        PARLEY_EMBEDDING_URL: embedding.url,
        PARLEY_EMBEDDING_MODEL: 'vectors',
        PARLEY_RERANK_URL: `${reranker.url}/v1`,
      })
    })
    after(async () => {
      await Promise.all([app?.close(), model?.close()])
      await Promise.all([embedding?.close(), reranker?.close(), directory?.close()])
    })

    async function furnished(): Promise<TestAgent> {
      const agent = await app.addAgent()
      const changed = await agent.patch('/agent', {
        mask: { types: TYPES },
        redaction_patterns: [{ name: 'CUSTOMER', pattern: 'C-[0-9]{6}' }],
        instructions: `You help at the kettle shop. Our manager is Mr. ${others[20]?.name}, ${others[20]?.email}.`,
        context_tokens: 1500,
        history_limit: 6,
        rewrite: 'on',
        propose_entries: true,
        handoff: true,
      })
      assert.equal(changed.status, 200, changed.text)
      const page = (n: number) =>
        `Kettle return desk: ask for ${others[n]?.email}. ${'Kettles may be returned. '.repeat(25)}`
      for (const n of [21, 22, 23])
        await agent.post('/knowledge', { title: `Returns ${n}`, content: page(n) })
      const tool = await agent.post('/tools', {
        ...{
          kind: 'http',
          name: 'find_customer',
          description: `Finds a customer, such as ${others[19]?.email}.`,
        },
        parameters: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
        url: `${directory.url}/customers/{email}`,
      })
      assert.equal(tool.status, 201, tool.text)
      const judge = await made(agent, '/evaluators', {
        ...{ name: 'Rude', kind: 'model_judge', settings: { criteria: `Is rude to ${others[18]?.email}` } },
      })
      for (const on of ['prompt', 'response'])
        await made(agent, '/guardrails', { name: on, on, evaluator_id: judge, action: 'flag' })
      await made(agent, '/automations', {
        ...{ name: 'Tag', condition: { field: `evaluator.${judge}.score`, op: 'gt', value: 0.5 } },
        actions: [{ type: 'tag', tag: 'rude' }],
      })
      await becomes(async () => (await agent.get('/knowledge/embedding')).body.data.status, 'done')
      return agent
    }

    /** Has a person talk, in the way of the nth conversation, and returns what they were answered. */
    async function talk(agent: TestAgent, who: Person, n: number): Promise<string[]> {
      const external_id = `talk-${n}`
      const said = [
        `Hello, my name is ${who.name} and my e-mail is ${who.email}`,
        `Find ${who.email} please, return of a kettle`,
        `${who.name} again: card ${who.card}, IBAN ${who.iban}, phone ${who.phone}`,
        `${who.customer} is my number. SSN: ${who.ssn}. What about ${who.name.split(' ')[0]}?`,
        JSON.stringify({ customer: { name: who.name, email: who.email, phone: who.phone } }),
        `Is it ${who.name.toUpperCase()} or ${who.name}? Tell me again`,
      ]
      const answers: string[] = []
      for (const [at, content] of said.entries()) {
        const stream = (n + at) % 2 === 0
        const isResponses = n % 3 === 0
        const { status, text } = isResponses
          ? await agent.post('/responses', { input: content, external_id, user: who.email, stream })
          : await agent.post('/chat/completions', {
              messages: [{ role: 'user', name: 'Visitor', content }],
              ...{ external_id, user: who.email, stream },
            })
        assert.equal(status, 200, text)
        answers.push(text)
      }
      return answers
    }

    it('sends no value of a listed type to any model server, and the user reads the values', {
      timeout: 120_000,
    }, async () => {
      const agent = await furnished()
      for (const [n, who] of people.slice(0, 12).entries()) {
        const answers = await talk(agent, who, n)
        const [conversation] = (await agent.get('/conversations?per_page=1')).body.data
        const stored = (await agent.get(`/conversations/${conversation.id}/messages?order=asc`)).text
        assert.doesNotMatch(answers.join('\n') + stored, /\[[A-Z_]+_\d+\]/)
        for (const value of [who.email, who.phone, who.card]) assert.ok(stored.includes(value), value)
        if (n % 4 === 0) {
          const path = `/conversations/${conversation.id}`
          await agent.post(`${path}/messages`, {
            content: `I am ${others[n]?.name}, I will help.`,
            author: others[17]?.name,
          })
          await agent.post('/knowledge/proposals', { conversation_id: conversation.id })
        }
        const played = await agent.post('/playground', {
          messages: [{ role: 'user', content: `I am ${who.name}, ${who.email}` }],
        })
        assert.ok(played.body.data.response.includes(who.email))
        assert.doesNotMatch(JSON.stringify(played.body.data.trace.requests), new RegExp(who.email))
      }
      const customer = {
        model: true,
        goal: 'Return a kettle',
        facts: { name: people[20]?.name, email: people[20]?.email },
      }
      const { id } = await addDataset(agent, [
        { customer, expectations: [{ kind: 'turns', value: 9 }] },
        {
          messages: [{ role: 'user', content: `My name is ${people[21]?.name}, ${people[21]?.email}` }],
          expectations: [],
        },
      ])
      await runOf(agent, id)
      const { db } = app.app.foundation.database
      for (const table of ['conversation_summaries', 'knowledge_proposals'] as const)
        await becomes(() => db.selectFrom(table).select('id').where('due_at', 'is not', null).execute(), [])
      const jobs = db.selectFrom('automation_jobs').select('id').where('state', '=', 'waiting')
      await becomes(() => jobs.execute(), [])

      const bytes = {
        model: JSON.stringify(model.requests.map(({ body }) => body)),
        embedding: JSON.stringify(embedding.requests.map(({ input }) => input)),
        reranker: JSON.stringify(reranker.requests.map(({ body }) => body)),
      }
      const kinds = [
        'You judge texts',
        'You write queries',
        'You keep the notes',
        'You play a customer',
        'You write entries',
      ]
      const asked = (words: string) => model.requests.filter(({ body }) => beginsWith(body, words)).length
      assert.deepEqual(
        kinds.filter((words) => asked(words) === 0),
        [],
      )
      for (const [server, sent] of Object.entries(bytes)) {
        assert.ok(sent.length > 1000, server)
        const leaked = valuesOf([...people, ...others]).filter((value) => sent.includes(value))
        assert.deepEqual(leaked, [], server)
      }
    })
  })
}
