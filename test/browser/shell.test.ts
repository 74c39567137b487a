import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, openPage } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

describe('every page of the console', async () => {
  const { app, browser, own, page, button, nothingWrong } = await startConsole()

  it('says whom a pause would tell, pauses at the second press, and tells whom it told', async () => {
    await app.agent.call('PATCH', '/agent', {
      pause_message: 'Back in an hour.',
      resume_message: 'Here again.',
    })
    await app.agent.prompt('Hello', { user: 'Grace' })
    const ofLinus = await app.agent.prompt('Hello', { user: 'Linus' })
    const ofMary = await app.agent.prompt('Hello', { user: 'Mary' })
    await app.agent.post(`/conversations/${ofMary.conversation_id}/pause`)
    await page.goto(own.at('inbox'))
    await button('Pause the agent').click()
    const question = page.getByRole('dialog', { name: 'Pause the agent' })
    await question.getByText('2 open conversations get the pause message.').waitFor()
    await question.getByText('Back in an hour.').waitFor()
    await question.getByText('1 open conversation does not: 1 taken over by a person.').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    assert.equal((await app.agent.get('/agent')).body.data.is_paused, false)
    await button('Pause the agent').click()
    await button('Pause and tell 2').click()
    await page
      .getByText(
        'The agent is paused. 2 open conversations got the pause message, 1 did not: 1 taken over by a person.',
      )
      .waitFor()
    await app.agent.post(`/conversations/${ofMary.conversation_id}/end`)
    await page.getByText('is paused: it answers nobody').waitFor()
    await app.agent.post(`/conversations/${ofLinus.conversation_id}/end`)
    await button('Resume the agent').click()
    await button('Resume and tell 1').click()
    await page
      .getByText('The agent answers again. 1 open conversation got the resume message, 0 did not.')
      .waitFor()
    nothingWrong()
  })

  it('pauses the agent in one click when nobody is told', async () => {
    await app.agent.call('PATCH', '/agent', { pause_message: null, resume_message: null })
    await page.goto(own.at('inbox'))
    await button('Pause the agent').click()
    await page.getByText(/The agent is paused\. \d+ open conversations got the pause message/).waitFor()
    await page.getByText('is paused: it answers nobody').waitFor()
    await button('Resume the agent').click()
    await page.getByText('The agent answers again.').waitFor()
    nothingWrong()
  })

  it('is used by keyboard only', async () => {
    await page.goto(own.at('start'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('Tab')
    await becomes(focused, 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/settings/agent')
    await page.keyboard.press('Control+k')
    const search = page.getByPlaceholder('What do you want to do?')
    await search.fill('First')
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/start')
    nothingWrong()
  })

  it('speaks German', async () => {
    const german = await openPage(browser, app.url, { locale: 'de-AT' })
    await german.page.goto(`${app.url}/console`)
    await german.page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    assert.equal(await german.page.locator('html').getAttribute('lang'), 'de')
    assert.deepEqual(german.faults, [])
    await german.close()
  })

  function focused(): Promise<string | undefined> {
    return page.evaluate('document.activeElement?.textContent')
  }
})
