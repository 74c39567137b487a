import assert from 'node:assert/strict'
import { it } from 'node:test'
import { reachAllAgents } from '../../src/lib/agent-scope.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { becomes, until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { startMailServer } from '../support/mail-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

reachAllAgents()

// More than two processes mail at once.
const PEOPLE = 20
const HOUR_MS = 3_600_000

for (const engine of engines) {
  const who = engine === 'sqlite' ? 'a process' : 'one of two replicas'

  it(`${who} killed while notices leave by mail: what may have left is not mailed again, each other goes once, on ${engine}`, async (t) => {
    await using mail = await startMailServer()
    const fresh = await databaseWithAgent(engine)
    const start = () => startService(settingsOn(fresh, mail.env))
    const first = await start()
    // SQLite is for one process.
    const services = engine === 'sqlite' ? [first] : [first, await start()]
    const { db, close } = await openDatabase(fresh)
    t.after(async () => {
      await Promise.all(services.map((one) => one.end('SIGTERM')))
      await close()
      await fresh.remove()
    })
    const agent = firstAgentOf(first)(first)
    const addresses = new Map<number, string>()
    for (let n = 0; n < PEOPLE; n++) {
      const email = `${n}@example.com`
      const { id } = await db
        .insertInto('operators')
        .values({
          ...{ team_id: 1, name: `Person ${n}`, email, right: 'respond' },
          created_at: '2026-01-01T00:00:00.000Z',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      addresses.set(id, email)
      const { conversation_id } = await agent.prompt('Where is my parcel?')
      const given = await agent.put(`/conversations/${conversation_id}/assignee`, { operator_id: id })
      assert.equal(given.status, 200, given.text)
    }
    const rows = () => db.selectFrom('notice_mails').selectAll().execute()
    await becomes(async () => (await rows()).length, PEOPLE)

    // They stay unread for an hour. The server takes the mails, and says nothing.
    mail.mood = 'holds'
    const at = timestamp(Date.now() - HOUR_MS)
    await db.updateTable('notices').set({ at }).execute()
    await db.updateTable('notice_mails').set({ due_at: at }).execute()
    const to = (operatorId: number) =>
      mail.letters.filter((one) => one.to === addresses.get(operatorId)).length
    const begun = async () => (await rows()).filter(({ sending_since }) => sending_since !== null)
    await until(async () => {
      const taken = (await begun()).filter(({ operator_id }) => to(operator_id) > 0)
      return new Set(taken.map(({ holder }) => holder)).size === services.length
    })
    const { signal } = (await services.shift()?.end('SIGKILL')) ?? {}
    assert.equal(signal, 'SIGKILL')
    const left = (await begun()).map(({ operator_id }) => operator_id)
    const taken = mail.letters.length
    assert.ok(left.length < PEOPLE, 'no mail was left to the others')
    /** Whom a mail was leaving for that had not arrived: those may get none. */
    const lost = new Set(left.filter((id) => to(id) === 0))

    mail.answer()
    services.push(await start())
    await becomes(rows, [])
    for (const id of addresses.keys())
      assert.ok(to(id) === 1 || (to(id) === 0 && lost.has(id)), `${addresses.get(id)} got ${to(id)} mails`)
    assert.ok(mail.letters.length > taken)
    const told = await db.selectFrom('notices').select('mailed_at').where('kind', '=', 'assigned').execute()
    assert.equal(told.filter(({ mailed_at }) => mailed_at !== null).length, PEOPLE)
  })
}
