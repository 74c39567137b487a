import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reachAllAgents } from '../../src/lib/agent-scope.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { becomes, pause } from '../support/becomes.ts'
import { engines, type FreshDatabase } from '../support/databases.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { uploadTo } from '../support/upload.ts'

reachAllAgents()

const PEOPLE = 2
const AT_ONCE = 3
const CONVERSATIONS = 20
const KILLED_AT = [4, 10]
/** So many that an import is seen, and its process killed, before it ends. */
const USERS = { sqlite: 5000, postgres: 2000 }

for (const engine of engines)
  describe(`kill -9 at a desk, on ${engine}`, () => {
    let fresh: FreshDatabase
    let opened: Awaited<ReturnType<typeof openDatabase>>
    let services: ServiceProcess[] = []
    let agent: () => ReturnType<ReturnType<typeof firstAgentOf>>

    before(async () => {
      fresh = await databaseWithAgent(engine)
      services = [await startService(settingsOn(fresh))]
      // SQLite is for one process.
      if (engine === 'postgres') services.push(await startService(settingsOn(fresh)))
      opened = await openDatabase(fresh)
      const [first] = services
      assert.ok(first)
      const agentOf = firstAgentOf(first)
      agent = () => agentOf(services[0] as ServiceProcess)
    })
    after(async () => {
      await Promise.all(services.map((service) => service.end('SIGTERM')))
      await opened.close()
      await fresh.remove()
    })

    /** Kills a process, and starts one in its place, which is the last one then. */
    async function killOne(): Promise<void> {
      const { signal } = await (services.shift() as ServiceProcess).end('SIGKILL')
      assert.equal(signal, 'SIGKILL')
      services.push(await startService(settingsOn(fresh)))
    }

    it('each waiting conversation is given once, nobody has more than they may, and an automation runs once', async () => {
      const { db } = opened
      const operators: number[] = []
      for (let n = 0; n < PEOPLE; n++) {
        const { id } = await db
          .insertInto('operators')
          .values({
            ...{ team_id: 1, name: `Person ${n}`, email: `${n}@example.com`, right: 'respond' },
            ...{ created_at: '2026-01-01T00:00:00.000Z', available_until: '2999-01-01T00:00:00.000Z' },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        operators.push(id)
      }
      const group = { name: 'Desk', operators, assignment: 'least_loaded', at_once: AT_ONCE }
      assert.equal((await agent().post('/groups', group)).status, 201)
      const actions = [{ type: 'add_note', text: 'It has ended.' }]
      const automation = await agent().post('/automations', { name: 'Ended', on: 'ended', actions })
      assert.equal(automation.status, 201, automation.text)
      for (let n = 0; n < CONVERSATIONS; n++) {
        const { conversation_id } = await agent().prompt('Where is my parcel?')
        await agent().post(`/conversations/${conversation_id}/wait`)
      }

      /** The conversations in hand. Fails when somebody has too many. */
      async function inHand(): Promise<string[]> {
        const rows = await db
          .selectFrom('conversations')
          .select(['id', 'assignee_id'])
          .where('assignee_id', 'is not', null)
          .where('ended_at', 'is', null)
          .execute()
        for (const [id, those] of Map.groupBy(rows, ({ assignee_id }) => assignee_id))
          assert.ok(those.length <= AT_ONCE, `person ${id} has ${those.length}`)
        return rows.map(({ id }) => id)
      }

      for (let ended = 0; ended < CONVERSATIONS; ) {
        let [id] = await inHand()
        for (const until = Date.now() + 60_000; !id && Date.now() < until; [id] = await inHand())
          await pause()
        assert.ok(id, `nobody was given more after ${ended} had ended`)
        assert.equal((await agent().post(`/conversations/${id}/end`)).status, 200)
        ended++
        // Its place is free, and whoever gives it away may be the one that dies.
        if (KILLED_AT.includes(ended)) await killOne()
      }
      assert.deepEqual(await inHand(), [])
      const told = await db
        .selectFrom('happenings')
        .select(['conversation_id', 'details'])
        .where('kind', '=', 'assigned')
        .execute()
      const given = told.flatMap(({ conversation_id, details }) =>
        JSON.parse(details ?? '{}').operator ? [conversation_id] : [],
      )
      assert.deepEqual([given.length, new Set(given).size], [CONVERSATIONS, CONVERSATIONS])
      const noted = async () => {
        const notes = await db.selectFrom('conversation_notes').select('conversation_id').execute()
        return [notes.length, new Set(notes.map(({ conversation_id }) => conversation_id)).size]
      }
      await becomes(noted, [CONVERSATIONS, CONVERSATIONS])
      const open = () => db.selectFrom('desk_jobs').select('id').where('state', '=', 'waiting').execute()
      await becomes(async () => (await open()).length, 0)
      assert.deepEqual(await noted(), [CONVERSATIONS, CONVERSATIONS])
    })

    it('an import of users goes on with the same file: each is made once', async () => {
      const { db } = opened
      const users = USERS[engine]
      const ids = Array.from({ length: users }, (_, n) => `person-${n}`)
      const file = `id,name\n${ids.map((id) => `${id},Name of ${id}`).join('\n')}\n`
      const send = async () => {
        const { status, body } = await uploadTo(agent(), '/users/import', { 'people.csv': file })
        assert.equal(status, 200, JSON.stringify(body))
        const { created, unchanged } = (body.data as unknown as { counts: Record<string, number> }).counts
        return { created, unchanged }
      }
      const stored = async () => {
        const { count } = await db
          .selectFrom('users')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('given_id', 'like', 'person-%')
          .executeTakeFirstOrThrow()
        return Number(count)
      }
      const cutOff = assert.rejects(send())
      await becomes(async () => (await stored()) > 0, true)
      await killOne()
      await cutOff
      const before = await stored()
      assert.ok(before > 0 && before < users, `the kill came after ${before}`)
      assert.deepEqual(await send(), { created: users - before, unchanged: before })
      assert.deepEqual(await send(), { created: 0, unchanged: users })
      assert.equal(await stored(), users)
      const audited = await db
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'users.imported')
        .execute()
      const created = audited.reduce((sum, { details }) => sum + JSON.parse(details ?? '{}').created, 0)
      assert.equal(created, users)
    })
  })
