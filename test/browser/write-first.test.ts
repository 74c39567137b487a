import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { until } from '../support/chromium.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { startConsole } from '../support/start-console.ts'
import { rawTemplate } from '../support/whatsapp-peer.ts'

describe('writing first in the inbox', async () => {
  const peer = await startPlatformPeer()
  after(() => peer.close())
  const { app, own, page, button, field, nothingWrong } = await startConsole({ right: 'respond' })
  const whatsApp = await addChannel(app.agent, 'messenger-one', peer, { business_account_id: '1022' })
  const helpdesk = await addChannel(app.agent, 'helpdesk', peer)
  const sms = await addChannel(app.agent, 'sms', peer)
  peer.templates.push(
    rawTemplate('parcel_here', 'Hi {{1}}, your parcel {{2}} is here.', {
      more: [{ type: 'FOOTER', text: 'Example shop' }],
    }),
    rawTemplate('menu', 'Our menu, {{1}}.', { more: [{ type: 'HEADER', format: 'IMAGE' }] }),
    rawTemplate('back', 'Wir sind wieder da.', { language: 'de' }),
  )
  afterEach(nothingWrong)

  const dialog = () => page.getByRole('dialog', { name: 'New conversation' })
  const thread = () => page.getByRole('log', { name: 'What was said' })

  it('a text, by keys alone: what names nobody is told at its field', async () => {
    await page.goto(own.at('inbox'))
    await button('New conversation').waitFor()
    await page.keyboard.press('w')
    await dialog().waitFor()
    const channel = dialog().getByLabel('Channel')
    await channel.and(page.locator(':focus')).waitFor()
    assert.equal(await channel.inputValue(), String(sms.id))
    await page.keyboard.press('Tab')
    await page.keyboard.type('0500 5550006')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Your parcel is here.')
    await page.keyboard.press('Control+Enter')
    await dialog().getByText('Must be a phone number with its country code, such as +15550100').waitFor()
    await assertClean(own)
    const to = dialog().getByLabel('Phone number, with + and the country code')
    await to.fill('+1 500 555 0006')
    await page.keyboard.press('Enter')
    await thread().getByText('Your parcel is here.').waitFor()
    assert.equal(peer.sent.at(-1)?.text, 'Your parcel is here.')
    // The agent answers what comes back, so the composer is locked.
    await button('Take over to answer').waitFor()
  })

  it('a file without a word, which is in the thread then', async () => {
    await page.goto(own.at('inbox'))
    await button('New conversation').click()
    await dialog().getByLabel('Channel').selectOption(String(helpdesk.id))
    await dialog().getByLabel('Number of a Chatwoot conversation').fill(PERSON.helpdesk)
    const send = (disabled: boolean) =>
      dialog().getByRole('button', { name: 'Send the message', disabled, exact: true })
    await send(true).waitFor()
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('Invoice 7') })
    await dialog().getByText('invoice.txt').waitFor()
    await send(false).waitFor()
    await assertClean(own)
    await send(false).click()
    await thread().getByText('invoice.txt').waitFor()
  })

  it('a template with a picture above its text, of which another file takes the place', async () => {
    await page.goto(own.at('inbox'))
    await button('New conversation').click()
    await dialog().getByLabel('Channel').selectOption(String(whatsApp.id))
    await dialog().getByLabel('Phone number, with + and the country code').fill('+1 650 555 4321')
    await dialog().locator('label').getByText('Template', { exact: true }).click()
    await dialog().getByRole('combobox', { name: 'Template' }).selectOption('en_US menu')
    await dialog().getByLabel('Text for {{1}}').fill('Ana')
    const send = (disabled: boolean) =>
      dialog().getByRole('button', { name: 'Send the message', disabled, exact: true })
    await send(true).waitFor()
    const above = dialog().getByRole('region', { name: 'Picture above the text' })
    const choose = (name: string, buffer: Buffer) =>
      above.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await choose('menu.txt', Buffer.from('Soup'))
    await above.getByText('menu.txt').waitFor()
    await send(false).click()
    await dialog().getByText('above this template WhatsApp takes a file of the kind image').waitFor()
    await choose(
      'menu.png',
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c04020' } })
        .png()
        .toBuffer(),
    )
    await above.getByText('menu.png').waitFor()
    assert.equal(await above.getByText('menu.txt').count(), 0)
    await send(false).waitFor()
    await takeLooks(page, 'write-first-picture')
    await assertClean(own)
    await send(false).click()
    await thread().getByText('Our menu, Ana.').waitFor()
    await thread().getByRole('img', { name: /^menu/ }).waitFor()
    assert.equal(peer.sent.at(-1)?.text, 'template menu')
  })

  it('a template to somebody who never wrote, with its preview', async () => {
    await page.goto(own.at('inbox'))
    await button('New conversation').click()
    await dialog().getByLabel('Channel').selectOption(String(whatsApp.id))
    await dialog().getByLabel('Phone number, with + and the country code').fill('+1 650 555 1234')
    await dialog().getByLabel('Text', { exact: true }).last().fill('Hello?')
    await dialog().getByRole('button', { name: 'Send the message' }).click()
    await dialog().getByText('Only a template reaches them now.').waitFor()
    await dialog().locator('label').getByText('Template', { exact: true }).click()
    await dialog().getByRole('combobox', { name: 'Template' }).selectOption('en_US parcel_here')
    await dialog().getByLabel('Text for {{1}}').fill('Ana')
    await dialog().getByRole('button', { name: 'Send the message', disabled: true }).waitFor()
    await dialog().getByLabel('Text for {{2}}').fill('17')
    const preview = dialog().getByRole('region', { name: 'What the person will read' })
    await preview.getByText('Hi Ana, your parcel 17 is here.').waitFor()
    await takeLooks(page, 'write-first')
    await assertClean(own)
    await dialog().getByLabel('The agent answers what comes back').uncheck()
    await dialog().getByRole('button', { name: 'Send the message' }).click()
    await thread().getByText('Hi Ana, your parcel 17 is here.').waitFor()
    assert.equal(peer.sent.at(-1)?.text, 'template parcel_here')
  })

  it('a template when the window has closed while somebody wrote; the text stays', async () => {
    await whatsApp.says('Thanks! When do you open?')
    await thread().getByText('When do you open?').waitFor()
    await page.getByText(/^Can be answered for/).waitFor()
    const reply = field('Answer to the user')
    await reply.fill('At nine.')
    await app.app.foundation.database.db
      .updateTable('mailboxes')
      .set({ writable_until: new Date().toISOString() })
      .where('channel_id', '=', whatsApp.id)
      .execute()
    await page.keyboard.press('Control+Enter')
    await page.getByText('The platform delivers nothing to this person until they write again.').waitFor()
    assert.equal(await reply.inputValue(), 'At nine.')
    await page.getByText('The platform delivers nothing but a template until').waitFor()
    await button('Use a template').click()
    const template = page.getByRole('combobox', { name: 'Template' })
    await template.selectOption('en_US parcel_here')
    await page.getByRole('button', { name: 'Send the message', disabled: true }).waitFor()
    await template.selectOption('de back')
    await takeLooks(page, 'template-reply')
    await assertClean(own)
    await button('Back to the text').click()
    assert.equal(await reply.inputValue(), 'At nine.')
    await button('Use a template').click()
    await page.getByRole('combobox', { name: 'Template' }).selectOption('de back')
    await button('Send the message').click()
    await thread().getByText('Wir sind wieder da.').waitFor()
    await reply.waitFor()
    await page.reload()
    await until(page, "document.querySelector('textarea')?.value === 'At nine.'")
  })
})
