import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { startSite } from '../support/start-site.ts'
import type { Visit } from '../support/widget.ts'

describe("widget and a site's users", async () => {
  const { app, model, browser, widget } = await startSite()

  const identify = ({ page }: Visit, user: object) =>
    page.evaluate(`(window.Parley ||= []).push(['identify', ${JSON.stringify(user)}])`)

  it('a user finds their conversation in another browser', async () => {
    const [first, second] = [await widget.visit(browser), await widget.visit(browser)]
    await identify(first, widget.proveUser('ada'))
    await first.open()
    await first.ask('My secret question')
    await first.answer('My secret question')
    await identify(second, widget.proveUser('ada'))
    await second.open()
    await second.answer('My secret question')
    assert.deepEqual([...first.faults, ...second.faults], [])
    await second.close()

    await first.input.fill('A draft of Ada')
    await first.page.evaluate('Parley.logout()')
    await first.page.locator('.greeting').waitFor()
    await first.page.locator('.entry').first().waitFor({ state: 'hidden' })
    assert.equal(await first.input.inputValue(), '')
    await first.page.reload()
    await first.open()
    assert.equal(await first.input.inputValue(), '')
    assert.equal(await first.page.locator('.entry').count(), 0)
    assert.ok(!String(await first.page.evaluate('JSON.stringify(localStorage)')).includes('Ada'))
    await first.close()
  })

  for (const [what, hash] of [
    ['wrong', '0'.repeat(64)],
    ['empty', ''],
  ])
    it(`a hash that is ${what} shows nothing of that person`, async () => {
      const visit = await widget.visit(browser)
      await identify(visit, { id: 'ada', hash })
      await visit.launcher.click()
      await visit.page.getByText('We could not confirm who you are.').waitFor()
      assert.equal(await visit.page.locator('.entry').count(), 0)
      await visit.close()
    })

  it('another user of the same browser sees nothing of the first', async () => {
    const visit = await widget.visit(browser)
    await identify(visit, widget.proveUser('ada'))
    await visit.open()
    await visit.answer('My secret question')
    await identify(visit, widget.proveUser('grace'))
    await visit.page.locator('.entry').first().waitFor({ state: 'hidden' })
    await visit.page.locator('.greeting').waitFor()
    await visit.ask('Only mine')
    await visit.answer('Only mine')
    assert.equal(await visit.page.locator('.entry').count(), 2)
    await visit.close()
  })

  it('an answer that is still being made is not told to the next visitor', async () => {
    const visit = await widget.visit(browser)
    const { page } = visit
    await identify(visit, widget.proveUser('ada'))
    await visit.open()
    await page.evaluate("window.told = []; Parley.on('message', ({ content }) => told.push(content))")
    const feed = model.feed()
    await visit.ask('What do I owe?')
    feed.push('You owe ')
    await visit.answer('You owe')
    await page.evaluate('Parley.logout()')
    await page.locator('.entry').first().waitFor({ state: 'hidden' })
    feed.push('nothing.')
    feed.end()
    const newest = async () => (await app.agent.get('/chat/completions?per_page=1')).body.data[0].response
    await becomes(newest, 'You owe nothing.')
    await visit.ask('Hello')
    await visit.answer('Hello')
    const told = await page.evaluate<string[]>('told')
    assert.ok(told.length === 1 && told[0]?.includes('Hello'), told.join())
    assert.doesNotMatch(await page.locator('parley-chat .body > [role=status]').innerText(), /owe/)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('where only users may chat, others read so', async () => {
    await app.agent.call('PATCH', `/widgets/${widget.id}`, { identity: 'required' })
    const visit = await widget.visit(browser)
    await visit.launcher.click()
    await visit.page.getByText('Sign in on this site to chat.').waitFor()
    await identify(visit, widget.proveUser('ada'))
    await visit.answer('My secret question')
    await visit.close()
  })
})
