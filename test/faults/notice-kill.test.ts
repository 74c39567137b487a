import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { it } from 'node:test'
import type { Kysely } from 'kysely'
import { reachAllAgents } from '../../src/lib/agent-scope.ts'
import { timestamp } from '../../src/lib/clock.ts'
import { askForPushes } from '../../src/notices/pushes/store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { becomes, until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

reachAllAgents()

// More than two processes mail at once.
const PEOPLE = 20
const HOUR_MS = 3_600_000
const LONG_AGO = '2026-01-01T00:00:00.000Z'

for (const engine of engines) {
  const who = engine === 'sqlite' ? 'a process' : 'one of two replicas'

  it(`${who} killed while notices leave by mail, in digests and by push: each goes once, but those that were leaving, on ${engine}`, async (t) => {
    await using mail = await startMailServer()
    const held: ServerResponse[] = []
    await using pushService = await startPeer((response) => void held.push(response))
    const fresh = await databaseWithAgent(engine)
    const start = () =>
      startService(settingsOn(fresh, { ...mail.env, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' }))
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
    const people: number[] = []
    for (let n = 0; n < PEOPLE; n++) {
      const { id } = await db
        .insertInto('operators')
        .values({
          ...{ team_id: 1, name: `Person ${n}`, email: `${n}@example.com`, right: 'respond' },
          created_at: LONG_AGO,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      people.push(id)
      const { conversation_id } = await agent.prompt('Where is my parcel?')
      const given = await agent.put(`/conversations/${conversation_id}/assignee`, { operator_id: id })
      assert.equal(given.status, 200, given.text)
    }
    const works = worksOf(db, people, mail, pushService)
    await becomes(async () => (await works.mail.rows()).length, PEOPLE)

    // They stay unread for an hour. The servers take what comes, and say nothing.
    mail.mood = 'holds'
    const at = timestamp(Date.now() - HOUR_MS)
    await db.updateTable('notices').set({ at }).execute()
    await db.updateTable('notice_mails').set({ due_at: at }).execute()
    await askForDigests(db, people, at)
    await pushToAll(db, pushService.url)
    for (const { rows, to } of Object.values(works))
      await until(async () => {
        const taken = (await rows()).filter((row) => row.sending_since !== null && to(row.operator_id) > 0)
        return new Set(taken.map(({ holder }) => holder)).size === services.length
      })
    const { signal } = (await services.shift()?.end('SIGKILL')) ?? {}
    assert.equal(signal, 'SIGKILL')
    /** Whom something was leaving for, of each kind, and those of them whom it had not reached. */
    const [leaving, lost] = [new Map<string, number[]>(), new Map<string, number[]>()]
    for (const [kind, { rows, to }] of Object.entries(works)) {
      const begun = (await rows()).filter(({ sending_since }) => sending_since !== null)
      const those = begun.map(({ operator_id }) => operator_id)
      assert.ok(those.length < PEOPLE, `no ${kind} was left to the others`)
      leaving.set(kind, those)
      lost.set(
        kind,
        those.filter((id) => to(id) === 0),
      )
    }

    mail.answer()
    services.push(await start())
    const done = async () => {
      for (const response of held.splice(0)) response.writeHead(201).end()
      const [mails, digests, pushes] = await Promise.all(Object.values(works).map(({ rows }) => rows()))
      return [
        mails?.length,
        digests?.filter(({ due_at }) => (due_at ?? '') > at).length,
        pushes?.filter(({ due_at }) => due_at === null).length,
      ]
    }
    await becomes(done, [0, PEOPLE, PEOPLE])
    for (const [kind, { to }] of Object.entries(works))
      for (const id of people) {
        const isDoubtful = (kind === 'push' ? leaving : lost).get(kind)?.includes(id)
        // A mail that may have left does not leave again; a push takes the place of the first.
        const allowed = isDoubtful ? [1, kind === 'push' ? 2 : 0] : [1]
        assert.ok(allowed.includes(to(id)), `person ${id} got ${to(id)} of the kind ${kind}`)
      }
    const told = await db.selectFrom('notices').select('mailed_at').where('kind', '=', 'assigned').execute()
    assert.equal(told.filter(({ mailed_at }) => mailed_at !== null).length, PEOPLE)
  })
}

/** The kinds of what leaves: its rows, and how much of it has reached a person. */
function worksOf(db: Kysely<Tables>, people: readonly number[], mail: MailServer, pushService: Peer) {
  const letters = (isDigest: boolean) => (id: number) =>
    mail.letters.filter(
      ({ to, text }) =>
        to === `${people.indexOf(id)}@example.com` && text.includes('your daily digest') === isDigest,
    ).length
  const columns = ['operator_id', 'holder', 'sending_since', 'due_at'] as const
  return {
    mail: { rows: () => db.selectFrom('notice_mails').select(columns).execute(), to: letters(false) },
    digest: { rows: () => db.selectFrom('notice_settings').select(columns).execute(), to: letters(true) },
    push: {
      rows: () =>
        db
          .selectFrom('notice_pushes')
          .innerJoin('push_browsers', 'push_browsers.id', 'browser_id')
          .select(columns)
          .execute(),
      to: (id: number) => pushService.requests.filter(({ path }) => path === `/${id}`).length,
    },
  }
}

/** Gives each person a digest that is due. */
async function askForDigests(db: Kysely<Tables>, people: readonly number[], due_at: string): Promise<void> {
  const choices = { choices: '{}', after_minutes: 15, details: 0 as const, digest_at: '08:00' }
  await db
    .insertInto('notice_settings')
    .values(
      people.map((operator_id) => ({
        ...{ operator_id, ...choices, time_zone: 'UTC', due_at },
        ...{ leased_until: null, sending_since: null },
      })),
    )
    .execute()
}

/** Gives each person who has a notice a browser to which it is pushed. */
async function pushToAll(db: Kysely<Tables>, url: string): Promise<void> {
  const notices = await db.selectFrom('notices').selectAll().where('kind', '=', 'assigned').execute()
  for (const notice of notices) {
    const { operator_id } = notice
    const session = await db
      .insertInto('operator_sessions')
      .values({
        ...{ operator_id, hash: `${operator_id}`, address: null, user_agent: null },
        ...{ created_at: LONG_AGO, used_at: LONG_AGO, expires_at: '2999-01-01T00:00:00.000Z' },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const browser = await db
      .insertInto('push_browsers')
      .values({
        ...{ operator_id, session_id: session.id, endpoint: `${url}/${operator_id}`, user_agent: null },
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
        created_at: LONG_AGO,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await askForPushes(db, notice, [browser.id])
  }
}
