import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

describe('rules in the console', () => {
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
  const trial = () => page.getByRole('region', { name: 'Try it' })
  const log = () => page.getByRole('region', { name: 'Log' })

  it('a guardrail is made, tried on a recent question, and its log tells when it acted', async () => {
    const words = { name: 'Rivals', kind: 'keywords', settings: { words: ['Acme'] } }
    assert.equal((await app.agent.post('/evaluators', words)).status, 201)
    await app.agent.prompt('Is Acme cheaper?', { user: 'Grace' })
    await page.goto(own.at('rules/guardrails/new'))
    await page.getByLabel('Name', { exact: true }).fill('No rivals')
    await page.getByLabel('It acts when this evaluator passes').selectOption({ label: 'Rivals' })
    await button('Save').click()
    await page.getByRole('link', { name: 'No rivals' }).click()
    await log().getByText('It has not acted yet.').waitFor()
    await trial().getByRole('button', { name: 'Try it on this question' }).click()
    await trial().getByText('It would act', { exact: true }).waitFor()
    await trial()
      .getByText(/Rivals: passes/)
      .waitFor()
    assert.equal((await app.agent.get('/conversations')).body.total, 1, 'trying stores nothing')
    await app.agent.prompt('What of Acme?')
    await page.reload()
    await log().getByText('acted', { exact: true }).waitFor()
    await log().getByRole('link', { name: 'Conversation' }).waitFor()
    await assertClean(own)
  })

  it('of a call to action it tells for each comparison whether it held', async () => {
    const { body } = await app.agent.post('/ctas', {
      name: 'Offer',
      content: 'Ten per cent off.',
      condition: {
        all: [
          { field: 'prompt.text', op: 'contains', value: 'Acme' },
          { not: { any: [{ field: 'page.path', op: 'eq', value: '/shop' }] } },
          { field: 'language', op: 'eq', value: 'xx' },
        ],
      },
    })
    await page.goto(own.at(`rules/ctas/${body.data.id}`))
    await trial().getByRole('button', { name: 'Try it on this question' }).click()
    await trial().getByText('It would not act').waitFor()
    await trial().getByText('prompt.text contains Acme').waitFor()
    await trial().getByText('page.path is /shop').waitFor()
    assert.equal(await trial().getByText('held', { exact: true }).count(), 2)
    assert.equal(await trial().getByText('did not hold', { exact: true }).count(), 3)
    await assertClean(own)
  })
})
