import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, beforeEach, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { startApp, type TestApp } from '../support/app.ts'
import { openConsole, PASSWORD, signInNew } from '../support/console.ts'
import { startMailServer } from '../support/mail-server.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const mail = await startMailServer()
after(() => mail.close())

const invite = async ({ agent }: Pick<TestApp, 'agent'>, email = `${crypto.randomUUID()}@example.com`) => {
  const answer = await agent.post('/operators', { email, right: 'respond', name: 'Zoë "Z" Öl' })
  assert.equal(answer.status, 201, answer.text)
  return { email, id: answer.body.data.id as number, url: answer.body.data.join_url as string }
}

onBothEngines(
  'mail to operators',
  (service) => {
    const waiting = () =>
      service.app.app.foundation.database.db.selectFrom('operator_mails').selectAll().execute()
    /** Resolves when the service has stored how a mail ended. */
    const settled = async (isSettled: (rows: Awaited<ReturnType<typeof waiting>>) => boolean) => {
      const late = Date.now() + 20_000
      while (!isSettled(await waiting())) {
        assert.ok(Date.now() < late, 'the mail was not settled')
        await wait(20)
      }
    }
    beforeEach(async () => {
      mail.mood = 'takes'
      await settled((rows) => rows.length === 0)
      mail.letters.length = 0
      mail.asked = 0
    })

    it('an invitation goes to the address of the person, with the link that is also answered, which works', async () => {
      const { email, url } = await invite(service.app)
      await mail.until(1)
      const [letter] = mail.letters
      assert.equal(letter?.to, email)
      assert.equal(letter?.from, 'parley@example.com')
      assert.match(letter?.raw ?? '', /^From: Parley <parley@example.com>\r$/m)
      assert.match(letter?.raw ?? '', /^Subject: You are invited to Parley\r$/m)
      assert.ok(letter?.text.includes(`\r\n${url}\r\n`), letter?.text)
      assert.ok(letter?.text.startsWith('Hello Zoë "Z" Öl,'), letter?.text)
      const token = url.split('#')[1]
      const joined = await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
      assert.equal(joined.status, 200)
      await settled((rows) => rows.length === 0)
    })

    it('a reset is mailed as one', async () => {
      const person = await signInNew(service.app, { teamId: service.app.agent.teamId, right: 'read' })
      const answer = await service.app.agent.post(`/operators/${person.operatorId}/reset`)
      assert.equal(answer.status, 200)
      await mail.until(1)
      assert.equal(mail.letters[0]?.to, person.email)
      assert.match(mail.letters[0]?.raw ?? '', /^Subject: Choose a new password for Parley\r$/m)
      assert.ok(mail.letters[0]?.text.includes(answer.body.data.join_url))
    })

    it('a refused invitation mails nobody', async () => {
      const { email } = await invite(service.app)
      await mail.until(1)
      await settled((rows) => rows.length === 0)
      const again = await service.app.agent.post('/operators', { email, right: 'read' })
      assert.equal(again.status, 409)
      assert.deepEqual(await waiting(), [])
    })

    for (const [mood, attempts] of [
      ['busy', 'the server wants to be asked later'],
      ['distrusts', 'the server refuses the password, until somebody sets the right one'],
    ] as const)
      it(`is tried again when ${attempts}`, async () => {
        mail.mood = mood
        await invite(service.app)
        await settled(([row]) => row?.attempts === 1)
        mail.mood = 'takes'
        const [row] = await waiting()
        const pause = Date.parse(row?.due_at ?? '') - Date.now()
        assert.ok(pause > 50_000 && pause <= 60_000, `${pause} ms`)
        service.clock = () => Date.now() + 62_000
        await mail.until(1)
        await settled((rows) => rows.length === 0)
      })

    it('is given up when the server refuses the recipient for good', async () => {
      mail.mood = 'refuses'
      await invite(service.app)
      await settled((rows) => rows.length === 0)
      // Nothing is stored that could be tried again.
      assert.equal(mail.asked <= 1, true)
    })

    it('is given up with its link: the person has joined, was removed, or has a newer one', async () => {
      mail.mood = 'busy'
      const joined = await invite(service.app)
      const removed = await invite(service.app)
      const renewed = await invite(service.app)
      await settled((rows) => rows.length === 3 && rows.every(({ attempts }) => attempts === 1))
      const token = joined.url.split('#')[1]
      await openConsole(service.app).call('POST', '/join', { token, password: PASSWORD })
      await service.app.agent.call('DELETE', `/operators/${removed.id}`)
      const reset = await service.app.agent.post(`/operators/${renewed.id}/reset`)
      await settled((rows) => rows.length === 1 && rows[0]?.kind === 'reset')
      mail.mood = 'takes'
      service.clock = () => Date.now() + 120_000
      await mail.until(1)
      assert.ok(mail.letters[0]?.text.includes(reset.body.data.join_url))
    })

    it('is not sent for a link that has expired', async () => {
      mail.mood = 'busy'
      await invite(service.app)
      await settled(([row]) => row?.attempts === 1)
      mail.mood = 'takes'
      service.clock = () => Date.now() + 8 * 24 * 60 * 60_000
      await settled((rows) => rows.length === 0)
      assert.equal(mail.letters.length, 0)
    })

    it('what is stored of a mail is sealed', async () => {
      mail.mood = 'busy'
      const { url } = await invite(service.app)
      await settled(([row]) => row?.attempts === 1)
      assert.ok(!JSON.stringify(await waiting()).includes(url.split('#')[1] ?? '#'))
      mail.mood = 'takes'
      service.clock = () => Date.now() + 120_000
      await mail.until(1)
    })
  },
  mail.env,
)

it('a mail server that never answers delays no request and no stop', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const env = { ...mail.env, PARLEY_SMTP_URL: `smtp://127.0.0.1:${port}` }
  const app = await startApp('sqlite', env)
  const connected = once(silent, 'connection')
  const begun = performance.now()
  await invite(app)
  assert.ok(performance.now() - begun < 2000)
  const [socket] = await connected
  const stopping = performance.now()
  await app.app.close()
  assert.ok(performance.now() - stopping < 8000, 'the stop did not wait for the mail server')
  socket.destroy()
  silent.close()
  await app.close()
})

it('without a mail server nothing is kept for one', async () => {
  await using app = await startApp('sqlite')
  await invite(app)
  assert.deepEqual(
    await app.app.foundation.database.db.selectFrom('operator_mails').selectAll().execute(),
    [],
  )
})

it('the log of a failure has its code, but neither the address nor the link nor the password', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await using app = await startApp('sqlite', mail.env, Date.now, logger)
  mail.mood = 'distrusts'
  const { email, url, id } = await invite(app)
  const late = Date.now() + 20_000
  while (!lines.some((line) => line.includes('a mail was not sent'))) {
    assert.ok(Date.now() < late)
    await wait(20)
  }
  const all = lines.join('')
  const line = lines.find((line) => line.includes('a mail was not sent')) ?? ''
  assert.equal(JSON.parse(line).code, 'EAUTH')
  assert.equal(JSON.parse(line).operator_id, id)
  for (const secret of [email, url.split('#')[1] ?? '#', 'hunter2', 'not this one'])
    assert.ok(!all.includes(secret), secret)
  mail.mood = 'takes'
})
