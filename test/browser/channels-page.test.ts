import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean } from '../support/looks.ts'
import { startMailPeer } from '../support/mail-peer.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'
import { telegramMessage } from '../support/telegram-peer.ts'

describe('channels in the console', async () => {
  const peer = await startPlatformPeer()
  after(() => peer.close())
  const { app, browser, own, page, button, field } = await startConsole()

  it('is set up step by step, each checked by itself, up to a test message on the platform', async () => {
    await page.goto(own.at('channels'))
    await button('Connect a channel').first().click()
    await field('Platform').selectOption('Chatwoot')
    await button('Go on').click()
    await page.getByLabel('Webhook address', { exact: true }).getByText('/helpdesk').waitFor()
    await page.getByText('Not public').waitFor()
    await page.getByText(/Still missing: Account number, Webhook secret, Access token/).waitFor()
    await button('Check now').click()
    await page.getByText('The access token or the password is missing or refused').waitFor()
    await field('Address of the installation').fill(peer.url)
    await field('Account number').fill('7')
    await field('Webhook secret').fill('a secret of the webhook')
    await field('Access token').fill('a token of the platform')
    await button('Save').click()
    await page.getByText('Everything is entered').waitFor()
    await button('Check now').click()
    await page.getByText('It works').waitFor()
    await field('Number of a Chatwoot conversation').fill('42')
    await field('Text').fill('Hello from the console')
    await button('Send the test message').click()
    await page.getByText('The platform took it').waitFor()
    const [sent] = await peer.untilSent(1)
    assert.deepEqual([sent?.thread, sent?.text], ['42', 'Hello from the console'])
    await page.getByText('Nothing has arrived yet.').waitFor()
    await assertClean(own)
  })

  it('connects a mailbox, and says which settings are missing and that it is read', async () => {
    await using mails = await startMailPeer()
    const { imap, smtp } = mails.settings('help@shop.example') as Record<string, Record<string, string>>
    await page.goto(own.at('channels'))
    await button('Connect a channel').first().click()
    await field('Platform').selectOption('E-mail')
    await button('Go on').click()
    await page.getByText('Not connected yet').waitFor()
    await page.getByText(/Still missing: Address, IMAP server, IMAP user name, IMAP password/).waitFor()
    await field('Address').fill('help@shop.example')
    for (const [name, server] of [
      ['IMAP', imap],
      ['SMTP', smtp],
    ] as const) {
      await field(`${name} server`).fill(String(server?.host))
      await field(`${name} encryption`).selectOption('None: only on a private network')
      await field(`${name} port`).fill(String(server?.port))
      await field(`${name} user name`).fill(String(server?.user))
      await field(`${name} password`).fill(String(server?.password))
    }
    await field('Signature').fill('The shop')
    await field('Answer only these').fill('example.org, anna@example.net')
    await page.getByLabel('Answer on this channel').check({ force: true })
    await button('Save').click()
    await page.getByText('Everything is entered').waitFor()
    await page.getByText('This service reads the account').waitFor()
    await button('Check now').click()
    await page.getByText('It works').waitFor()
    await assertClean(own)
    // What is saved again without a password keeps it.
    await field("Sender's name").fill('The shop')
    await button('Save').click()
    await page.getByText('This service reads the account').waitFor()
    await button('Check now').click()
    await page.getByText('It works').waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const { settings } = (await app.agent.get(`/channels/${id}`)).body.data
    assert.deepEqual(settings.allow, ['example.org', 'anna@example.net'])
    assert.equal(settings.imap.port, Number(imap?.port))
    // A port that is mistyped is refused at its field, and the stored one stays.
    await field('IMAP port').fill('99e')
    await button('Save').click()
    await becomes(() => field('IMAP port').getAttribute('aria-invalid'), 'true')
    assert.equal((await app.agent.get(`/channels/${id}`)).body.data.settings.imap.port, Number(imap?.port))
    await app.agent.patch(`/channels/${id}`, { active: false })
  })

  it('clears a secret that it has saved, and keeps what is typed meanwhile in another setting', async () => {
    const { data } = (await app.agent.post('/channels', { kind: 'helpdesk', settings: {} })).body
    await page.goto(own.at(`channels/${data.id}`))
    const asked = Promise.withResolvers<void>()
    const typed = Promise.withResolvers<void>()
    await page.route(`**/channels/${data.id}`, async (route) => {
      if (route.request().method() === 'PATCH') {
        asked.resolve()
        await typed.promise
      }
      await route.continue()
    })
    await field('Webhook secret').fill('a secret of the webhook')
    await button('Save').click()
    await asked.promise
    await field('Account number').fill('7')
    typed.resolve()
    await page.getByText('A secret is stored (…hook)').waitFor()
    await becomes(() => field('Webhook secret').inputValue(), '')
    assert.equal(await field('Account number').inputValue(), '7')
    await page.unroute(`**/channels/${data.id}`)
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await button('Save').click()
    const { settings } = (await sent).postDataJSON()
    assert.deepEqual([settings.account_id, 'webhook_secret' in settings], ['7', false])
    await button('Discard changes').waitFor({ state: 'hidden' })
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('connects Telegram with a token alone, and says how messages come', async () => {
    await page.goto(own.at('channels'))
    await button('Connect a channel').first().click()
    await field('Platform').selectOption('Telegram')
    await button('Go on').click()
    await page.getByText('Not connected yet').waitFor()
    assert.equal(await page.getByLabel('Webhook address', { exact: true }).count(), 0)
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const secret = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
    await app.agent.patch(`/channels/${id}`, { settings: { api_base: peer.url } })
    await page.reload()
    await field('Bot token').fill(secret)
    await page.getByLabel('Answer on this channel').check({ force: true })
    await button('Save').click()
    await page.getByText('This service asks the platform for messages').waitFor()
    const bot = peer.botOf({ secret })
    // The call that waits takes the message, and the next one fails.
    await bot.until(() => bot.waiting > 0, 'a call that waits for updates')
    bot.failNext((response) => {
      response.writeHead(401).end('{"ok":false,"error_code":401}')
    })
    bot.happens(telegramMessage(PERSON.telegram, 'in-the-console', 'Hello'))
    const failure = async () => (await app.agent.get(`/channels/${id}`)).body.data.connection.failure
    await becomes(failure, 'unauthorized')
    await page.reload()
    await page.getByText('Not connected: the access token or the password is missing or refused').waitFor()
    await page.getByText('A message has arrived').waitFor()
    await assertClean(own)
  })

  it('says that a message has arrived, and leads to its conversation', async () => {
    const channel = await addChannel(app.agent, 'messenger-one', peer)
    await page.goto(own.at(`channels/${channel.id}`))
    await page.getByText('Nothing has arrived yet.').waitFor()
    await channel.says('Is anybody there?', { from: PERSON['messenger-one'] })
    await page.getByText('A message has arrived').waitFor()
    await page.getByRole('link', { name: 'Open the conversation' }).click()
    await page.getByRole('log').getByText('Is anybody there?').waitFor()
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('tells in the list which channels that are on cannot answer', async () => {
    await app.agent.post('/channels', { kind: 'helpdesk', name: 'Without secrets', settings: {} })
    const refused = await addChannel(app.agent, 'messenger-one', peer)
    await app.agent.patch(`/channels/${refused.id}`, { name: 'With an old token' })
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await page.goto(own.at('channels'))
    await row('Without secrets').getByText('Not set up yet').waitFor()
    await row('With an old token').getByText('on', { exact: true }).waitFor()
    peer.failNext((response) => response.writeHead(401).end())
    await refused.says('Hello?', { from: PERSON['messenger-one'] })
    await becomes(async () => (await app.agent.get(`/channels/${refused.id}/parked`)).body.data.length, 1)
    await page.reload()
    await row('With an old token').getByText('Sending fails').waitFor()
    assert.equal(await row('With an old token').getByText('on', { exact: true }).count(), 0)
    const german = await openSignedIn(browser, app, { locale: 'de' })
    await german.page.goto(german.at(`channels/${refused.id}`))
    const parked = german.page.getByRole('list', { name: 'Aufgegeben' })
    await parked.getByText('Eine Antwort', { exact: true }).waitFor()
    await parked.getByText('das Zugriffstoken oder das Passwort fehlt oder wird abgelehnt').waitFor()
    await german.page.context().close()
    await assertClean(own)
  })

  it('connects a channel: first the address, then the secrets, then a check', async () => {
    await page.goto(own.at('channels'))
    await page.getByRole('button', { name: 'Connect a channel' }).first().click()
    await field('Name').fill('Shop line')
    await button('Go on').click()
    // The token is made, and shown once beside the address.
    const made = page.getByRole('dialog').getByLabel('Verify token', { exact: true })
    const verifyToken = (await made.textContent()) ?? ''
    assert.match(verifyToken, /^[\w-]{32}$/)
    const address =
      (await page.getByRole('dialog').getByLabel('Webhook address', { exact: true }).textContent()) ?? ''
    const asked = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': verifyToken,
      'hub.challenge': '42',
    })
    assert.equal(await (await fetch(`${app.url}${new URL(address).pathname}?${asked}`)).text(), '42')
    await button('I have copied it').click()
    await page.getByLabel('Webhook address', { exact: true }).getByText('/messenger-one').waitFor()
    await field('Access token').fill('a token of the platform')
    await field('Phone number ID').fill('12345')
    await button('Save').click()
    await page.getByText('A secret is stored (…form)').waitFor()
    await becomes(() => field('Access token').inputValue(), '')
    assert.deepEqual(own.faults.splice(0), [])
  })
})
