import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { launchBrowser, openPage } from '../support/chromium.ts'
import { PASSWORD } from '../support/console.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

describe('people and keys in the settings', () => {
  let app: TestApp
  let browser: Browser
  let own: SignedInPage
  let page: Page

  before(async () => {
    app = await startApp('sqlite')
    browser = await launchBrowser()
    own = await openSignedIn(browser, app)
    page = own.page
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const nothingWrong = () => assert.deepEqual(own.faults.splice(0), [])

  it('invites a person, who joins elsewhere, and sees only what their right allows', async () => {
    await page.goto(own.at('settings/people'))
    await button('Invite a person').click()
    await field('E-mail address').fill('grace@example.com')
    await field('Name').fill('Grace Hopper')
    await field('Right').selectOption('read')
    await button('Make the link').click()
    const link = await page.getByLabel('Link', { exact: true }).textContent()
    await button('I have copied it').click()
    const other = await openPage(browser, app.url)
    await other.page.goto(link ?? '')
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Join' }).click()
    await other.page.waitForURL('**/inbox')
    await other.page.getByRole('link', { name: 'Settings' }).waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Pause the agent' }).count(), 0)
    await other.page.getByRole('link', { name: 'Settings' }).click()
    await other.page.getByRole('link', { name: 'Your account' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'People' }).count(), 0)
    await other.page.getByRole('link', { name: 'Messages' }).click()
    await other.page.getByLabel('Greeting', { exact: true }).and(other.page.locator(':disabled')).waitFor()
    // By its address it says who can open it.
    await other.page.goto(own.at('settings/people'))
    await other.page.getByText('You may not open this page').waitFor()
    assert.deepEqual(other.faults, [])
    await page.reload()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Grace' })
      .getByRole('button', { name: 'Disable' })
      .click()
    await page.getByText('disabled', { exact: true }).waitFor()
    await other.page.reload()
    await other.page.waitForURL('**/sign-in*')
    await other.close()
    nothingWrong()
  })

  it('shows a key once, and revokes it', async () => {
    await page.goto(own.at('settings/credentials'))
    await field('Name of a new key').fill('Web shop')
    await button('Make a key').click()
    const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? ''
    assert.match(key, /^parley_key_/)
    await button('I have copied it').click()
    await becomes(async () => (await page.content()).includes(key), false)
    const row = page.getByRole('listitem').filter({ hasText: 'Web shop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('revoked').waitFor()
    nothingWrong()
  })
})
