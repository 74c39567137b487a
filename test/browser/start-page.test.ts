import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

describe('first steps', () => {
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

  it('answers a first question, and from what it was taught', async () => {
    await page.goto(own.at('start'))
    await field('A question that people ask').fill('How long does delivery take?')
    await field('Its answer').fill('Two to four working days.')
    await button('Add to the knowledge').click()
    await page.getByText('Added. Ask the agent above.').waitFor()
    await field('Your question').fill('How long does delivery take?')
    await page.keyboard.press('Enter')
    await page.getByText('Sources: How long does delivery take?').waitFor()
    await page.getByRole('log').getByText('Two to four working days.').waitFor()
    await page.getByText('Added. Ask the agent above.').waitFor({ state: 'hidden' })
    nothingWrong()
  })
})
