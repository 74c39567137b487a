import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { importUsers } from '../../../src/imports/import-users.ts'
import { readPeopleFile } from '../../../src/imports/read-people-file.ts'
import { insertUser, selectUsers } from '../../../src/users/known-users.ts'
import { setMerged } from '../../../src/users/person-store.ts'
import { userKey } from '../../../src/users/user-key.ts'
import { aroundQueries } from '../../support/around-queries.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const now = '2026-01-01T00:00:00.000Z'
const [ada, countess] = ['ada', 'countess'].map((id) => userKey({ source: 'api', id })) as [never, never]

for (const engine of engines)
  describe(`importUsers on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let owner: { agentId: number; teamId: number }
    beforeEach(async () => {
      owner = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: Date.parse(now) }))
    })

    const send = async (lines: readonly string[], isDryRun: boolean) => {
      const file = await readPeopleFile(Buffer.from(['id,plan', ...lines].join('\n')))
      const by = { teamId: owner.teamId, actor: { kind: 'operator', id: '1', name: 'Ada' } } as never
      const erasures = { subjectKey: (_agentId: number, named: string) => named }
      const { db } = database()
      const context = { db, agentId: owner.agentId, file, isDryRun, now, by, erasures }
      return (await importUsers(context)).map(({ id, outcome }) => `${id} ${outcome}`)
    }

    it('tells what a file of many rows would do with few queries', async () => {
      const people = Array.from({ length: 300 }, (_, n) => `person-${n},pro`)
      let queries = 0
      const end = aroundQueries(database().db, (_query, run) => {
        queries++
        return run()
      })
      const outcomes = await send(people, true)
      end()
      assert.deepEqual(
        outcomes.filter((one) => !one.endsWith(' created')),
        [],
      )
      assert.ok(queries < 60, `${queries} queries`)
    })

    it('finds a person whom a row far away names too', async () => {
      const people = Array.from({ length: 250 }, (_, n) => `person-${n},pro`)
      const lines = ['ada,pro', 'bo,pro', ...people, 'widget:bo,free', 'api:ada,free', 'person-3,free']
      for (const isDryRun of [true, false])
        assert.deepEqual(
          (await send(lines, isDryRun)).filter((one) => !/^person-\d+ created$/.test(one)),
          ['ada created', 'bo created', 'widget:bo refused', 'api:ada refused', 'person-3 refused'],
        )
    })

    it('stores to the person into whom somebody was merged since the rows were read', async () => {
      const { db } = database()
      const { agentId } = owner
      for (const id of [ada, countess]) {
        const user = { agent_id: agentId, id, given_id: id, proof: 'signed', first_seen_at: now } as const
        await insertUser(db, user)
      }
      await send(['ada,pro'], false)
      const merge = () =>
        setMerged(db, agentId, [countess], { person_id: ada, merged_into: ada, merged_at: now })
      let isMerged = false
      // The first query for whole rows is that of what is stored of the people.
      const end = aroundQueries(db, async (query, run) => {
        if (!isMerged && /^select \* from "users"/.test(query.sql)) {
          isMerged = true
          await merge()
        }
        return run()
      })
      const outcomes = await send(['countess,pro'], true)
      end()
      assert.deepEqual([isMerged, outcomes], [true, ['countess unchanged']])
      assert.deepEqual(await send(['countess,free', 'bo,x'], false), ['countess changed', 'bo created'])
      const [row] = await selectUsers(db, agentId, [ada])
      assert.equal(row?.attributes, '{"plan":"free"}')
    })
  })
