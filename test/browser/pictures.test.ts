import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fillEveryday } from '../support/fill-console.ts'
import { takePicture } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

/** Hides the later steps of a channel, in the browser. */
const ONLY_SETTINGS = `for (const step of [...document.querySelectorAll('section')].slice(2)) step.style.display = 'none'`

/** The settings of channels as their guides have them. */
const FILLED = {
  'messenger-one': {
    verify_token: 'a text of your own',
    app_secret: 'the app secret',
    access_token: 'the permanent token',
    phone_number_id: '106540352242922',
  },
  'messenger-two': {
    verify_token: 'a text of your own',
    app_secret: 'the app secret',
    access_token: 'the page access token',
    page_id: '108242488111111',
  },
  'messenger-three': {
    channel_secret: 'the channel secret',
    access_token: 'the long-lived channel access token',
  },
  helpdesk: {
    webhook_secret: 'the webhook secret',
    access_token: 'the access token of the bot',
    account_id: '1',
    api_base: 'https://chat.example.com',
  },
  email: {
    address: 'help@example.com',
    name: 'The shop',
    signature: 'The shop, Main Street 1',
    imap: { host: 'mail.example.com', user: 'help@example.com', password: 'app-password' },
    smtp: { host: 'mail.example.com', user: 'help@example.com', password: 'app-password' },
  },
  telegram: { bot_token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw' },
  instagram: {
    verify_token: 'a text of your own',
    app_secret: 'the Instagram app secret',
    access_token: 'the generated token',
  },
  sms: {
    account_sid: `AC${'0'.repeat(32)}`,
    auth_token: 'the-primary-auth-token',
    from: '+15550100',
  },
}
const NAMES: Record<string, string> = {
  'messenger-one': 'WhatsApp',
  'messenger-two': 'Messenger',
  'messenger-three': 'LINE',
  helpdesk: 'Chatwoot',
  email: 'Mail',
  telegram: 'Telegram',
  instagram: 'Instagram',
  sms: 'SMS',
}

describe('pictures of the documentation', async () => {
  const { app, own, page, nothingWrong } = await startConsole({
    called: 'Ada Lovelace',
    email: 'ada@example.com',
  })

  it('pages with everyday things in them', async () => {
    const { conversation, webhook, channel } = await fillEveryday(app, `${app.url}/healthz`)
    for (const [name, path] of [
      ['start', 'start'],
      ['conversation', `inbox/${conversation}`],
      ['knowledge', 'knowledge'],
      ['channel', `channels/${channel}`],
      ['webhook', `webhooks/${webhook}`],
      ['people', 'settings/people'],
    ] as const) {
      await page.goto(own.at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await takePicture(page, name)
    }
    nothingWrong()
  })

  it('the forms of channels, as the guides fill them', async () => {
    for (const [kind, settings] of Object.entries(FILLED)) {
      const { status, text, body } = await app.agent.post('/channels', {
        kind,
        name: NAMES[kind],
        active: false,
        settings,
      })
      assert.equal(status, 201, text)
      await page.goto(own.at(`channels/${body.data.id}`))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await page.evaluate(ONLY_SETTINGS)
      await takePicture(page, `channel-${kind}`, page.locator('.page'))
    }
    nothingWrong()
  })

  it('an answer that went by mail', async () => {
    const { conversation_id } = await app.agent.prompt('Is my parcel there?')
    const path = `/conversations/${conversation_id}/messages`
    const { body } = await app.agent.post(path, { content: 'It is on its way.', author: 'Ada' })
    const { db } = app.app.foundation.database
    const mailed_at = new Date().toISOString()
    await db
      .updateTable('messages')
      .set({ delivery: 'sent', mailed_to: 'grace@example.org', mailed_at })
      .where('id', '=', body.data.id)
      .execute()
    await page.goto(own.at(`inbox/${conversation_id}`))
    await page.getByText('sent by mail to grace@example.org').waitFor()
    await takePicture(page, 'mailed', page.getByRole('log'))
    nothingWrong()
  })
})
