import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide, showIn } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

const REPLY = 'Answer to the user'
const MESSAGES = /\/conversations\/[^/]+\/messages$/

describe('answers that could not be sent', async () => {
  const { app, own, page, button } = await startConsole({ right: 'respond', called: 'Ada Lovelace' })
  afterEach(() => throughAgain())

  const field = () => page.getByLabel(REPLY, { exact: true })
  const unsent = () => page.locator('.bubble[data-unsent]')
  const lost = (route: Route) => route.abort('internetdisconnected')

  /** A conversation that a person has taken over, open in the page. */
  async function taken(): Promise<string> {
    const { conversation_id } = await app.agent.prompt('Where is my parcel?')
    await app.agent.post(`/conversations/${conversation_id}/pause`)
    await page.goto(own.at(`inbox/${conversation_id}`))
    await field().waitFor()
    return conversation_id
  }
  const answers = async (conversation: string): Promise<string[]> =>
    (await app.agent.get(`/conversations/${conversation}/messages`)).body.data
      .filter(({ role }: { role: string }) => role === 'operator')
      .map(({ content }: { content: string }) => content)
  async function write(text: string): Promise<void> {
    await field().fill(text)
    await field().press('Control+Enter')
  }
  // Requests that are held back or under way may end while it is taken away.
  const throughAgain = () => page.unrouteAll({ behavior: 'ignoreErrors' })
  const goOnline = async () => {
    await page.context().setOffline(true)
    await page.context().setOffline(false)
  }

  it('wait in the thread, over a reload, and go out once and in their order when the connection is back', async () => {
    const conversation = await taken()
    await page.context().setOffline(true)
    await write('First')
    await page.getByText('Not sent yet – will be sent when you are back online').waitFor()
    await becomes(() => field().inputValue(), '')
    await write('Second')
    await becomes(() => unsent().allTextContents(), ['First', 'Second'])
    for (const scheme of ['light', 'dark'] as const) {
      await showIn(page, scheme)
      assert.deepEqual(await accessibilityFaults(page), [], scheme)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await isTooWide(page), false)
    await page.setViewportSize({ width: 1280, height: 800 })
    await showIn(page, 'light')
    await page.route(MESSAGES, lost)
    await page.context().setOffline(false)
    await page.reload()
    await becomes(() => unsent().allTextContents(), ['First', 'Second'])
    await becomes(() => field().inputValue(), '')
    assert.deepEqual(await answers(conversation), [])
    await throughAgain()
    await goOnline()
    await becomes(() => answers(conversation), ['First', 'Second'])
    await becomes(() => unsent().count(), 0)
    await becomes(() => page.locator('.bubble[data-role="operator"]').allTextContents(), ['First', 'Second'])
  })

  it('go out with their files', async () => {
    const conversation = await taken()
    const file = { name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('20 euros') }
    await page.locator('.composer input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Send the answer', exact: true, disabled: false }).waitFor()
    await page.route(MESSAGES, lost)
    await field().press('Control+Enter')
    await button('Discard').waitFor()
    const shown = page.getByRole('log').getByRole('link', { name: 'invoice.txt' })
    await shown.waitFor()
    assert.deepEqual(await answers(conversation), [])
    await throughAgain()
    await goOnline()
    await becomes(() => answers(conversation), ['[file]'])
    await becomes(() => button('Discard').count(), 0)
    await becomes(() => shown.count(), 1)
  })

  it('go out once although the service had stored them and only its answer was lost', async () => {
    const conversation = await taken()
    let tries = 0
    await page.route(MESSAGES, async (route) => {
      tries++
      await route.fetch()
      await route.abort('connectionreset')
    })
    await write('Once')
    await unsent().waitFor()
    assert.equal(tries, 1)
    assert.deepEqual(await answers(conversation), ['Once'])
    await page.reload()
    await becomes(() => tries >= 2, true)
    await button('Retry').click()
    await becomes(() => tries >= 3, true)
    await throughAgain()
    await goOnline()
    await becomes(() => unsent().count(), 0)
    await becomes(() => page.locator('.bubble[data-role="operator"]').allTextContents(), ['Once'])
    assert.deepEqual(await answers(conversation), ['Once'])
  })

  it('go out once when the page is loaded anew in the middle, and the field is empty', async () => {
    const conversation = await taken()
    const asked = Promise.withResolvers<void>()
    await page.route(MESSAGES, () => asked.resolve())
    await write('In the middle')
    await asked.promise
    await throughAgain()
    await page.reload()
    await becomes(() => answers(conversation), ['In the middle'])
    await becomes(() => field().inputValue(), '')
    await becomes(() => unsent().count(), 0)
  })

  it('are held when somebody has answered meanwhile, until their writer says so', async () => {
    const conversation = await taken()
    await page.route(MESSAGES, (route) => route.fulfill({ status: 503, body: 'no upstream' }))
    await write('Mine')
    await page.getByText('Not sent yet – will be sent when the service answers again').waitFor()
    await app.agent.post(`/conversations/${conversation}/messages`, { content: 'Theirs' })
    await throughAgain()
    await goOnline()
    await page.getByText('Not sent: Somebody has answered since you began to write.').waitFor()
    assert.deepEqual(await answers(conversation), ['Theirs'])
    await button('Send anyway').last().click()
    await becomes(() => answers(conversation), ['Theirs', 'Mine'])
    await becomes(() => unsent().count(), 0)
  })

  it('leave alone what their writer types meanwhile', async () => {
    const conversation = await taken()
    await page.route(MESSAGES, (route) => route.fulfill({ status: 503, body: 'no upstream' }))
    await write('First')
    await unsent().waitFor()
    await field().fill('Next')
    // Longer than the pause after which drafts are saved.
    await page.waitForTimeout(1500)
    await throughAgain()
    await goOnline()
    await becomes(() => answers(conversation), ['First'])
    await becomes(() => unsent().count(), 0)
    await page.reload()
    await becomes(() => field().inputValue(), 'Next')
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await becomes(() => field().inputValue(), 'Next')
  })

  it('are gone when they are discarded, and when the person signs out', async () => {
    const conversation = await taken()
    await page.route(MESSAGES, lost)
    await write('Discarded')
    await button('Discard').click()
    await becomes(() => unsent().count(), 0)
    await write('Left behind')
    await unsent().waitFor()
    const kept = () => page.evaluate(`Object.keys(localStorage).filter((key) => /unsent/.test(key)).length`)
    assert.equal(await kept(), 1)
    await page.getByRole('button', { name: /Ada Lovelace/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in*')
    assert.equal(await kept(), 0)
    assert.deepEqual(await answers(conversation), [])
  })
})
