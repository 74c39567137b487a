import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, launchBrowser } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

describe('knowledge in the console', () => {
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
  const outcomes = () => page.getByRole('list', { name: 'Files and what became of them' })
  const nothingWrong = () => assert.deepEqual(own.faults.splice(0), [])
  const COUNT = 100

  it('takes a hundred dropped files, and keeps in sight what became of each', async () => {
    await page.goto(own.at('knowledge'))
    await page.getByRole('region', { name: 'Drop files or a folder here' }).waitFor()
    await page.evaluate(`{
      const dropped = new DataTransfer()
      for (let number = 1; number < ${COUNT}; number++)
        dropped.items.add(new File(['# Page ' + number + '\\n\\nThe word of page ' + number + '.'], 'page-' + number + '.md'))
      dropped.items.add(new File(['x'], 'picture.png'))
      const zone = document.querySelector('.drop')
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
    }`)
    await page.getByText(`${COUNT} of ${COUNT} done · 1 not taken`).waitFor({ timeout: 30_000 })
    await page.getByText('Not taken', { exact: true }).click()
    const row = outcomes().getByRole('listitem')
    await row.getByText('skipped').waitFor()
    await becomes(() => row.count(), 1)
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/knowledge/files')),
      row.getByRole('button', { name: 'Try again' }).click(),
    ])
    await row.getByText('skipped').waitFor()
    assert.equal((await app.agent.get('/knowledge')).body.total, COUNT - 1)
    await page.reload()
    await page.getByText(`${COUNT} of ${COUNT} done · 1 not taken`).waitFor()
    await assertClean(own)
    await button('Clear the list').click()
    await outcomes().waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('an unanswered question becomes an entry in three clicks', async () => {
    for (const user of ['Ada', 'Grace']) await app.agent.prompt('Do you sell zeppelins?', { user })
    await page.reload()
    const questions = page.getByRole('region', { name: 'Unanswered questions' })
    await questions.getByText('Do you sell zeppelins?').waitFor()
    await questions.getByText('asked 2 times').waitFor()
    await questions.getByRole('link', { name: 'Conversation' }).waitFor()
    await questions.getByRole('button', { name: 'Answer it' }).click()
    await becomes(() => field('Title').inputValue(), 'Do you sell zeppelins?')
    await field('Text').fill('Only on Tuesdays.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a document' }).click()
    await questions.getByText('There is none').waitFor()
    const answer = await app.agent.prompt('Do you sell zeppelins?')
    assert.match(answer.choices[0].message.content, /Only on Tuesdays/)
    nothingWrong()
  })

  it('shows a text as it was read, and edits it', async () => {
    await page.getByRole('link', { name: 'Do you sell zeppelins?' }).click()
    const text = page.getByRole('region', { name: 'Text' })
    await becomes(() => text.getByLabel('Text', { exact: true }).inputValue(), 'Only on Tuesdays.')
    await text.getByLabel('Text', { exact: true }).fill('On every weekday.')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('On every weekday.').last().waitFor()
    await page
      .getByText(/edited/)
      .first()
      .waitFor()
    const { body } = await app.agent.get('/knowledge/search?q=zeppelins')
    assert.match(body.data[0].snippet, /On every weekday/)
    await assertClean(own)
  })

  it('adds a document, finds it with a question, and deletes it', async () => {
    await page.goto(own.at('knowledge'))
    await page.getByRole('button', { name: 'Add a document' }).first().click()
    await field('Title').fill('Opening hours')
    await field('Text').fill('We are open from nine to five.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a document' }).click()
    await page.getByRole('link', { name: 'Opening hours' }).waitFor()
    await field('A question').fill('When are you open?')
    await button('Search').click()
    await page.getByRole('list', { name: 'Passages found' }).getByText('nine to five').waitFor()
    await page.getByRole('link', { name: 'Opening hours' }).click()
    await page.getByText('We are open from nine to five.').last().waitFor()
    await button('Delete').click()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/knowledge')
    await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'hidden' })
    nothingWrong()
  })
})
