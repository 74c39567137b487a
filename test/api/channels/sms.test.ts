import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../support/becomes.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import { onChannels } from '../../support/on-channels.ts'
import { addChannel, PERSON, startPlatformPeer } from '../../support/platform-peer.ts'
import { shared } from '../../support/shared.ts'
import { signTwilio, TWILIO, twilioMessage, twilioStatus } from '../../support/twilio-peer.ts'

onChannels('sms', (service, chats) => {
  it('is answered with no instructions, and sent as a form with the credentials in a header', async () => {
    const channel = await addChannel(await service.addAgent(), 'sms', chats.peer)
    const answer = await channel.post(twilioMessage(PERSON.sms, 'form', 'Do you ship to Norway? é 😀 &+%'))
    assert.equal(answer.status, 200)
    assert.match(answer.text, /<Response><\/Response>$/)
    const [sent] = await chats.peer.untilSent(1)
    assert.deepEqual([sent?.thread, sent?.text], [PERSON.sms, 'Do you ship to Norway? é 😀 &+%'])
    const { path, headers, body } = chats.peer.requests.at(-1) ?? assert.fail()
    assert.equal(path, `/2010-04-01/Accounts/${TWILIO.account_sid}/Messages.json`)
    const credentials = Buffer.from(`${TWILIO.account_sid}:${TWILIO.auth_token}`).toString('base64')
    assert.equal(headers.authorization, `Basic ${credentials}`)
    const form = new URLSearchParams(body)
    assert.deepEqual([form.get('From'), form.get('SmartEncoded')], [TWILIO.from, 'true'])
    assert.equal(form.get('StatusCallback'), null, 'the platform cannot call this service')
  })

  it('a message that does not arrive is parked as failed, with the code of the platform', async () => {
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer)
    await channel.says('Hello')
    await chats.peer.untilSent(1)
    await chats.settled(channel)
    for (const status of ['sent', 'undelivered', 'undelivered'])
      await channel.post(twilioStatus(PERSON.sms, 'SM1', status, { ErrorCode: '30003' }))
    await chats.settled(channel)
    const rows = await chats.rowsOf(agent, channel)
    assert.deepEqual([rows[1].delivery, rows[1].delivery_reason], ['failed', 'rejected'])
    const [error, ...more] = await chats.errorsOf(agent)
    assert.deepEqual([error?.data.code, error?.data.platform_code], ['channel_send_failed', '30003'])
    assert.equal(more.length, 0)
  })

  for (const [what, fields] of [
    ['the word alone', { Body: ' Stop ' }],
    ['what the platform makes of it', { Body: 'arrêt', OptOutType: 'STOP' }],
  ] as const)
    it(`STOP ends the conversation in silence, by ${what}; START begins again`, async () => {
      const agent = await service.addAgent({ settings: { greeting: 'Welcome back.' } })
      const channel = await addChannel(agent, 'sms', chats.peer)
      await channel.says('Hello')
      await chats.peer.untilSent(1)
      await channel.post({ ...twilioMessage(PERSON.sms, `stop-${what}`, ''), ...fields })
      await chats.settled(channel)
      const { body } = await agent.get(`/conversations/${chats.externalId(channel)}`)
      assert.notEqual(body.data.ended_at, null)
      assert.equal(chats.peer.sent.length, 1)
      await channel.says('START')
      await chats.peer.untilSent(2)
      assert.equal(chats.peer.sent[1]?.text, 'Welcome back.')
      const help = { ...twilioMessage(PERSON.sms, `help-${what}`, 'HELP'), OptOutType: 'HELP' }
      assert.equal((await channel.post(help)).status, 200)
      await channel.says('Please stop shouting')
      await chats.peer.untilSent(3)
      assert.equal(chats.peer.sent[2]?.text, 'Please stop shouting')
    })

  it('403: another account or number', async () => {
    const channel = await addChannel(await service.addAgent(), 'sms', chats.peer)
    for (const more of [{ AccountSid: `AC${'9'.repeat(32)}` }, { To: '+15559999' }]) {
      const form = { ...twilioMessage(PERSON.sms, 'other', 'Hello'), ...more }
      assert.equal((await channel.post(form)).status, 403)
    }
    const status = twilioStatus(PERSON.sms, 'SM9', 'failed', { From: '+15559999' })
    assert.equal((await channel.post(status)).status, 403)
    assert.deepEqual(await chats.states(channel), [])
  })

  it('a messaging service sends by its own id, and is known by it', async () => {
    const MessagingServiceSid = `MG${'0'.repeat(31)}1`
    const agent = await service.addAgent()
    const channel = await addChannel(agent, 'sms', chats.peer, { from: MessagingServiceSid })
    const form = { ...twilioMessage(PERSON.sms, 'service', 'Hello'), MessagingServiceSid }
    assert.equal((await channel.post(form)).status, 200)
    await chats.peer.untilSent(1)
    const sent = new URLSearchParams(chats.peer.requests.at(-1)?.body)
    assert.deepEqual([sent.get('MessagingServiceSid'), sent.get('From')], [MessagingServiceSid, null])
  })

  it('403: signed for another address, or with another query', async () => {
    const channel = await addChannel(await service.addAgent(), 'sms', chats.peer)
    const other = await addChannel(await service.addAgent(), 'sms', chats.peer)
    const raw = new URLSearchParams(twilioMessage(PERSON.sms, 'address', 'Hello')).toString()
    const post = (address: string, signed: string) =>
      fetch(address, {
        method: 'POST',
        body: raw,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...signTwilio(raw, channel.secret, signed),
        },
      })
    assert.equal((await post(channel.url, other.url)).status, 403)
    assert.equal((await post(`${channel.url}?a=1`, channel.url)).status, 403)
    assert.equal((await post(`${channel.url}?a=1`, `${channel.url}?a=1`)).status, 200)
  })

  it('400: settings of another form', async () => {
    const agent = await service.addAgent()
    for (const [name, value] of [
      ['account_sid', 'AC/../x'],
      ['auth_token', 'with a space'],
      ['from', 'A name'],
    ] as const) {
      const { status, body } = await agent.post('/channels', { kind: 'sms', settings: { [name]: value } })
      assert.deepEqual([status, body.error.param], [400, `settings.${name}`])
    }
  })
})

