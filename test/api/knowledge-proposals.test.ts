import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import { bySystem } from '../../src/audit/record.ts'
import { accept } from '../../src/learning/accept-proposal.ts'
import { assertError, type TestAgent } from '../support/app.ts'
import { aroundQueries } from '../support/around-queries.ts'
import { becomes } from '../support/becomes.ts'
import { filesWith } from '../support/files-with.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { type Peer, startPeer } from '../support/peer.ts'

const QUESTION = 'Can I swap a kettle that I bought as a gift?'
const ANSWER = 'Yes, with the receipt. Write to mia.berg@example.com, order 4111 1111 1111 1111.'

onBothEngines(
  '/knowledge/proposals without a model',
  (service) => {
    /** An agent, and a conversation in which a person has answered. */
    async function answered(settings = {}, fields = {}) {
      const agent = await service.addAgent({ settings })
      const { id, conversation_id } = await agent.prompt(QUESTION, fields)
      await agent.post(`/conversations/${conversation_id}/messages`, { content: ANSWER, author: 'Tom Hill' })
      return { agent, completion_id: id, conversation_id }
    }

    const propose = (agent: TestAgent, from: object) => agent.post('/knowledge/proposals', from)
    const list = async (agent: TestAgent) => (await agent.get('/knowledge/proposals')).body
    const documents = async (agent: TestAgent) =>
      (await agent.get('/knowledge')).body.data.map(({ title }: { title: string }) => title)

    /** Waits until the proposals of an agent are made, and returns the newest. */
    async function made(agent: TestAgent) {
      await becomes(
        async () => (await list(agent)).data.map(({ state }: { state: string }) => state),
        ['open'],
      )
      const [{ id }] = (await list(agent)).data
      return (await agent.get(`/knowledge/proposals/${id}`)).body.data
    }

    async function proposed(settings = {}, fields = {}) {
      const { agent, conversation_id, completion_id } = await answered(settings, fields)
      assert.equal((await propose(agent, { conversation_id })).status, 202)
      return { agent, conversation_id, completion_id, proposal: await made(agent) }
    }

    /** All that is stored of the proposals of an agent. */
    async function stored(agent: TestAgent) {
      const { db } = service.app.app.foundation.database
      const { rows } = await sql<Record<string, unknown>>`
        select * from knowledge_proposals where agent_id = ${agent.agentId}`.execute(db)
      return rows
    }

    it('202: the question and the answer of the person, without what redaction finds', async () => {
      const { agent, conversation_id, completion_id } = await answered()
      const { status, body } = await propose(agent, { conversation_id })
      assert.equal(status, 202)
      const { id, version, created_at, updated_at, ...rest } = body.data
      assert.deepEqual(rest, {
        ...{ state: 'making', question: null, answer: null, questions: [] },
        ...{ conversation_id, completion_id },
      })
      const proposal = await made(agent)
      assert.deepEqual([proposal.id, proposal.state], [id, 'open'])
      assert.equal(proposal.question, QUESTION)
      assert.equal(proposal.answer, 'Yes, with the receipt. Write to [EMAIL_ADDRESS], order [CREDIT_CARD].')
      assert.deepEqual(await documents(agent), [], 'nothing is published by itself')
      const again = await propose(agent, { completion_id })
      assert.deepEqual([again.status, again.body.data.id], [202, id], 'a question has one proposal')
      const { data } = (await agent.get('/audit?action=proposal.requested')).body
      assert.deepEqual(
        data.map(({ target }: { target: string }) => target),
        [`proposal ${id}`],
      )
    })

    it('202: one waits while the redaction service fails, and says so', async () => {
      // No hosted redaction service is set.
      const { agent, conversation_id } = await answered({ hosted_redaction: true })
      await propose(agent, { conversation_id })
      await becomes(async () => (await stored(agent))[0]?.failure, 'redaction_service_failed')
      const [row] = await stored(agent)
      assert.deepEqual([row?.attempts, row?.parked_at], [1, null])
      assert.ok(Date.parse(String(row?.due_at)) >= service.clock() + 50_000)
    })

    it('202: names that are known are replaced, others stay', async () => {
      const agent = await service.addAgent()
      const { conversation_id } = await agent.prompt(`I am Mia Berg. ${QUESTION}`, { user: 'mia' })
      await agent.patch('/users/mia', { name: 'Mia Berg' })
      const content = 'Dear Mia, yes. Mountains such as Zugspitze or Bergen are no topic. Tom Hill'
      await agent.post(`/conversations/${conversation_id}/messages`, { content, author: 'Tom Hill' })
      await propose(agent, { conversation_id })
      const { question, answer } = await made(agent)
      assert.equal(question, `I am [PERSON]. ${QUESTION}`)
      assert.equal(answer, 'Dear [PERSON], yes. Mountains such as Zugspitze or Bergen are no topic. [PERSON]')
    })

    it('202: parts of the names of those who answered are replaced, but not within addresses; who asks is introduced', async () => {
      const agent = await service.addAgent()
      const { conversation_id } = await agent.prompt(`I am Bob Miller. ${QUESTION}`)
      const content = 'Yes. Mia will help, in the hall of stone. Write to mia@example.com.'
      await agent.post(`/conversations/${conversation_id}/messages`, { content, author: 'Mia Stone' })
      await propose(agent, { conversation_id })
      const { question, answer } = await made(agent)
      assert.equal(question, `I am [PERSON]. ${QUESTION}`)
      assert.equal(answer, 'Yes. [PERSON] will help, in the hall of stone. Write to [EMAIL_ADDRESS].')
    })

    it('202: a name that only a message introduces is replaced in the answer, too', async () => {
      const agent = await service.addAgent()
      const { conversation_id } = await agent.prompt('Hello, my name is Jolanta Brzoza.')
      await agent.prompt(QUESTION, { conversation_id })
      const say = (content: string) =>
        agent.post(`/conversations/${conversation_id}/messages`, { content, author: 'Tom Hill' })
      await say('Thank you, Jolanta Brzoza: within 30 days.')
      await propose(agent, { conversation_id })
      assert.equal((await made(agent)).answer, 'Thank you, [PERSON]: within 30 days.')
    })

    it('202: a question of long ago is proposed by its completion', async () => {
      const { agent, conversation_id, completion_id } = await answered()
      const { db } = service.app.app.foundation.database
      const first = await db
        .selectFrom('completions')
        .selectAll()
        .where('id', '=', completion_id)
        .executeTakeFirstOrThrow()
      const later = Array.from({ length: 100 }, (_, n) => ({
        ...first,
        id: crypto.randomUUID(),
        number: first.number + 1000 + n,
        created_at: '2100-01-01T00:00:00.000Z',
      }))
      for (const one of later) await db.insertInto('completions').values(one).execute()
      assert.equal((await propose(agent, { completion_id })).status, 202)
      const proposal = await made(agent)
      assert.deepEqual([proposal.question, proposal.conversation_id], [QUESTION, conversation_id])
    })

    it('202: of two simultaneous requests one makes a proposal', async () => {
      const { agent, conversation_id } = await answered()
      const answers = await Promise.all([1, 2, 3].map(() => propose(agent, { conversation_id })))
      assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
      assert.equal((await stored(agent)).length, 1)
    })

    it('409: edited while it is being accepted; nothing is published', async () => {
      const { agent, proposal } = await proposed()
      const path = `/knowledge/proposals/${proposal.id}`
      let edited: Promise<unknown> | undefined
      const end = aroundQueries(service.app.app.foundation.database.db, async (query, run) => {
        const result = await run()
        if (edited === undefined && /^select .*knowledge_proposals/.test(query.sql)) {
          edited = agent.patch(path, { answer: 'Never.' })
          await edited
        }
        return result
      })
      const accepted = await agent.post(`${path}/accept`, { version: proposal.version })
      end()
      assert.ok(edited)
      assertError(accepted, 409, 'version_outdated')
      assert.deepEqual(await documents(agent), [])
      assert.equal((await made(agent)).answer, 'Never.')
    })

    it('a document is published only with the proposal that names it', async () => {
      const { agent, proposal } = await proposed()
      const { db } = service.app.app.foundation.database
      let acts = 0
      const by = {
        ...bySystem,
        teamId: agent.teamId,
        // The first act is the document's, the second the proposal's.
        get actor() {
          if (++acts === 2) throw new Error('the process ends')
          return bySystem.actor
        },
      }
      const accepted = accept(db, agent.agentId, proposal.id, proposal.version, service.clock(), by)
      await assert.rejects(accepted, /the process ends/)
      assert.deepEqual(await documents(agent), [])
      assert.equal((await agent.post(`/knowledge/proposals/${proposal.id}/accept`)).status, 201)
      assert.equal((await documents(agent)).length, 1)
    })

    it('202: the last question that a person answered, without small talk and what the agent was asked later', async () => {
      const { agent, conversation_id, completion_id } = await answered()
      await agent.prompt('Thank you!', { conversation_id })
      await agent.post(`/conversations/${conversation_id}/resume`)
      await agent.prompt('Do you deliver to Mars?', { conversation_id })
      const { body } = await propose(agent, { conversation_id })
      assert.equal(body.data.completion_id, completion_id)
    })

    it('409: nothing to propose where no person answered, or the text is gone', async () => {
      const agent = await service.addAgent()
      const { id, conversation_id } = await agent.prompt(QUESTION)
      for (const from of [{ conversation_id }, { completion_id: id }])
        assertError(await propose(agent, from), 409, 'nothing_to_propose')
      const other = await answered()
      await other.agent.post(`/chat/completions/${other.completion_id}/scrub`)
      assertError(
        await propose(other.agent, { conversation_id: other.conversation_id }),
        409,
        'nothing_to_propose',
      )
    })

    it('404 and 400: of another agent, unknown, neither or both', async () => {
      const { agent, conversation_id, completion_id } = await answered()
      const other = await service.addAgent()
      assertError(await propose(other, { conversation_id }), 404, 'conversation_not_found')
      assertError(await propose(other, { completion_id }), 404, 'completion_not_found')
      for (const body of [{}, { conversation_id, completion_id }, { conversation_id: 7 }, { color: 'red' }])
        assertError(await propose(agent, body), 400, 'invalid_request')
    })

    it('200: edited; 201: accepted, becomes a document that answers', async () => {
      const { agent, conversation_id, proposal } = await proposed()
      const path = `/knowledge/proposals/${proposal.id}`
      const answer = 'Gifts can be swapped with the receipt.'
      const questions = ['Can presents be exchanged?']
      const edited = await agent.patch(path, { answer, questions, version: proposal.version })
      assert.equal(edited.status, 200)
      assert.deepEqual([edited.body.data.answer, edited.body.data.questions], [answer, questions])
      assertError(
        await agent.patch(path, { answer: 'x', version: proposal.version }),
        409,
        'version_outdated',
      )
      assertError(await agent.post(`${path}/accept`, { version: proposal.version }), 409, 'version_outdated')
      const accepted = await agent.post(`${path}/accept`, { version: edited.body.data.version })
      assert.equal(accepted.status, 201, accepted.text)
      const { data } = (await agent.get(`/knowledge/${accepted.body.data.document_id}`)).body
      assert.deepEqual(
        [data.title, data.text, data.questions, data.source],
        [QUESTION, answer, questions, `conversations/${conversation_id}/proposals/${proposal.id}`],
      )
      assert.deepEqual((await list(agent)).data, [])
      assertError(await agent.post(`${path}/accept`), 404, 'proposal_not_found')
      assert.deepEqual(await documents(agent), [QUESTION])
      const said = await agent.prompt(QUESTION)
      assert.match(said.choices[0].message.content, /swapped with the receipt/)
      const actions = (await agent.get('/audit')).body.data.map(({ action }: { action: string }) => action)
      for (const action of ['proposal.changed', 'proposal.accepted', 'knowledge.added'])
        assert.ok(actions.includes(action), action)
    })

    it('200: names the entry that answers the question already', async () => {
      const agent = await service.addAgent()
      const entry = { title: 'Swapping a kettle that was a gift', content: 'Bring the receipt.' }
      const added = await agent.post('/knowledge', entry)
      const { conversation_id } = await agent.prompt(QUESTION)
      await agent.post(`/conversations/${conversation_id}/messages`, { content: ANSWER })
      await propose(agent, { conversation_id })
      const { similar } = await made(agent)
      assert.deepEqual(similar, {
        document_id: added.body.data.id,
        title: entry.title,
        text: entry.content,
      })
      await agent.call('DELETE', `/knowledge/${added.body.data.id}`)
      assert.equal((await made(agent)).similar, null)
    })

    it('204: rejected', async () => {
      const { agent, proposal } = await proposed()
      const path = `/knowledge/proposals/${proposal.id}`
      const other = await service.addAgent()
      for (const [method, of] of [
        ['GET', path],
        ['PATCH', path],
        ['DELETE', path],
        ['POST', `${path}/accept`],
      ] as const)
        assertError(
          await other.call(method, of, method === 'PATCH' ? {} : undefined),
          404,
          'proposal_not_found',
        )
      assert.equal((await agent.call('DELETE', path)).status, 204)
      assert.deepEqual(await stored(agent), [])
      assertError(await agent.call('DELETE', path), 404, 'proposal_not_found')
    })

    it('409: one that is being made can be rejected, and neither edited nor accepted', async () => {
      const agent = await service.addAgent()
      const at = '2026-01-01T00:00:00.000Z'
      const { db } = service.app.app.foundation.database
      const { id } = await db
        .insertInto('knowledge_proposals')
        .values({
          ...{ agent_id: agent.agentId, conversation_id: 'c', completion_id: 'c', leased_until: null },
          ...{ created_at: at, updated_at: at, due_at: null, parked_at: at },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const path = `/knowledge/proposals/${id}`
      assert.equal((await agent.get(path)).body.data.state, 'failed')
      assertError(await agent.patch(path, { answer: 'x' }), 409, 'proposal_not_ready')
      const refused = await agent.post(`${path}/accept`)
      assertError(refused, 409, 'proposal_not_ready')
      assert.equal(refused.body.error.message, 'The proposal could not be written. It can be proposed again.')
      assert.equal((await agent.call('DELETE', path)).status, 204)
    })

    it('400: texts that are empty or too long', async () => {
      const { agent, proposal } = await proposed()
      for (const body of [
        { question: '' },
        { answer: '' },
        { question: 'x'.repeat(501) },
        { answer: 'x'.repeat(4001) },
        { questions: [''] },
        { color: 'red' },
      ])
        assertError(await agent.patch(`/knowledge/proposals/${proposal.id}`, body), 400, 'invalid_request')
    })

    for (const mode of ['scrub', 'anonymize'] as const)
      it(`a proposal that waits is deleted with the ${mode} of any prompt of its conversation, and of its user`, async () => {
        for (const scope of ['completion', 'user']) {
          const word = `zyx${crypto.randomUUID().replaceAll('-', '')}`
          const { agent, conversation_id, proposal } = await proposed({}, { user: `u-${word}` })
          await agent.patch(`/knowledge/proposals/${proposal.id}`, { answer: `Say ${word}.` })
          const later = await agent.prompt('Hello?', { conversation_id, user: `u-${word}` })
          const path = scope === 'user' ? `/users/u-${word}/${mode}` : `/chat/completions/${later.id}/${mode}`
          assert.equal((await agent.post(path)).status, 200)
          assert.deepEqual(await stored(agent), [])
          assert.deepEqual((await list(agent)).data, [])
          if (service.engine === 'sqlite')
            assert.deepEqual(await filesWith(service.app.dataDir, `Say ${word}`), [])
        }
      })

    it('an accepted entry stays when its conversation is anonymized, and goes when that is scrubbed', async () => {
      const { agent, completion_id, proposal } = await proposed()
      await agent.post(`/knowledge/proposals/${proposal.id}/accept`)
      const [row] = await stored(agent)
      assert.deepEqual([row?.question, row?.answer, row?.questions], [null, null, null])
      await agent.post(`/chat/completions/${completion_id}/anonymize`)
      assert.deepEqual(await documents(agent), [QUESTION])
      await agent.post(`/chat/completions/${completion_id}/scrub`)
      await becomes(() => documents(agent), [])
      await becomes(() => stored(agent), [])
      const { data } = (await agent.get('/audit?action=knowledge.removed')).body
      assert.deepEqual(
        data.map(({ actor }: { actor: { kind: string } }) => actor.kind),
        ['system'],
      )
    })

    it('with the setting, one is proposed when somebody of the team ends a conversation that a person answered', async () => {
      const { agent, conversation_id, completion_id } = await answered({ propose_entries: true })
      const unanswered = await agent.prompt('Do you deliver to Mars?')
      for (const id of [unanswered.conversation_id, conversation_id, conversation_id])
        await agent.post(`/conversations/${id}/end`)
      const proposal = await made(agent)
      assert.equal(proposal.completion_id, completion_id)
      await agent.post(`/knowledge/proposals/${proposal.id}/accept`)
      for (const act of ['reopen', 'end']) await agent.post(`/conversations/${conversation_id}/${act}`)
      assert.deepEqual((await list(agent)).data, [], 'not a second time')
      const off = await answered()
      await off.agent.post(`/conversations/${off.conversation_id}/end`)
      assert.deepEqual((await list(off.agent)).data, [])
    })
  },
  { PARLEY_MODEL_URL: '' },
)

let analyzer: Peer
/** Tells whether the redaction service fails for a text. */
let failsFor: (text: string) => boolean

before(async () => {
  analyzer = await startPeer((response, request) => {
    const { text } = JSON.parse(request.body) as { text: string }
    response.writeHead(failsFor(text) ? 503 : 200, { 'content-type': 'application/json' }).end('[]')
  })
})
after(() => analyzer.close())

onBothEngines('/knowledge/proposals with a model', (service) => {
  async function proposed(answer: object, settings = {}) {
    const agent = await service.addAgent({ settings })
    service.model.answerFor = ({ messages }) =>
      String(messages[0]?.content).startsWith('You write entries') ? answer : { text: 'I do not know.' }
    const { conversation_id } = await agent.prompt(QUESTION)
    await agent.post(`/conversations/${conversation_id}/messages`, { content: ANSWER })
    assert.equal((await agent.post('/knowledge/proposals', { conversation_id })).status, 202)
    const read = async () => (await agent.get('/knowledge/proposals')).body.data[0]
    await becomes(async () => (await read()).state, 'open')
    return { agent, proposal: await read() }
  }

  it('the model writes it in one call, which is counted; redaction looks at what it wrote', async () => {
    const text = 'Here: {"question": "Can gifts be swapped?", "answer": "Yes. Write to mia@example.com."}'
    const { agent, proposal } = await proposed({ text })
    assert.deepEqual(
      [proposal.question, proposal.answer],
      ['Can gifts be swapped?', 'Yes. Write to [EMAIL_ADDRESS].'],
    )
    const asked = service.model.requests.at(-1)?.body.messages.at(-1)?.content
    assert.match(String(asked), /Customer: Can I swap a kettle.*Person of the team: Yes, with the receipt/s)
    const { data } = (await agent.get('/usage')).body
    const calls = data.filter(({ kind }: { kind: string }) => kind === 'proposal')
    assert.deepEqual(
      calls.map(({ calls }: { calls: number }) => calls),
      [1],
    )
  })

  it('failures of the redaction service do not leave out the model, two of the model do', async () => {
    const { agent, proposal } = await proposed({
      text: '{"question": "Can gifts be swapped?", "answer": "Yes."}',
    })
    const { db, wakeUps } = service.app.app.foundation.database
    async function madeAgainAfter(failure: string) {
      await db
        .updateTable('knowledge_proposals')
        .set({ question: null, answer: null, due_at: proposal.created_at, attempts: 2, failure })
        .where('agent_id', '=', agent.agentId)
        .execute()
      wakeUps.send('proposals')
      const read = async () => (await agent.get('/knowledge/proposals')).body.data[0]
      await becomes(async () => (await read()).state, 'open')
      return (await read()).question
    }
    assert.equal(await madeAgainAfter('redaction_service_failed'), 'Can gifts be swapped?')
    assert.equal(await madeAgainAfter('ModelError'), QUESTION)
  })

  for (const [when, fails, calls] of [
    ['always fails', () => true, 0],
    ['fails for what it wrote', (text: string) => text.includes('Can gifts be swapped?'), 1],
  ] as const)
    it(`a redaction service that ${when} has the model asked ${calls === 0 ? 'not at all' : 'only once'}`, async () => {
      const agent = await service.addAgent({ settings: { hosted_redaction: true } })
      await agent.patch('/agent', { redaction: { url: analyzer.url } })
      failsFor = fails
      const text = '{"question": "Can gifts be swapped?", "answer": "Yes."}'
      const isAsked = (messages: { content?: unknown }[]) =>
        String(messages[0]?.content).startsWith('You write entries')
      service.model.answerFor = ({ messages }) => ({ text: isAsked(messages) ? text : 'I do not know.' })
      const { conversation_id } = await agent.prompt(QUESTION)
      await agent.post(`/conversations/${conversation_id}/messages`, { content: ANSWER })
      await agent.post('/knowledge/proposals', { conversation_id })
      const { db } = service.app.app.foundation.database
      const stored = () =>
        db
          .selectFrom('knowledge_proposals')
          .select(['question', 'attempts'])
          .where('agent_id', '=', agent.agentId)
          .executeTakeFirstOrThrow()
      if (calls > 0) await becomes(async () => (await stored()).question, QUESTION)
      else
        for (const attempts of [1, 2, 3]) {
          await becomes(async () => (await stored()).attempts, attempts)
          service.pass(3_600_000)
        }
      const asked = service.model.requests.filter(({ body }) => isAsked(body.messages))
      assert.equal(asked.length, calls)
    })

  it('what the model says that is no entry is replaced by what was said', async () => {
    const { proposal } = await proposed({ text: 'I cannot do that.' })
    assert.equal(proposal.question, QUESTION)
  })

  it('an agent without a budget left has it made without the model', async () => {
    const agent = await service.addAgent()
    const { conversation_id } = await agent.prompt(QUESTION)
    await agent.post(`/conversations/${conversation_id}/messages`, { content: ANSWER })
    const prices = { 'test-model': { input: 1_000_000, output: 1_000_000 } }
    const patched = await agent.patch('/agent', { prices, budget: { day: 0.000001 } })
    assert.equal(patched.status, 200, patched.text)
    const before = service.model.requests.length
    await agent.post('/knowledge/proposals', { conversation_id })
    await becomes(async () => (await agent.get('/knowledge/proposals')).body.data[0].question, QUESTION)
    assert.equal(service.model.requests.length, before)
  })
})
