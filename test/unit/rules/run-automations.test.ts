import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import pino from 'pino'
import type { RuleAction as Action } from '../../../src/actions/action.ts'
import type { Agent } from '../../../src/agents/agent.ts'
import { createAgent } from '../../../src/agents/create-agent.ts'
import type { Condition } from '../../../src/conditions/condition.ts'
import type { Evaluators } from '../../../src/evaluators/create-evaluators.ts'
import type { EvaluatorRow } from '../../../src/evaluators/tables.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Outbound } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { jobOfResponse } from '../../../src/rules/job-of-response.ts'
import type { AgentRules } from '../../../src/rules/rules-of-agent.ts'
import { runAutomations } from '../../../src/rules/run-automations.ts'
import { runJob } from '../../../src/rules/run-job.ts'
import { insertJob, jobQueue } from '../../../src/rules/store.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { LEASE_MS } from '../../../src/work/lease.ts'
import { MOST_DEATHS } from '../../../src/work/retry.ts'
import { becomes, LIMIT_MS } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const COMPLETION = '01900000-0000-7000-8000-000000000001'
/** Tables that the tests read; each test begins with them empty. */
const WRITTEN = ['automation_jobs', 'messages', 'evaluations', 'events', 'completions'] as const
const CALL: Action = { type: 'call_webhook', url: 'http://crm.example/' }
const PASSES: Condition = { field: 'evaluator.1.passed', op: 'eq', value: true }
const tag = (tag: string): Action => ({ type: 'tag', tag })

