import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { startSite } from '../support/start-site.ts'

describe('a file of the widget that cannot be loaded', async () => {
  const { app, browser, widget } = await startSite()

  const missing = (route: Route) => route.fulfill({ status: 404, body: 'gone' })
  /** The texts of the visitor's messages in the newest conversation, as the service has them. */
  async function received(): Promise<string[]> {
    const { body } = await app.agent.get('/chat/completions?per_page=100')
    return body.data.map(({ prompt }: { prompt: string }) => prompt).reverse()
  }

  it('is asked for again if it is that of the texts', async () => {
    const visit = await widget.visit(browser)
    let lost = 0
    await visit.page.route(/assets\/en-.*\.js/, (route) => (lost++ === 0 ? missing(route) : route.continue()))
    await visit.open()
    await visit.ask('Is this there?')
    await visit.answer('Is this there?')
    assert.ok(lost > 1, 'the texts were never away')
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('is found under its present name by a page from before an upgrade', async () => {
    const visit = await widget.visit(browser)
    await visit.page.route('**/widget.js', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/panel-[\w-]+\.js/, 'panel-before.js')
      return route.fulfill({ response, body })
    })
    await visit.page.reload()
    await visit.open()
    await visit.ask('Am I late?')
    await visit.answer('Am I late?')
    await visit.close()
  })

  it('loses no message: one that was sent before the panel was there is sent once, also a page later', async () => {
    const before = (await received()).length
    const visit = await widget.visit(browser)
    await visit.page.route(/panel.*\.js/, missing)
    await visit.launcher.click()
    await visit.ask('Are you there?')
    await visit.page.locator('parley-chat .early', { hasText: 'Are you there?' }).waitFor()
    await visit.page.reload()
    await visit.ask('Or are you not?')
    await visit.page.unroute(/panel.*\.js/)
    await visit.answer('Are you there?')
    await visit.answer('Or are you not?')
    assert.deepEqual((await received()).slice(before), ['Are you there?', 'Or are you not?'])
    assert.equal(await visit.page.locator('.entry').count(), 4)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('leaves nothing to the next visitor of what was sent before it was there', async () => {
    const before = (await received()).length
    const visit = await widget.visit(browser)
    await visit.page.route(/panel.*\.js/, missing)
    await visit.launcher.click()
    await visit.ask('My secret')
    await visit.page.locator('parley-chat .early').waitFor()
    await visit.page.evaluate('Parley.logout()')
    await visit.page.locator('parley-chat .early').waitFor({ state: 'detached' })
    assert.doesNotMatch(await visit.page.evaluate<string>('JSON.stringify(localStorage)'), /secret/)
    await visit.page.unroute(/panel.*\.js/)
    await visit.open()
    await visit.ask('Hello')
    await visit.answer('Hello')
    assert.deepEqual((await received()).slice(before), ['Hello'])
    await visit.close()
  })
})
