import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, messageOf, PERSON, sign, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

it('a network to PostgreSQL that is away for longer than a lease counts as the end of no process', async (t) => {
  await using model = await startModelServer()
  await using peer = await startPlatformPeer()
  const fresh = await databaseWithAgent('postgres')
  const env = settingsOn(fresh, {
    PARLEY_MODEL_URL: model.url,
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
  })
  const address = fresh.databaseUrl ?? ''
  const proxies = [await startSilentProxy(address), await startSilentProxy(address)] as const
  const start = (roles: string, { url }: { url: string }) =>
    startService({ ...env, PARLEY_ROLES: roles, PARLEY_DATABASE_URL: url })
  const api = await start('api', proxies[1])
  const first = await start('worker', proxies[0])
  const { db, close } = await openDatabase({ ...fresh, databaseUrl: address })
  const services = [api, first]
  t.after(async () => {
    await Promise.all(services.map((service) => service.end('SIGTERM')))
    await close()
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await fresh.remove()
  })
  await sql`create table ends as select deaths from mailboxes where false`.execute(db)
  await sql`create function note_end() returns trigger language plpgsql as $$ begin
    insert into ends values (new.deaths); return null; end $$`.execute(db)
  await sql`create trigger note_end after update of deaths on mailboxes
    for each row when (new.deaths > old.deaths) execute function note_end()`.execute(db)

  const channel = await addChannel(firstAgentOf(api)(api), 'messenger-three', peer)
  async function write(id: string, person: string): Promise<void> {
    const raw = JSON.stringify(messageOf('messenger-three', person, id, 'hello'))
    const headers = { 'content-type': 'application/json', ...sign('messenger-three', raw, channel.secret) }
    assert.equal((await fetch(channel.url, { method: 'POST', body: raw, headers })).status, 200)
  }
  const open = async () =>
    (await db.selectFrom('mailbox_items').select('id').where('state', 'in', ['waiting', 'sending']).execute())
      .length
  const held = Promise.withResolvers<void>()
  t.after(() => held.resolve())
  model.next({ after: held.promise })
  await write('one', PERSON['messenger-three'])
  await model.request(0)

  const second = await start('worker', proxies[1])
  services.push(second)
  for (const proxy of proxies) proxy.silence()
  const runsOut = async () =>
    db
      .selectFrom('mailboxes')
      .select('id')
      .where(
        'leased_until',
        '<',
        sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      )
      .execute()
  while ((await runsOut()).length === 0) await wait(50)

  proxies[1].heal()
  while ((await fetch(`${api.url}/readyz`)).status !== 200) await wait(50)
  await write('two', `U${'b'.repeat(32)}`)
  await model.request(1)
  proxies[0].heal()
  held.resolve()
  while ((await open()) > 0) await wait(50)
  const { rows } = await sql<{ deaths: number }>`select deaths from ends`.execute(db)
  assert.deepEqual(rows, [])
})