onBothEngines(
  'sms with a public address',
  (service) => {
    const peer = shared(startPlatformPeer)

    it('asks for reports, at the address that signatures are made over', async () => {
      const agent = await service.addAgent()
      const channel = await addChannel(agent, 'sms', peer())
      const address = `https://parley.example/shop/api/v1/channels/${channel.id}/sms`
      const raw = new URLSearchParams(twilioMessage(PERSON.sms, 'public', 'Hello')).toString()
      assert.equal((await channel.post(raw)).status, 403, 'signed for the address behind the proxy')
      assert.equal((await channel.post(raw, signTwilio(raw, channel.secret, address))).status, 200)
      await peer().untilSent(1)
      const sent = new URLSearchParams(peer().requests.at(-1)?.body)
      assert.equal(sent.get('StatusCallback'), address)
      const read = new URLSearchParams(twilioStatus(PERSON.sms, 'SM1', 'read')).toString()
      await until(async () => {
        const { body } = await agent.get(`/conversations/sms:${channel.id}:${PERSON.sms}/messages`)
        return body.data[1]?.delivery === 'sent'
      })
      assert.equal((await channel.post(read, signTwilio(read, channel.secret, address))).status, 200)
      await until(async () => {
        const { body } = await agent.get(`/conversations/sms:${channel.id}:${PERSON.sms}/messages`)
        return body.data[1]?.delivery === 'read'
      })
    })
  },
  { PARLEY_PUBLIC_URL: 'https://parley.example/shop' },
)
