import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { takingAlong } from '../../../src/storage/written-along.ts'
import { createUsageMeter, type UsageMeter } from '../../../src/usage/meter.ts'
import { selectUsage } from '../../../src/usage/store.ts'
import { becomes } from '../../support/becomes.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const DAY = '2026-03-01'

for (const engine of engines)
  describe(`the usage of work on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let meter: UsageMeter
    let agents = 0

    before(async () => {
      meter = createUsageMeter(
        database().db,
        () => DAY,
        (error) => assert.fail(error as Error),
      )
    })

    const count = (agentId: number, promptTokens = 1) =>
      meter.count({
        agentId,
        kind: 'answer',
        model: 'm',
        promptTokens,
        completionTokens: 0,
        isEstimated: false,
      })

    const stored = async (agent_id: number) => {
      const rows = await selectUsage(database().db, { agent_id, from: DAY, to: DAY })
      return rows.map(({ calls, prompt_tokens }) => [calls, prompt_tokens])
    }

    const transact = (end: () => void = () => {}) =>
      database()
        .db.transaction()
        .execute(async (db) => {
          await db.insertInto('teams').values({ name: '', created_at: DAY }).execute()
          end()
        })

    it('is there with the next commit, and not before', async () => {
      const agent = ++agents
      await takingAlong(async () => {
        count(agent)
        count(agent, 2)
        assert.deepEqual([await stored(agent), meter.unstored(agent)[0]?.calls], [[], 2])
        await transact()
        assert.deepEqual([await stored(agent), meter.unstored(agent)], [[[2, 3]], []])
        count(agent, 4)
        await transact()
        assert.deepEqual(await stored(agent), [[3, 7]])
      })
    })

    it('of a transaction that fails is there with the one after it', async () => {
      const agent = ++agents
      await takingAlong(async () => {
        count(agent)
        const failure = new Error('undone')
        await assert.rejects(
          transact(() => assert.fail(failure)),
          failure,
        )
        assert.deepEqual([await stored(agent), meter.unstored(agent)[0]?.calls], [[], 1])
        await transact()
        assert.deepEqual([await stored(agent), meter.unstored(agent)], [[[1, 1]], []])
      })
    })

    it('that no transaction takes is stored by itself when the work ends, also when it fails', async () => {
      const agent = ++agents
      await takingAlong(async () => count(agent))
      await becomes(() => stored(agent), [[1, 1]])
      await assert.rejects(
        takingAlong(async () => {
          count(agent)
          throw new Error('the work failed')
        }),
      )
      await becomes(() => stored(agent), [[2, 2]])
    })

    it('of what the work left behind is stored by itself', async () => {
      const agent = ++agents
      const later = Promise.withResolvers<void>()
      let behind: Promise<void> = Promise.resolve()
      await takingAlong(async () => {
        count(agent)
        behind = later.promise.then(() => count(agent))
        await transact()
      })
      later.resolve()
      await behind
      await becomes(() => stored(agent), [[2, 2]])
    })

    it('of others is not taken along', async () => {
      const [agent, other] = [++agents, ++agents]
      await Promise.all([
        takingAlong(async () => {
          count(agent)
          await transact()
        }),
        takingAlong(async () => {
          count(other, 5)
          await transact()
        }),
      ])
      assert.deepEqual([await stored(agent), await stored(other)], [[[1, 1]], [[1, 5]]])
    })

    it('adds to what older versions stored', async () => {
      const agent_id = ++agents
      const row = { agent_id, day: DAY, model: 'm', kind: 'answer' as const, estimated: 0 }
      await database()
        .db.insertInto('model_usage')
        .values({ ...row, calls: 10, prompt_tokens: 100, completion_tokens: 0 })
        .execute()
      count(agent_id)
      await becomes(() => stored(agent_id), [[11, 101]])
    })
  })
