import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { startConsole } from '../support/start-console.ts'

describe('a script of the console that cannot be loaded', async () => {
  const { app, own, page, button } = await startConsole()
  const conversation = (await app.agent.prompt('Where is my parcel?', { user: 'Linus' })).conversation_id

  const missing = (route: Route) => route.fulfill({ status: 404, body: 'gone' })

  it('is asked for again: one that was away for a moment is missed by nobody', async () => {
    let lost = 0
    await page.route(/assets\/AnalyticsPage-.*\.js/, (route) =>
      lost++ === 0 ? missing(route) : route.continue(),
    )
    await page.goto(own.at('inbox'))
    await page.getByRole('link', { name: 'Analytics' }).click()
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor()
    assert.ok(lost > 1, 'the script was never away')
    await page.unrouteAll()
  })

  it('takes only its own part of the page, after one reload, and comes back with a press', async () => {
    let loads = 0
    page.on('load', () => loads++)
    await page.route(/assets\/Details-.*\.js/, missing)
    await page.goto(own.at(`inbox/${conversation}`))
    await button('Try again').waitFor()
    assert.equal(loads, 2)
    await page.getByRole('log').getByText('Where is my parcel?').waitFor()
    await button('Take over').click()
    await page.getByLabel('Answer to the user', { exact: true }).fill('It comes.')
    await page.unrouteAll()
    await button('Try again').click()
    await page.getByText('Assignee').waitFor()
    assert.equal(await page.getByLabel('Answer to the user', { exact: true }).inputValue(), 'It comes.')
  })

  it('leaves everything in place, with a notice, if the part has no place of its own', async () => {
    let isAway = true
    await page.route(/assets\/Actions-.*\.js/, (route) => (isAway ? missing(route) : route.continue()))
    await page.goto(own.at(`inbox/${conversation}`))
    await page.getByRole('alert').getByText('A part of the console could not be loaded.').waitFor()
    await page.getByRole('log').getByText('Where is my parcel?').waitFor()
    // A press that could not be answered is answered once the connection is back, without a reload.
    await page.keyboard.press('?')
    // The route stays: requests that the first press has made may be lost with it.
    isAway = false
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.unrouteAll()
  })

  it('is asked for again when a part without a place of its own is mounted again', async () => {
    await page.goto(own.at('inbox'))
    await page.route(/assets\/GoTo-.*\.js/, missing)
    await page.getByRole('link', { name: /Linus/ }).click()
    const notice = page.getByRole('alert').getByText('A part of the console could not be loaded.')
    await notice.waitFor()
    await page.unrouteAll()
    await page.goBack()
    await button('Go to another part').waitFor({ state: 'detached' })
    await page.goForward()
    await button('Go to another part').waitFor()
  })

  it('opens the list of actions, also with a script that came at the second request', async () => {
    let lost = 0
    await page.route(/assets\/Actions-.*\.js/, (route) => (lost++ === 0 ? missing(route) : route.continue()))
    await page.goto(own.at('inbox'))
    await page.getByRole('link', { name: /Linus/ }).waitFor()
    await becomes(async () => {
      await page.keyboard.press('Control+k')
      return page.getByPlaceholder('What do you want to do?').count()
    }, 1)
    assert.ok(lost > 1, 'the script was never away')
    await page.unrouteAll()
  })

  it('tells that the list of actions or a language is missing, as often as it is asked for', async () => {
    await page.route(/assets\/(Actions|de)-.*\.js/, missing)
    await page.goto(own.at('inbox'))
    const notice = page.getByRole('alert').getByText('A part of the console could not be loaded.')
    const close = async () => {
      await notice.waitFor()
      await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
      await notice.waitFor({ state: 'detached' })
    }
    await close()
    await page.keyboard.press('Control+k')
    await close()
    await button(/your menu/).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await close()
    await page.unrouteAll()
    await button(/your menu/).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByRole('link', { name: 'Posteingang' }).waitFor()
    await page.evaluate(() => localStorage.removeItem('parley-language'))
  })

  it('says so in English if the first texts are missing, and begins again with a press', async () => {
    await page.route(/assets\/en-.*\.js/, missing)
    await page.goto(own.at('inbox'))
    await page.getByRole('alert').getByText('This did not work').waitFor()
    await page.getByRole('alert').getByText('A part of the console could not be loaded.').waitFor()
    await page.unrouteAll()
    await button('Try again').click()
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
  })

  it('takes no more than its page if it is that of a page, and waits for the connection', async () => {
    await page.goto(own.at('inbox'))
    await page.route(/assets\/(UsersPage-.*\.js|.*\?again=)/, (route) => route.abort('internetdisconnected'))
    await page.route('**/console/', (route) => route.abort('internetdisconnected'))
    await page.getByRole('link', { name: 'Users' }).click()
    await button('Try again').waitFor()
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
    await page.unrouteAll()
    await button('Try again').click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  })
})
