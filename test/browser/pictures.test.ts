import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { fillEveryday } from '../support/fill-console.ts'
import { takePicture } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

describe('pictures of the documentation', () => {
  let app: TestApp
  let browser: Browser
  let own: SignedInPage
  let page: Page

  before(async () => {
    app = await startApp('sqlite')
    browser = await launchBrowser()
    own = await openSignedIn(browser, app, { called: 'Ada Lovelace', email: 'ada@example.com' })
    page = own.page
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const nothingWrong = () => assert.deepEqual(own.faults.splice(0), [])

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
})
