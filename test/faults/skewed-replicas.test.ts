import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

const SKEWED = fileURLToPath(new URL('../support/skewed-clock.ts', import.meta.url))
const INVITATIONS = 14

it('replicas whose clocks are 60 s ahead and 60 s behind keep the leases of each other, and are not ready', async (t) => {
  const fresh = await databaseWithAgent('postgres')
  const mail = await startMailServer()
  const env = settingsOn(fresh, mail.env)
  const start = (skewMs: number, roles = 'api,worker') =>
    startService({ ...env, PARLEY_ROLES: roles, SKEW_MS: `${skewMs}`, NODE_OPTIONS: `--import ${SKEWED}` })
  // Only those whose clocks are wrong send.
  const services = [await start(0, 'api'), await start(60_000), await start(-60_000)]
  const database = await openDatabase({ ...fresh, databaseUrl: fresh.databaseUrl ?? null })
  t.after(async () => {
    for (const service of services) await service.end('SIGTERM')
    await database.close()
    await mail.close()
    await fresh.remove()
  })
  const [straight] = services
  assert.ok(straight)

  const ready = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
  assert.deepEqual(ready, [200, 503, 503], 'the skew has landed')

  await sql`create table leases as select holder, leased_until, clock_timestamp() as at from operator_mails`.execute(
    database.db,
  )
  await sql`create function note_lease() returns trigger language plpgsql as $$ begin
    insert into leases values (new.holder, new.leased_until, clock_timestamp()); return null; end $$`.execute(
    database.db,
  )
  await sql`create trigger note_lease after update of leased_until on operator_mails
    for each row execute function note_lease()`.execute(database.db)
  const agentOf = firstAgentOf(straight)
  const emails = Array.from({ length: INVITATIONS }, (_, at) => `person-${at}@example.com`)
  for (const [at, email] of emails.entries()) {
    const service = services[at % services.length]
    assert.ok(service)
    const { status, text } = await agentOf(service).post('/operators', { email, right: 'read', name: 'A' })
    assert.equal(status, 201, text)
  }
  while ((await database.db.selectFrom('operator_mails').select('id').execute()).length > 0) await wait(20)
  assert.deepEqual(mail.letters.map(({ to }) => to).toSorted(), emails.toSorted(), 'each letter once')
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from leased_until::timestamptz - at)::float8 as seconds
    from leases where leased_until is not null`.execute(database.db)
  assert.ok(rows.length >= INVITATIONS)
  for (const { seconds } of rows) assert.ok(seconds > 0 && seconds < 11, `a lease of ${seconds} s`)
})
