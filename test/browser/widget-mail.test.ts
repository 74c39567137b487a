import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { MAILBOXES } from '../../src/mailboxes/topics.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, launchBrowser } from '../support/chromium.ts'
import { takePicture } from '../support/looks.ts'
import { addMailChannel, type MailPeer, startMailPeer } from '../support/mail-peer.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { startWidget, type TestWidget, type Visit } from '../support/widget.ts'

const PHONE = { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true }
const FIVE_MINUTES_MS = 5 * 60_000

describe('an address for answers that the visitor misses', () => {
  let app: TestApp
  let model: ModelServer
  let peer: MailPeer
  let browser: Browser
  let widget: TestWidget
  let ahead = 0

  before(async () => {
    model = await startModelServer()
    peer = await startMailPeer()
    const settings = { PARLEY_MODEL_URL: model.url, PARLEY_PUBLIC_URL: 'https://parley.example' }
    app = await startApp('sqlite', settings, () => Date.now() + ahead)
    browser = await launchBrowser()
    const { id } = await addMailChannel(app.agent, peer, 'help@shop.example')
    widget = await startWidget(app.url, app.agent, { settings: { continue_by: id } })
  })
  after(async () => {
    await browser?.close()
    await widget?.site.close()
    await app?.close()
    await Promise.all([model?.close(), peer?.close()])
  })

  /** Has a visitor wait for a person. */
  async function waiting(options: object = {}): Promise<Visit> {
    const visit = await widget.visit(browser, options)
    await visit.open()
    await visit.ask('Where is my parcel?')
    await visit.answer('Where is my parcel?')
    assert.equal(await visit.page.getByText('Answers that you miss').count(), 0, 'nobody is waited for yet')
    await visit.button('Talk to a person').click()
    await visit.page.locator('.bar').getByRole('button', { name: 'Talk to a person' }).click()
    await visit.button('Leave an address').waitFor()
    return visit
  }
  const answers = async (content: string) => {
    const [{ id }] = (await app.agent.get('/inbox?view=all&per_page=1')).body.data
    const { status, text } = await app.agent.post(`/conversations/${id}/messages`, { content, author: 'Eva' })
    assert.equal(status, 200, text)
  }
  const later = () => {
    ahead += FIVE_MINUTES_MS
    app.app.foundation.database.wakeUps.send(MAILBOXES)
  }
  const openItems = async () => {
    const items = app.app.foundation.database.db.selectFrom('mailbox_items').select('id')
    return (await items.where('state', 'in', ['waiting', 'sending']).execute()).length
  }

  it('is left by keyboard alone; what is seen stays in the chat, and what is missed goes by mail', async () => {
    const visit = await waiting()
    const { page } = visit
    await visit.button('Leave an address').focus()
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Your e-mail address')
    await page.locator('input.address:focus').waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await visit.button('Leave an address').press('Enter')
    await page.locator('input.address:focus').waitFor()
    await takePicture(page, 'widget-mail', page.locator('.panel'))
    await page.keyboard.type('anna')
    await page.keyboard.press('Enter')
    await page.getByText('Enter an address such as').first().waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await accessibilityFaults(page), [])
    await field.fill('anna@example.org')
    await page.keyboard.press('Enter')
    await page.locator('.mail', { hasText: 'go to anna@example.org.' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])

    await answers('It is on its way.')
    await page.locator('.entry.operator', { hasText: 'It is on its way.' }).waitFor()
    await becomes(openItems, 0)
    await page.close()
    await answers('It is there.')
    await becomes(openItems, 1)
    later()
    const [sent] = await peer.untilSent(1)
    assert.deepEqual(sent?.to, ['anna@example.org'])
    assert.match(sent?.mail.text ?? '', /Eva:\nIt is there\./)
    assert.doesNotMatch(sent?.mail.text ?? '', /on its way/)
    assert.ok((sent?.mail.text ?? '').includes(`${widget.site.origin}/`), 'it leads back to the page')
    await becomes(openItems, 0)
    assert.deepEqual(visit.faults, [])
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`on a phone, ${colorScheme}: is offered once, left, changed and taken back`, async () => {
      const visit = await waiting({ ...PHONE, colorScheme })
      const { page } = visit
      assert.deepEqual(await accessibilityFaults(page), [])
      await visit.button('Leave an address').tap()
      await page.getByLabel('Your e-mail address').fill('ben@example.org')
      await visit.button('Send answers there').tap()
      await page.locator('.mail', { hasText: 'ben@example.org' }).waitFor()
      await visit.button('Change').tap()
      assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'ben@example.org')
      await visit.button('Send none').tap()
      await page.getByText('No answers go by e-mail any more.').waitFor({ state: 'attached' })
      assert.equal(await page.locator('.mail').count(), 0)
      await page.reload()
      await visit.open()
      await page.locator('.entry.user').first().waitFor()
      assert.equal(await visit.button('Leave an address').count(), 0, 'nobody is asked again')
      assert.deepEqual(visit.faults, [])
      await page.close()
    })
})
