import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../../support/app.ts'
import { becomes } from '../../support/becomes.ts'
import { addMailChannel, mail } from '../../support/mail-peer.ts'
import { onMail } from '../../support/on-mail.ts'

const ANNA = 'anna@example.org'
const EVE = 'eve@example.net'

onMail('e-mail', (service, mails) => {
  const { newAddress, sentTo, conversations, messagesIn } = mails

  async function connected(settings: Record<string, unknown> = {}, isRead = true) {
    const agent = await service.addAgent()
    const address = newAddress()
    const channel = await addMailChannel(agent, mails.peer, address, settings, isRead)
    return { agent, address, ...channel }
  }

  it('answers a mail in its thread, and the reply continues the conversation', async () => {
    const { agent, address, account } = await connected({ name: 'Shop', signature: 'The shop' })
    account.put(mail(`Anna <${ANNA}>`, address, 'When do you open?', { 'Message-ID': '<first@example.org>' }))
    const [answer] = await sentTo(address, 1)
    assert.ok(answer)
    assert.deepEqual(answer.to, [ANNA])
    assert.equal(answer.mail.subject, 'Re: A question')
    assert.equal(answer.mail.from?.text, `"Shop" <${address}>`)
    assert.equal(answer.mail.inReplyTo, '<first@example.org>')
    assert.equal(answer.mail.text?.trim(), 'A question\n\nWhen do you open?\n\n-- \nThe shop')
    assert.equal(answer.mail.headers.get('auto-submitted'), 'auto-replied')

    const quoted = `And on Sunday?\r\n\r\nOn Monday the shop <${address}>\r\nwrote:\r\n> At nine\r\n> The shop`
    const references = {
      'In-Reply-To': answer.mail.messageId ?? '',
      References: `<first@example.org> ${answer.mail.messageId}`,
    }
    account.put(
      mail(`Anna <${ANNA.toUpperCase()}>`, address, quoted, { Subject: 'Another subject', ...references }),
    )
    const [, second] = await sentTo(address, 2)
    assert.equal(second?.mail.subject, 'Re: A question')
    assert.deepEqual(second?.mail.references, [
      '<first@example.org>',
      answer.mail.messageId,
      second?.mail.inReplyTo,
    ])
    const [only, ...more] = await conversations(agent)
    assert.deepEqual(more, [])
    assert.deepEqual(await messagesIn(agent, only), [
      'user: A question\n\nWhen do you open?',
      'assistant: A question\n\nWhen do you open?',
      'user: And on Sunday?',
      'assistant: And on Sunday?',
    ])
    const { data } = (await agent.get(`/conversations/${only?.id}/messages`)).body
    assert.deepEqual(
      data.map(({ quoted }: { quoted?: string }) => quoted),
      [undefined, undefined, `On Monday the shop <${address}>\nwrote:\n> At nine\n> The shop`, undefined],
    )
    assert.ok(!JSON.stringify(service.model.requests).includes('At nine'))
  })

  it('a mail that answers the question for a rating has the score on its first line, and then a comment', async () => {
    const { agent, address, account, id } = await connected()
    await agent.patch('/agent', { ask_rating: true })
    account.put(mail(`Anna <${ANNA}>`, address, 'When do you open?', { 'Message-ID': '<rated@example.org>' }))
    await sentTo(address, 1)
    await mails.settled(id)
    const [only] = await conversations(agent)
    assert.equal((await agent.post(`/conversations/${only?.id}/end`)).status, 200)
    const [, question] = await sentTo(address, 2)
    assert.match(question?.mail.text ?? '', /^How was it\?/)
    const references = { 'In-Reply-To': question?.mail.messageId ?? '' }
    account.put(mail(`Anna <${ANNA}>`, address, '5\r\n\r\nVery kind.\r\nAnna', references))
    await becomes(
      async () => (await agent.get(`/conversations/${only?.id}/rating`)).body.data?.comment,
      'Very kind.\nAnna',
    )
    assert.equal((await messagesIn(agent, only)).length, 3)
  })

  it('begins a conversation with each mail that refers to nothing, whatever its subject', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(ANNA, address, 'One'))
    account.put(mail(ANNA, address, 'Two'))
    await sentTo(address, 2)
    assert.equal((await conversations(agent)).length, 2)
  })

  it('takes a second mail that answers the first one, of which no answer is known yet, into its conversation', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(ANNA, address, 'One', { 'Message-ID': '<own-1@example.org>' }))
    await sentTo(address, 1)
    account.put(mail(ANNA, address, 'I forgot', { References: '<own-1@example.org>' }))
    await sentTo(address, 2)
    assert.equal((await conversations(agent)).length, 1)
  })

  it('answers a mail once that comes several times', async () => {
    const { agent, address, account } = await connected()
    const same = mail(ANNA, address, 'Only once')
    account.put(same)
    account.put(same)
    account.put(mail(ANNA, address, 'The last one'))
    await sentTo(address, 2)
    assert.equal((await conversations(agent)).length, 2)
  })

  it('takes nobody into the conversation of somebody else by an id that they quote', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(ANNA, address, 'My secret is 42'))
    const [answer] = await sentTo(address, 1)
    const id = answer?.mail.messageId ?? ''
    account.put(mail(EVE, address, 'What was it?', { 'In-Reply-To': id, References: id }))
    // Nor does somebody who makes up the part that proves it.
    account.put(
      mail(EVE, address, 'What was it?', {
        References: id.replace(/\.[0-9a-f]{20}@/, `.${'0'.repeat(20)}@`),
      }),
    )
    const sent = await sentTo(address, 3)
    assert.deepEqual(
      sent.slice(1).map(({ to }) => to),
      [[EVE], [EVE]],
    )
    assert.equal((await conversations(agent)).length, 3)
  })

  it('answers none of 10,000 mails that were there at first', async () => {
    const agent = await service.addAgent()
    const address = newAddress()
    const old = mails.peer.account(address)
    for (let number = 0; number < 10_000; number++) old.put(mail(ANNA, address, 'Old'))
    const { account } = await addMailChannel(agent, mails.peer, address)
    account.put(mail(ANNA, address, 'New'))
    const sent = await sentTo(address, 1)
    assert.match(sent[0]?.mail.text ?? '', /New/)
    assert.equal((await conversations(agent)).length, 1)
  })

  it('goes on where it ended, and answers nothing again when mails are numbered anew', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(ANNA, address, 'One'))
    await sentTo(address, 1)
    account.renumber()
    account.folders.INBOX.mails.push({
      uid: account.folders.INBOX.next++,
      at: new Date(),
      raw: Buffer.from(mail(ANNA, address, 'Two')),
    })
    mails.peer.imap.hangUp()
    const sent = await sentTo(address, 2)
    assert.match(sent[1]?.mail.text ?? '', /Two/)
    account.put(mail(ANNA, address, 'Three'))
    await sentTo(address, 3)
    assert.equal((await conversations(agent)).length, 3)
  })

  it('finds all mails that are numbered anew, though the connection breaks midway', async () => {
    const { agent, address, account } = await connected()
    const { INBOX } = account.folders
    account.renumber()
    for (let at = 0; at < 25; at++)
      INBOX.mails.push({
        uid: INBOX.next++,
        at: new Date(),
        raw: Buffer.from(mail(ANNA, address, `Question ${at}`)),
      })
    const [last = assert.fail()] = INBOX.mails.slice(-1)
    const { raw } = last
    let breaks = 0
    Object.defineProperty(last, 'raw', {
      get() {
        if (breaks++ === 0) mails.peer.imap.hangUp()
        return raw
      },
    })
    mails.peer.imap.hangUp()
    await mails.until(async () => (await conversations(agent)).length === 25)
    assert.ok(breaks > 1)
  })

  it('an out-of-office mail leaves a conversation ended, and put aside', async () => {
    const { agent, address, account, id } = await connected()
    account.put(mail(ANNA, address, 'Hello'))
    const [answer] = await sentTo(address, 1)
    await mails.settled(id)
    const [only = assert.fail()] = await conversations(agent)
    const entry = async () => {
      const { ended_at, snoozed_until } = (await agent.get(`/inbox/${only.id}`)).body.data
      return { ended_at, snoozed_until }
    }
    const repliesItself = async (count: number) => {
      const messageId = answer?.mail.messageId ?? ''
      account.put(
        mail(ANNA, address, 'I am away', { References: messageId, 'Auto-Submitted': 'auto-replied' }),
      )
      await mails.until(async () => (await messagesIn(agent, only)).length === count)
      await mails.settled(id)
    }
    const until = new Date(service.clock() + 86_400_000).toISOString()
    assert.equal((await agent.put(`/conversations/${only.id}/snooze`, { until })).status, 200)
    const snoozed = await entry()
    await repliesItself(3)
    assert.deepEqual(await entry(), snoozed)
    assert.equal((await agent.post(`/conversations/${only.id}/end`)).status, 200)
    const ended = await entry()
    assert.notEqual(ended.ended_at, null)
    await repliesItself(4)
    assert.deepEqual(await entry(), ended)
  })

  for (const [what, headers] of [
    ['an out-of-office mail', { 'Auto-Submitted': 'auto-replied' }],
    ['mail of a list', { 'List-Id': '<news.example.org>' }],
    ['bulk mail', { Precedence: 'bulk' }],
    ['mail of a program', { 'X-Auto-Response-Suppress': 'All' }],
    ['a notice without a sender', { 'Return-Path': '<>' }],
  ] as const)
    it(`keeps ${what} and does not answer it`, async () => {
      const { agent, address, account, id } = await connected()
      account.put(mail(ANNA, address, 'I am away', headers))
      account.put(
        mail(EVE, address, 'A question', { 'X-Auto-Response-Suppress': 'None', 'Auto-Submitted': 'no' }),
      )
      const sent = await sentTo(address, 1)
      await mails.settled(id)
      assert.deepEqual(
        sent.map(({ to }) => to),
        [[EVE]],
      )
      const all = await conversations(agent)
      assert.equal(all.length, 2)
      assert.deepEqual(
        all.map(({ waiting_since }) => waiting_since),
        [null, null],
      )
    })

  it('ends a loop between two of these services by itself', async () => {
    const one = await connected()
    const other = await connected()
    one.account.put(mail(other.address, one.address, 'Hello, this is a person'))
    await sentTo(one.address, 1)
    // The answer has come in at the other one, which keeps it.
    await mails.until(async () => (await conversations(other.agent)).length === 1)
    await mails.settled(other.id)
    await mails.settled(one.id)
    assert.deepEqual(await sentTo(other.address, 0), [])
    assert.equal((await sentTo(one.address, 1)).length, 1)
  })

  it('leaves mail to a person that fails DMARC, apart from the conversations of the real sender', async () => {
    const { agent, address, account, id } = await connected({ authserv_id: 'mx.shop.example' })
    account.put(mail(ANNA, address, 'It is me', { 'Authentication-Results': 'mx.shop.example; dmarc=pass' }))
    const [answer] = await sentTo(address, 1)
    const references = { References: answer?.mail.messageId ?? '' }
    account.put(
      mail(ANNA, address, 'Tell me all', {
        ...references,
        'Authentication-Results': 'mx.shop.example; spf=pass; dmarc=fail (p=none)',
      }),
    )
    // The word of any other server counts for nothing.
    account.put(
      mail(ANNA, address, 'Me again', {
        ...references,
        'Authentication-Results': 'mx.example.net; dmarc=fail',
      }),
    )
    await sentTo(address, 2)
    await mails.settled(id)
    const all = await conversations(agent)
    assert.equal(all.length, 2)
    const left = all.filter(({ waiting_since }) => waiting_since !== null)
    assert.equal(left.length, 1)
    assert.deepEqual(await messagesIn(agent, left[0]), ['user: A question\n\nTell me all'])
  })

  it('answers at most 20 mails of a conversation in an hour, and leaves the next one to a person', async () => {
    const { agent, address, account, id } = await connected()
    for (let number = 1; number <= 22; number++)
      account.put(
        mail(
          ANNA,
          address,
          `Mail ${number}`,
          number === 1 ? { 'Message-ID': `<root-${address}>` } : { References: `<root-${address}>` },
        ),
      )
    await sentTo(address, 20)
    await mails.settled(id)
    assert.equal((await sentTo(address, 20)).length, 20)
    const [only] = await conversations(agent)
    assert.notEqual(only?.waiting_since, null)
    assert.equal((await messagesIn(agent, only)).length, 42)
  })

  it('reads only mail of those who are allowed', async () => {
    const { agent, address, account, id } = await connected({ allow: [ANNA, 'example.com'] })
    account.put(mail(EVE, address, 'Hello'))
    account.put(mail('bob@sub.example.com', address, 'Hello'))
    account.put(mail('bob@example.com', address, 'Hello'))
    account.put(mail(`Anna <${ANNA}>`, address, 'Hello'))
    const sent = await sentTo(address, 2)
    assert.deepEqual(sent.flatMap(({ to }) => to).sort(), [ANNA, 'bob@example.com'])
    assert.equal((await conversations(agent)).length, 2)
    // And of whom the team has written to, in that conversation alone.
    const first = { channel_id: id, to: EVE, message: { content: 'Your order' } }
    assert.equal((await agent.post('/conversations', first)).status, 201)
    const [, , written] = await sentTo(address, 3)
    account.put(mail(EVE, address, 'Hello again'))
    account.put(mail(EVE, address, 'Thanks', { References: written?.mail.messageId ?? '' }))
    const [, , , answer] = await sentTo(address, 4)
    assert.match(answer?.mail.text ?? '', /^Thanks/)
    await mails.settled(id)
    assert.equal((await conversations(agent)).length, 3)
  })

  it('takes the person from the form of a web site, and passes over mail of its own', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(address, address, 'A note to myself'))
    account.put(mail(address, address, 'From the form', { 'Reply-To': ANNA }))
    const sent = await sentTo(address, 1)
    assert.deepEqual(sent[0]?.to, [ANNA])
    assert.equal((await conversations(agent)).length, 1)
  })

  it('marks a message as failed that is reported as undelivered', async () => {
    const { agent, address, account } = await connected()
    account.put(mail(ANNA, address, 'Hello'))
    const [answer] = await sentTo(address, 1)
    account.put(deliveryReport(address, ANNA, answer?.mail.messageId ?? ''))
    const [only] = await conversations(agent)
    await mails.until(async () => (await mails.deliveries(agent, only)).includes('failed rejected'))
    const [event] = await mails.errorsOf(agent)
    assert.equal(event?.data.platform_code, '5.1.1')
    // A report about mail of others changes nothing.
    account.put(deliveryReport(address, EVE, answer?.mail.messageId ?? ''))
    account.put(mail(EVE, address, 'The last one'))
    await sentTo(address, 2)
    assert.equal((await mails.errorsOf(agent)).length, 1)
  })

  it('sends again after 4xx, gives up after 5xx, and does not know when the answer is lost', async () => {
    for (const [how, delivery, mailsSent] of [
      [451, 'sent', 1],
      [550, 'failed rejected', 0],
      ['hang up before', 'sent', 1],
      ['hang up', 'unknown unreachable', 0],
    ] as const) {
      const { agent, address, account } = await connected()
      mails.peer.failNext(how)
      account.put(mail(ANNA, address, 'Hello'))
      await mails.until(async () => {
        const [only] = await conversations(agent)
        return only !== undefined && (await mails.deliveries(agent, only)).includes(delivery)
      })
      assert.equal((await sentTo(address, mailsSent)).length, mailsSent, String(how))
    }
  })

  it('sends what a person writes as from a person, and takes an answer from a mail program as a takeover', async () => {
    const { agent, address, account, id } = await connected()
    account.put(mail(ANNA, address, 'Hello', { 'Message-ID': `<root-${address}>` }))
    await sentTo(address, 1)
    const [only] = await conversations(agent)
    const answered = await agent.post(`/conversations/${only?.id}/messages`, {
      content: 'I am Bob',
      author: 'Bob',
    })
    assert.equal(answered.status, 200, answered.text)
    const [, second] = await sentTo(address, 2)
    assert.equal(second?.mail.headers.get('auto-submitted'), undefined)
    assert.match(second?.mail.text ?? '', /I am Bob/)

    account.put(mail(EVE, address, 'A second one', { 'Message-ID': `<other-${address}>` }))
    const [, , third] = await sentTo(address, 3)
    account.put(third?.raw ?? '', 'Sent')
    account.put(
      mail(`Carl <${address}>`, EVE, 'I am Carl\r\n\r\n> A second one', { References: `<other-${address}>` }),
      'Sent',
    )
    mails.peer.imap.hangUp()
    const other = (await conversations(agent)).find((one) => one.id !== only?.id)
    await mails.until(async () => (await messagesIn(agent, other)).length === 3)
    await mails.settled(id)
    assert.deepEqual((await messagesIn(agent, other)).at(-1), 'operator: I am Carl')
    assert.equal((await agent.get(`/conversations/${other?.id}`)).body.data.agent_paused, true)
  })

  it('continues the conversation in which a person has written first', async () => {
    const { agent, address, account, id } = await connected()
    const begun = await agent.post('/conversations', {
      channel_id: id,
      to: 'Anna@example.org',
      message: { content: 'Your order\n\nIt has arrived.' },
      agent_paused: false,
    })
    assert.equal(begun.status, 201, begun.text)
    const [first] = await sentTo(address, 1)
    assert.deepEqual([first?.to, first?.mail.subject], [[ANNA], 'Your order'])
    account.put(mail(ANNA, address, 'Thank you', { References: first?.mail.messageId ?? '' }))
    const [, second] = await sentTo(address, 2)
    assert.equal(second?.mail.subject, 'Re: Your order')
    assert.equal((await conversations(agent)).length, 1)
  })

  it('tells whether both servers take the password, and why the account is not read', async () => {
    const { agent, id, address } = await connected()
    const check = async () => (await agent.post(`/channels/${id}/test`)).body.data
    assert.deepEqual(await check(), { ok: true, account: address, failure: null })
    await agent.patch(`/channels/${id}`, { settings: { smtp: { password: 'another one' } } })
    assert.deepEqual(await check(), { ok: false, account: null, failure: 'unauthorized' })
    const tested = await agent.post(`/channels/${id}/test-message`, { to: ANNA, text: 'Hello' })
    assert.deepEqual(tested.body.data, { sent: false, reason: 'unauthorized', status: 535 })
    await agent.patch(`/channels/${id}`, { settings: { imap: { password: 'another one' } } })
    await mails.until(
      async () => (await agent.get(`/channels/${id}`)).body.data.connection.failure === 'unauthorized',
    )
  })

  it('sends a test message that belongs to no conversation', async () => {
    const { agent, id, address } = await connected({ name: 'Shop' })
    const { body } = await agent.post(`/channels/${id}/test-message`, { to: ANNA, text: 'Hello' })
    assert.deepEqual(body.data, { sent: true, reason: null, status: null })
    const [sent] = await sentTo(address, 1)
    assert.equal(sent?.mail.subject, 'Message from Shop')
    assert.equal((await conversations(agent)).length, 0)
  })

  it('never shows a password or the key of threads, and sends a password only to the server it was given for', async () => {
    const { agent, id, text } = await passwords()
    assert.doesNotMatch(text, /password-of-the|thread_key/)
    const { body } = await agent.patch(`/channels/${id}`, {
      settings: { imap: { host: 'localhost' }, signature: 'Hi' },
    })
    assert.deepEqual(body.data.settings.imap.password, { set: false, last_four: null })
    assert.equal(body.data.settings.smtp.password.set, true)
    assert.equal(body.data.settings.signature, 'Hi')
    assert.equal(body.data.webhook_url, null)
    const refused = await agent.patch(`/channels/${id}`, { settings: { smtp: { host: '169.254.169.254' } } })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.param, 'settings.smtp.host')
  })

  it('sends no password unencrypted to a public server', async () => {
    const { agent, id } = await connected(
      { imap: { host: '93.184.216.34', user: 'a', password: 'b', security: 'none' } },
      false,
    )
    const { data } = (await agent.post(`/channels/${id}/test`)).body
    assert.deepEqual(data, { ok: false, account: null, failure: 'unreachable' })
  })

  it('is forgotten with the person who wrote', async () => {
    const { agent, address, account, id } = await connected()
    account.put(mail(`Anna <${ANNA}>`, address, 'My number is 0171 2345678\r\n\r\n> It was 0171 2345678'))
    await sentTo(address, 1)
    await mails.settled(id)
    const [only] = await conversations(agent)
    const { status, text } = await agent.post(`/users/${encodeURIComponent(ANNA)}/scrub`)
    assert.equal(status, 200, text)
    const { text: stored } = await agent.get(`/conversations/${only?.id}/messages`)
    assert.doesNotMatch(stored, /2345678|A question/)
    assert.match(stored, /"quoted":"\[REDACTED\]"/)
  })

  async function passwords(): Promise<{ agent: TestAgent; id: number; text: string }> {
    const { agent, id } = await connected()
    return { agent, id, text: (await agent.get(`/channels/${id}`)).text }
  }
})

function deliveryReport(to: string, recipient: string, about: string): string {
  const parts = [
    ['text/plain', 'It could not be delivered.'],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: failed\r\nStatus: 5.1.1`,
    ],
    ['text/rfc822-headers', `From: ${to}\r\nTo: ${recipient}\r\nMessage-ID: ${about}`],
  ]
  const body = parts.map(([type, text]) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`).join('')
  return mail('MAILER-DAEMON@mx.example.org', to, `${body}--b--`, {
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    'Auto-Submitted': 'auto-replied',
  })
}