for (const engine of engines) {
  describe(`automations on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let conversation_id: string
    let agent_id: number
    let offset: number
    const clock = () => Date.now() + offset
    /** The behaviour of a webhook's receiver and of an evaluator; tests change it. */
    let answer: () => Promise<{ status: number }>
    let evaluate: () => Promise<boolean>
    let calls: number
    let automations: AgentRules['automations']

    beforeEach(async () => {
      offset = 0
      calls = 0
      automations = []
      answer = async () => ({ status: 200 })
      evaluate = async () => true
      for (const table of WRITTEN) await database().db.deleteFrom(table).execute()
      await database()
        .db.transaction()
        .execute(async (db) => {
          const now = Date.now()
          const agent = await createAgent(db, { name: 'Test', teamId: null, nowMs: now })
          agent_id = agent.agentId
          const visit = { user: null, deviceId: null, sessionId: null }
          const wish = {
            ...visit,
            conversationId: null,
            externalId: null,
            channelId: null,
            widgetId: null,
            tags: null,
            language: null,
          }
          const { conversation } = await openConversation(db, agent, wish, now)
          conversation_id = conversation.id
          // Opening the conversation raised these.
          await db.deleteFrom('events').execute()
          const created_at = timestamp(now)
          await db
            .insertInto('completions')
            .values({ id: COMPLETION, agent_id, conversation_id, created_at, model: 'm', tags: '[]' })
            .execute()
        })
    })
    afterEach(() => mock.timers.reset())

    /** Stores a response whose automations are still to run. */
    async function store(...actions: { actions: Action[]; condition?: Condition }[]): Promise<void> {
      automations = actions.map(({ actions, condition = null }, index) => ({
        id: index + 1,
        name: `A${index + 1}`,
        condition,
        actions,
      }))
      await insertJob(database().db, {
        agent_id,
        completion_id: COMPLETION,
        conversation_id,
        facts: '{}',
        runs: JSON.stringify(automations.map(({ id, name }) => ({ id, name, status: 'waiting', action: 0 }))),
        created_at: timestamp(Date.now()),
      })
    }

    function dependencies() {
      return {
        db: database().db,
        clock,
        box: createSecretBox(Buffer.alloc(32).toString('base64')),
        outbound: {
          of: () => ({
            request: () => {
              calls++
              return answer()
            },
          }),
        } as unknown as Outbound,
        evaluators: {
          evaluate: async () => ({ score: 1, passed: await evaluate(), content: 'what was said' }),
        } satisfies Pick<Evaluators, 'evaluate'>,
        isSpent: async () => false,
        lockAssignee: async () => null,
        rulesOf: async (_agent: Agent): Promise<AgentRules> => ({
          guardrails: [],
          ctas: [],
          automations,
          deskAutomations: [],
          evaluators: new Map([[1, { id: 1, name: 'E' } as EvaluatorRow]]),
          countsMessages: false,
        }),
      }
    }

    /** Claims what is free, as a worker does. */
    const claim = (limit = 10, db = database().db) =>
      jobQueue.claim(db, { holder: 'this process', nowMs: clock(), limit })

    async function claimOne() {
      const [job] = await claim()
      assert.ok(job, 'there is a free job')
      return job
    }

    async function run(
      job: Awaited<ReturnType<typeof claimOne>>,
      stopping = new AbortController().signal,
    ): Promise<void> {
      using lease = jobQueue.take(database().db, job, clock, stopping)
      await runJob(dependencies(), jobOfResponse(job), lease)
    }

    const jobs = () => database().db.selectFrom('automation_jobs').selectAll().orderBy('id').execute()

    async function told() {
      const { tags, automations } = await database()
        .db.selectFrom('completions')
        .select(['tags', 'automations'])
        .executeTakeFirstOrThrow()
      const events = await database().db.selectFrom('events').select('key').orderBy('id').execute()
      return {
        tags: JSON.parse(tags),
        outcomes: (JSON.parse(automations ?? '[]') as { name: string; status: string }[]).map(
          ({ name, status }) => `${name} ${status}`,
        ),
        events: events.map(({ key }) => key),
      }
    }

    it('workers that look at once get different jobs', async () => {
      for (let n = 0; n < 3; n++) await store({ actions: [tag('x')] })
      const claimed = await database()
        .db.transaction()
        .execute(async (db) => {
          const mine = await claim(1, db)
          // SQLite has one writer at a time.
          return engine === 'sqlite' ? mine : [...mine, ...(await claim(1))]
        })
      claimed.push(...(await claim()))
      assert.deepEqual(
        claimed.map(({ id, lease }) => [id, lease]),
        (await jobs()).map(({ id }) => [id, 1]),
      )
    })

    it("a job is its worker's for as long as its lease, then another's; one that is done is nobody's", async () => {
      await store({ actions: [tag('x')] })
      await claimOne()
      offset = LEASE_MS - 1000
      assert.deepEqual(await claim(), [])
      offset = LEASE_MS + 1000
      const job = await claimOne()
      assert.equal(job.lease, 2)
      await run(job)
      offset += 2 * LEASE_MS
      assert.deepEqual(await claim(), [])
    })

    it('a worker that has lost its job writes nothing more', async () => {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<{ status: number }>()]
      answer = () => {
        asked.resolve()
        return answered.promise
      }
      await store({ actions: [CALL, tag('behind')] })
      const late = run(await claimOne())
      await asked.promise
      offset = LEASE_MS + 1000
      const next = await claimOne()
      const before = await jobs()
      answered.resolve({ status: 200 })
      await assert.rejects(late, { name: 'LeaseLost' })
      assert.deepEqual(await jobs(), before)
      assert.deepEqual(await told(), { tags: [], outcomes: [], events: [] })
      await run(next)
      assert.equal(calls, 1)
      assert.deepEqual(await told(), {
        tags: ['behind'],
        outcomes: ['A1 unknown'],
        events: ['automation_trigger', 'error', 'automations_end'],
      })
    })

    for (const status of [302, 500])
      it(`a webhook that answers ${status} has failed, and stops its automation where it says so`, async () => {
        answer = async () => ({ status })
        await store({ actions: [{ ...CALL, on_failure: 'stop' }, tag('behind')] })
        await run(await claimOne())
        assert.deepEqual(await told(), {
          tags: [],
          outcomes: ['A1 failed'],
          events: ['automation_trigger', 'error', 'automations_end'],
        })
      })

    it('a call for which nothing could be read was not made: it is made at the next try', async () => {
      await store({ actions: [CALL] })
      const job = await claimOne()
      {
        using lease = jobQueue.take(database().db, job, clock, new AbortController().signal)
        const away = async () => {
          throw new Error('away')
        }
        const failing = runJob(dependencies(), { ...jobOfResponse(job), toldToWebhook: away }, lease)
        await assert.rejects(failing, /away/)
      }
      offset = LEASE_MS + 1000
      await run(await claimOne())
      assert.equal(calls, 1)
      assert.deepEqual((await told()).outcomes, ['A1 succeeded'])
    })

    it('a job whose process died right after an action goes on with the next action', async (context) => {
      const { db } = database()
      const transaction = db.transaction.bind(db)
      let begun = 0
      const dying = context.mock.method(db, 'transaction', () => {
        if (++begun === 2) throw new Error('died')
        return transaction()
      })
      await store({ actions: [{ type: 'send_message', text: 'Hello' }, tag('next')] })
      await assert.rejects(run(await claimOne()), /died/)
      dying.mock.restore()
      offset = LEASE_MS + 1000
      await run(await claimOne())
      const messages = await database().db.selectFrom('messages').select('content').execute()
      assert.deepEqual(messages, [{ content: '"Hello"' }])
      assert.deepEqual((await told()).tags, ['next'])
    })

    it('a worker keeps its job while an evaluator thinks for longer than a lease', async () => {
      mock.timers.enable({ apis: ['setInterval'] })
      const [asked, said] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
      evaluate = () => {
        asked.resolve()
        return said.promise
      }
      await store({ actions: [tag('x')], condition: PASSES })
      const running = run(await claimOne())
      await asked.promise
      while (offset < 2 * LEASE_MS) {
        offset += 5000
        const until = timestamp(clock() + LEASE_MS)
        // A renewal may have begun before the time went on, or fail on a busy machine; a later one makes good for it.
        await becomes(async () => {
          mock.timers.tick(5000)
          return ((await jobs())[0]?.leased_until ?? '') >= until
        }, true)
        assert.deepEqual(await claim(), [])
      }
      said.resolve(true)
      await running
      assert.deepEqual((await told()).tags, ['x'])
    })

    it('a worker that is stopped ends behind its call; the next one goes on, and asks nobody anew', async () => {
      const stopping = new AbortController()
      let asked = 0
      evaluate = async () => ++asked > 1
      answer = async () => {
        stopping.abort()
        return { status: 204 }
      }
      await store(
        { actions: [tag('never')], condition: PASSES },
        { actions: [CALL] },
        { actions: [tag('last')] },
      )
      await assert.rejects(run(await claimOne(), stopping.signal), { name: 'AbortError' })
      assert.deepEqual(await told(), {
        tags: [],
        outcomes: ['A2 succeeded'],
        events: ['automation_trigger'],
      })
      offset = LEASE_MS + 1000
      await run(await claimOne())
      assert.deepEqual([calls, asked], [1, 1])
      assert.deepEqual(await told(), {
        tags: ['last'],
        outcomes: ['A2 succeeded', 'A3 succeeded'],
        events: ['automation_trigger', 'automation_trigger', 'automations_end'],
      })
    })

    it('what an evaluator says of a response that was redacted meanwhile is not kept, nor when people have written since', async () => {
      evaluate = async () => {
        const scrubbed = { role: 'user', content: '"[REDACTED]"', redacted: 'scrub' } as const
        const said = { role: 'operator', content: '"Hello"', redacted: null } as const
        const of = {
          agent_id,
          conversation_id,
          completion_id: COMPLETION,
          created_at: timestamp(Date.now()),
        }
        await database()
          .db.insertInto('messages')
          .values([scrubbed, said].map((row) => ({ ...of, ...row })))
          .execute()
        await database().db.updateTable('completions').set({ redacted: null, redactions: 1 }).execute()
        return false
      }
      await store({ actions: [tag('x')], condition: PASSES })
      await run(await claimOne())
      const said = await database().db.selectFrom('evaluations').select('content').execute()
      assert.deepEqual(said, [{ content: '[REDACTED]' }])
    })

    it('a job that a dead process held is taken up at once, and none that a living one holds', async () => {
      const { db } = database()
      await db.deleteFrom('processes').execute()
      const seen_at = timestamp(clock())
      await db
        .insertInto('processes')
        .values([
          { id: 'dead', seen_at, gone: 1 },
          { id: 'alive', seen_at, gone: 0 },
        ])
        .execute()
      for (const holder of ['alive', 'dead']) {
        await store({ actions: [tag('x')] })
        await jobQueue.claim(db, { holder, nowMs: clock(), limit: 1 })
      }
      const worker = runAutomations({
        ...dependencies(),
        database: database(),
        logger: pino({ level: 'silent' }),
      })
      worker.start()
      const areDone = async () => (await jobs()).map(({ state }) => state === 'done')
      await becomes(areDone, [false, true])
      await worker.stop(0)
      assert.deepEqual(await areDone(), [false, true])
    })

    describe('a job that fails', () => {
      /** Starts a worker in this process. Returns it and the lines of its log. */
      function start() {
        const lines: { msg: string; completion_id: string; attempt: number; error: { name: string } }[] = []
        const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
        const worker = runAutomations({ ...dependencies(), database: database(), logger })
        worker.start()
        return { lines, worker }
      }
      /** Wakes the worker until the one job is as it should be. */
      async function until(isReached: (job: Awaited<ReturnType<typeof jobs>>[number]) => boolean) {
        for (const end = Date.now() + LIMIT_MS; ; await new Promise((resolve) => setImmediate(resolve))) {
          const [job] = await jobs()
          if (job && isReached(job)) return job
          assert.ok(Date.now() < end, `it stayed ${JSON.stringify(job)}`)
          database().wakeUps.send('automations')
        }
      }
      const poison = async () => {
        throw new Error('a secret')
      }

      it('is tried again after growing pauses, and parked after five attempts', async () => {
        evaluate = poison
        await store({ actions: [tag('x')], condition: PASSES })
        const { worker, lines } = start()
        for (const [attempt, pause] of [1, 4, 16, 60].entries()) {
          const before = clock()
          const job = await until(({ attempts, leased_until }) => attempts > attempt && !leased_until)
          const waits = Date.parse(job.due_at) - before
          assert.ok(waits >= pause * 1000, `attempt ${attempt + 1}: after ${waits} ms`)
          assert.ok(Date.parse(job.due_at) <= clock() + pause * 1000)
          offset += pause * 1000
        }
        const job = await until(({ state }) => state !== 'waiting')
        await worker.stop(0)
        assert.deepEqual([job.state, job.attempts], ['parked', 5])
        const { outcomes, events } = await told()
        assert.deepEqual([outcomes, events], [[], ['error']])
        const { data, completion_id } = await database()
          .db.selectFrom('events')
          .select(['data', 'completion_id'])
          .executeTakeFirstOrThrow()
        assert.deepEqual(
          [JSON.parse(data ?? ''), completion_id],
          [{ code: 'automations_parked', reason: 'Error' }, COMPLETION],
        )
        assert.deepEqual(
          lines.map(({ msg, attempt, completion_id }) => [msg, attempt, completion_id]),
          [1, 2, 3, 4, 5].map((attempt) => [
            attempt < 5 ? 'automations failed' : 'automations were parked',
            attempt,
            COMPLETION,
          ]),
        )
        assert.ok(!JSON.stringify(lines).includes('secret'), 'no text')
        offset += 60 * 60 * 1000
        assert.deepEqual(await claim(), [])
      })

      it('holds up no other one', async () => {
        evaluate = poison
        await store({ actions: [tag('x')], condition: PASSES })
        const { worker } = start()
        await until(({ attempts, leased_until }) => attempts === 1 && !leased_until)
        await worker.stop(0)
        await store({ actions: [tag('y')] })
        const [first, ...others] = await claim()
        assert.deepEqual([first?.attempts, others], [0, []])
        assert.ok(first)
        await run(first)
        assert.deepEqual((await told()).tags, ['y'])
      })

      it('is parked unread when each of five processes ended with it, and tried again later', async () => {
        await store({ actions: [tag('x')] })
        const claimBy = (holder: string) => ({ holder, nowMs: clock(), limit: 1 })
        for (let death = 0; death < MOST_DEATHS; death++) {
          const [job] = await (death === 0
            ? jobQueue.claim(database().db, claimBy('dead 0'))
            : jobQueue.claimSuspect(database().db, claimBy(`dead ${death}`)))
          assert.equal(job?.deaths, death)
          offset += LEASE_MS + 1000
        }
        const { worker } = start()
        const { failure } = await until(({ parked_at }) => parked_at !== null)
        assert.deepEqual([failure, (await told()).tags], ['ProcessEnded', []])
        offset += 60_000
        await until(({ parked_at }) => parked_at === null)
        await worker.stop(0)
        assert.deepEqual((await told()).tags, ['x'])
      })

      it('because its process stops is left to the next one', async () => {
        const asked = Promise.withResolvers<void>()
        answer = () => {
          asked.resolve()
          return new Promise((_, reject) => setImmediate(() => reject(new Error('stopped'))))
        }
        await store({ actions: [CALL, tag('behind')] })
        const { worker, lines } = start()
        await asked.promise
        await worker.stop(0)
        const [job] = await jobs()
        assert.deepEqual([job?.state, lines], ['waiting', []])
      })
    })
  })
}
