import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, beforeEach, it } from 'node:test'
import { openDatabase } from '../../src/storage/database.ts'
import { assertError, startApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
import { startMailServer } from '../support/mail-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const mail = await startMailServer()
after(() => mail.close())
const MINUTE_MS = 60_000

onBothEngines(
  'mails with notices',
  (service) => {
    beforeEach(() => {
      mail.mood = 'takes'
      mail.letters.length = 0
    })

    /** A person who was given a conversation. */
    async function given() {
      const agent = await service.addAgent()
      const person = await signInNew(service.app, { teamId: agent.teamId, right: 'respond' })
      const { conversation_id: id } = await agent.prompt('Where is my parcel?')
      const give = async (id: string) => {
        const unread = async () => (await person.call('GET', '/notices')).body.unread
        const before = await unread()
        await agent.put(`/conversations/${id}/assignee`, { operator_id: person.operatorId })
        await becomes(unread, before + 1)
      }
      const read = () => person.call('PUT', '/notices/read')
      const settings = async () => (await person.call('GET', '/notices/settings')).body.data
      const set = async (part: object) => {
        const { mail: _, ...present } = await settings()
        const answer = await person.call('PUT', '/notices/settings', { ...present, ...part })
        assert.equal(answer.status, 200, answer.text)
      }
      return { agent, person, id, give, read, settings, set }
    }
    const waiting = () =>
      service.app.app.foundation.database.db.selectFrom('notice_mails').select('id').execute()

    it('what stays unread is mailed, all in one mail, without names or words of anybody', async () => {
      const { agent, id, give, person } = await given()
      await give(id)
      await give((await agent.prompt('Where is my order?')).conversation_id)
      assert.equal(mail.letters.length, 0)
      service.pass(16 * MINUTE_MS)
      await mail.until(1)
      const [letter] = mail.letters
      assert.equal(letter?.to, person.email)
      assert.match(letter?.raw ?? '', /^Subject: 2 unread notices in Parley\r$/m)
      assert.match(letter?.raw ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
      assert.ok(letter?.text.includes(`/console/agents/${agent.agentId}/inbox/${id}`), letter?.text)
      for (const word of ['parcel', 'order', 'Test agent']) assert.ok(!letter?.text.includes(word), word)
      await becomes(waiting, [])
      service.pass(60 * MINUTE_MS)
      await give((await agent.prompt('Hello?')).conversation_id)
      service.pass(16 * MINUTE_MS)
      await mail.until(2)
      assert.match(mail.letters[1]?.raw ?? '', /^Subject: An unread notice in Parley\r$/m)
    })

    it('a notice read on the phone leaves the mail unsent', async () => {
      const { id, give, read } = await given()
      await give(id)
      await read()
      service.pass(16 * MINUTE_MS)
      await becomes(waiting, [])
      assert.equal(mail.letters.length, 0)
    })

    it('a notice of what has left the scope of its person is not mailed, by itself or in a digest', async () => {
      const { agent, person, id, give, set } = await given()
      const at = new Date(service.clock() + 60 * MINUTE_MS).toISOString().slice(11, 16)
      await set({ digest: { at, time_zone: 'UTC' } })
      await give(id)
      await agent.patch(`/operators/${person.operatorId}`, { scope: 'own' })
      await agent.put(`/conversations/${id}/assignee`, { operator_id: null })
      service.pass(16 * MINUTE_MS)
      await becomes(waiting, [])
      const told = () =>
        service.app.app.foundation.database.db
          .selectFrom('notice_settings')
          .select('digested_until')
          .where('operator_id', '=', person.operatorId)
          .executeTakeFirstOrThrow()
      const { digested_until: before } = await told()
      service.pass(61 * MINUTE_MS)
      await becomes(async () => (await told()).digested_until === before, false)
      assert.equal(mail.letters.length, 0)
    })

    it('200, 400: people choose kinds, minutes and names; nobody else is changed', async () => {
      const { person, id, give, settings, set } = await given()
      const { kinds, ...rest } = await settings()
      assert.deepEqual(rest, { after_minutes: 15, details: false, digest: null, mail: true })
      assert.deepEqual(
        [kinds.assigned, kinds.reply],
        [
          { page: true, mail: true, push: true },
          { page: true, mail: false, push: true },
        ],
      )
      await set({ after_minutes: 1, details: true })
      await give(id)
      service.pass(2 * MINUTE_MS)
      await mail.until(1)
      assert.ok(mail.letters[0]?.text.includes('You were given a conversation, Test agent'))
      for (const part of [
        { after_minutes: 0 },
        { digest: { at: '25:00', time_zone: 'UTC' } },
        { kinds: {} },
      ]) {
        const { mail: _, ...present } = await settings()
        assertError(
          await person.call('PUT', '/notices/settings', { ...present, ...part }),
          400,
          'invalid_request',
        )
      }
    })

    it('a digest comes once a day, with what is unread; none if nothing is', async () => {
      const { id, give, set, settings } = await given()
      const { kinds } = await settings()
      const at = new Date(service.clock() + 60 * MINUTE_MS).toISOString().slice(11, 16)
      await set({
        kinds: { ...kinds, assigned: { page: true, mail: false, push: false } },
        digest: { at, time_zone: 'UTC' },
      })
      await give(id)
      service.pass(61 * MINUTE_MS)
      await mail.until(1)
      assert.ok(mail.letters[0]?.text.includes('This is your daily digest.'))
      const due = async () =>
        (
          await service.app.app.foundation.database.db
            .selectFrom('notice_settings')
            .select(['due_at', 'sending_since'])
            .where('digest_at', '=', at)
            .where('sending_since', 'is', null)
            .execute()
        ).every(({ due_at }) => (due_at ?? '') > new Date(service.clock()).toISOString())
      await becomes(due, true)
      service.pass(24 * 60 * MINUTE_MS)
      await becomes(due, true)
      assert.equal(mail.letters.length, 1)
    })

    it('one click stops them, and a wrong signature does not; the page says so', async () => {
      const { id, give, settings } = await given()
      await give(id)
      service.pass(16 * MINUTE_MS)
      await mail.until(1)
      const [, path = ''] =
        /Stop these mails: \S+?(\/api\/v1\/notice-mails\/\S+)/.exec(mail.letters[0]?.text ?? '') ?? []
      const url = `${service.app.url}${path}`
      assert.match(await (await fetch(url)).text(), /Stop mails with notices\?/)
      assert.equal((await settings()).kinds.assigned.mail, true)
      assert.equal((await fetch(`${url}x`, { method: 'POST' })).status, 409)
      const stopped = await fetch(url, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
      assert.equal(stopped.status, 200)
      const { kinds } = await settings()
      assert.ok(Object.values(kinds).every((one) => (one as { mail: boolean }).mail === false))
    })

    it('a mail server that refuses for now is asked again, with the same notices', async () => {
      const { id, give } = await given()
      await give(id)
      mail.mood = 'busy'
      service.pass(16 * MINUTE_MS)
      const tries = async () =>
        (
          await service.app.app.foundation.database.db.selectFrom('notice_mails').select('attempts').execute()
        )[0]?.attempts
      await becomes(tries, 1)
      mail.mood = 'takes'
      service.pass(2 * MINUTE_MS)
      await mail.until(1)
      await becomes(waiting, [])
    })

    it('a mail or a digest that a mail server took without saying so is not sent again', async () => {
      const { agent, id, give, set } = await given()
      const at = new Date(service.clock() + 60 * MINUTE_MS).toISOString().slice(11, 16)
      await set({ digest: { at, time_zone: 'UTC' } })
      mail.mood = 'hangs up'
      await give(id)
      service.pass(16 * MINUTE_MS)
      await mail.until(1)
      await becomes(waiting, [])
      service.pass(45 * MINUTE_MS)
      await mail.until(2)
      const digest = async () =>
        (
          await service.app.app.foundation.database.db
            .selectFrom('notice_settings')
            .select(['attempts', 'sending_since'])
            .where('digest_at', '=', at)
            .execute()
        )[0]
      await becomes(digest, { attempts: 0, sending_since: null })
      mail.mood = 'takes'
      service.pass(60 * MINUTE_MS)
      await give((await agent.prompt('Hello?')).conversation_id)
      service.pass(16 * MINUTE_MS)
      // Only the mail with the new notice.
      await mail.until(3)
      assert.match(mail.letters[2]?.raw ?? '', /^Subject: An unread notice in Parley\r$/m)
    })

    it('a process that ended while a mail left sends none again', async () => {
      const { id, give } = await given()
      await give(id)
      const { db } = service.app.app.foundation.database
      const now = new Date(service.clock()).toISOString()
      await db.updateTable('notice_mails').set({ sending_since: now }).execute()
      await db.updateTable('notices').set({ mailed_at: now }).where('conversation_id', '=', id).execute()
      service.pass(16 * MINUTE_MS)
      await becomes(waiting, [])
      assert.equal(mail.letters.length, 0)
    })
  },
  mail.env,
)

it('a process that stops while a mail server lets it wait leaves the mail to the next', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  let past = 0
  const env = { ...mail.env, PARLEY_SMTP_URL: `smtp://127.0.0.1:${port}` }
  await using app = await startApp('sqlite', env, () => Date.now() + past)
  const person = await signInNew(app, { teamId: app.agent.teamId, right: 'respond' })
  const { conversation_id: id } = await app.agent.prompt('Where is my parcel?')
  await app.agent.put(`/conversations/${id}/assignee`, { operator_id: person.operatorId })
  await becomes(async () => (await person.call('GET', '/notices')).body.unread, 1)
  const connected = once(silent, 'connection')
  past = 16 * MINUTE_MS
  await connected
  await app.app.close()
  silent.close()
  const { db, close } = await openDatabase({ databaseUrl: null, dataDir: app.dataDir })
  const mails = await db.selectFrom('notice_mails').select(['sending_since', 'leased_until']).execute()
  const notices = await db.selectFrom('notices').select('mailed_at').execute()
  await close()
  assert.deepEqual(mails, [{ sending_since: null, leased_until: null }])
  assert.deepEqual(notices, [{ mailed_at: null }])
})
