import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, until } from '../support/chromium.ts'
import { startSite } from '../support/start-site.ts'
import { asVisit, type Visit } from '../support/widget.ts'

const PHONE = { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true }
const DAY_MS = 24 * 60 * 60 * 1000

describe('a visitor who goes on to another page', async () => {
  let now = Date.parse('2025-03-03T14:05:00Z')
  const { app, model, browser, widget } = await startSite({
    page: { body: '<a href="/other">Another page</a>' },
    clock: () => now,
  })

  const badge = ({ page }: Visit) => page.locator('parley-chat .unread')
  const isCounted = (visit: Visit, count: number) =>
    badge(visit)
      .filter({ hasText: `New messages: ${count}` })
      .waitFor()

  /** A visitor whom a person answers from now on. */
  async function withPerson(
    options = {},
  ): Promise<{ visit: Visit; say: (content: string) => Promise<void> }> {
    const visit = await widget.visit(browser, { timezoneId: 'UTC', ...options })
    await visit.open()
    await visit.ask('May I bring it back?')
    await visit.answer('May I bring it back?')
    const { body } = await app.agent.get('/chat/completions?per_page=1')
    const { conversation_id: id } = body.data[0]
    await app.agent.post(`/conversations/${id}/pause`)
    const say = async (content: string) => {
      const said = await app.agent.post(`/conversations/${id}/messages`, { content, author: 'Grace Hopper' })
      assert.equal(said.status, 200, said.text)
    }
    return { visit, say }
  }

  /** Loads a page, and waits until it asks for no more. @returns what it asked the service */
  async function load(visit: Visit, way: () => Promise<unknown>): Promise<string[]> {
    const asked: string[] = []
    visit.page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.origin === app.url) asked.push(`${request.method()} ${url.pathname.split('/').at(-1)}`)
    })
    await way()
    await visit.page.waitForLoadState('networkidle')
    visit.page.removeAllListeners('request')
    return asked
  }

  it('an answer with an error status counts nothing', async () => {
    const { visit } = await withPerson()
    await visit.button('Close the chat').click()
    const failed = { status: 502, headers: { 'access-control-allow-origin': '*' } }
    await visit.page.route('**/messages?after=*', (route) =>
      route.fulfill({ ...failed, json: { data: [{ role: 'operator' }] } }),
    )
    const asked = await load(visit, () => visit.page.getByRole('link', { name: 'Another page' }).click())
    assert.ok(asked.includes('GET messages'), asked.join())
    assert.equal((await badge(visit).textContent())?.trim() ?? '', '')
    visit.faults.splice(0)
    await visit.page.context().close()
  })

  it('who has closed the chat sees and hears how many answers came, for one request', async () => {
    const { visit, say } = await withPerson()
    await visit.button('Close the chat').click()
    await say('You may.')
    await isCounted(visit, 1)
    await say('Within 30 days.')
    await isCounted(visit, 2)
    const asked = await load(visit, () => visit.page.getByRole('link', { name: 'Another page' }).click())
    await isCounted(visit, 2)
    assert.deepEqual(asked, ['GET widget.js', 'GET messages'])
    // Said when it comes, and with the button.
    assert.equal(await badge(visit).getAttribute('role'), 'status')
    assert.match(await badge(visit).ariaSnapshot(), /status.*New messages: 2/)
    assert.equal(
      await visit.launcher.evaluate((button: { getAttribute(name: string): string }) =>
        button.getAttribute('aria-describedby'),
      ),
      await badge(visit).getAttribute('id'),
    )
    assert.deepEqual(await accessibilityFaults(visit.page), [])
    // A click on the badge is a click on the button.
    const { x, y, width, height } = (await badge(visit).boundingBox()) ?? assert.fail('no badge')
    await visit.page.mouse.click(x + width / 2, y + height / 2)
    await visit.page.locator('parley-chat .panel').waitFor()
    await visit.page.locator('.entry.operator', { hasText: 'Within 30 days.' }).waitFor()
    assert.equal(await badge(visit).textContent(), '')
    await visit.button('Close the chat').click()
    await load(visit, () => visit.page.reload())
    await visit.launcher.waitFor()
    assert.equal(await badge(visit).textContent(), '')
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('an answer is counted that was still being made when the visitor left', async () => {
    const visit = await widget.visit(browser, PHONE)
    await visit.open()
    const feed = model.feed()
    await visit.ask('Where is it?')
    feed.push('It is ')
    await visit.answer('It is')
    await visit.page.goto('about:blank')
    feed.push('in Hamburg.')
    feed.end()
    const newest = async () => (await app.agent.get('/chat/completions?per_page=1')).body.data[0].response
    await becomes(newest, 'It is in Hamburg.')
    await visit.page.goto(widget.site.origin)
    await isCounted(visit, 1)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('an open chat stays open, live, and takes no focus; a closed one stays closed', async () => {
    const { visit, say } = await withPerson()
    await visit.page.getByRole('link', { name: 'Another page' }).click()
    await visit.page.waitForURL('**/other')
    await visit.page.locator('.entry.user', { hasText: 'May I bring it back?' }).waitFor()
    await until(visit.page, `document.activeElement === document.body`)
    await say('You may.')
    await visit.page.locator('.entry.operator', { hasText: 'You may.' }).waitFor()
    // Another tab has not opened it.
    const tab = asVisit({ ...visit, page: await visit.page.context().newPage() })
    await tab.page.goto(widget.site.origin)
    await tab.launcher.waitFor()
    await visit.button('Close the chat').click()
    await visit.page.reload()
    await visit.launcher.waitFor()
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('on a phone, where it would hide the page, it is closed and counts', async () => {
    const { visit, say } = await withPerson(PHONE)
    await say('You may.')
    await visit.page.locator('.entry.operator', { hasText: 'You may.' }).waitFor()
    await visit.page.goto('about:blank')
    await say('Within 30 days.')
    await visit.page.goto(`${widget.site.origin}/other`)
    await isCounted(visit, 1)
    await visit.open()
    await visit.page.locator('.entry.operator', { hasText: 'Within 30 days.' }).waitFor()
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('after a long time sees what was redacted meanwhile', async () => {
    const visit = await widget.visit(browser)
    const { page } = visit
    const scrubbed = Promise.withResolvers<void>()
    // The answer to the id of an event that is gone.
    const headers = {
      'access-control-allow-origin': widget.site.origin,
      'content-type': 'text/event-stream',
    }
    const reset = async (route: Route) => {
      await scrubbed.promise
      await route.fulfill({ headers, body: 'data: {"type":"reset"}\n\n' })
    }
    await page.route(/\/live(\?|$)/, reset, { times: 1 })
    await visit.open()
    await visit.ask('My number is 4711')
    await visit.answer('My number is 4711')
    const [{ id }] = (await app.agent.get('/chat/completions?per_page=1')).body.data
    assert.equal((await app.agent.post(`/chat/completions/${id}/scrub`)).status, 200)
    scrubbed.resolve()
    await page.locator('.entry', { hasText: '4711' }).first().waitFor({ state: 'detached' })
    assert.equal(await page.locator('.entry').count(), 2)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('finds each message with its time, below its day', async () => {
    const { visit, say } = await withPerson()
    now += DAY_MS + 60_000
    await say('You may.')
    await visit.page.locator('.entry.operator time', { hasText: '14:06' }).waitFor()
    await visit.page.reload()
    await visit.page.locator('.entry.operator').waitFor()
    const times = await visit.page.locator('.happening, .entry .state, .entry time').allInnerTexts()
    // Versions of the browser's languages differ by a comma.
    assert.deepEqual(
      times.map((time) => time.replace(',', '')),
      ['Monday 3 March 2025', '14:05', '14:05', 'Tuesday 4 March 2025', '14:06'],
    )
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })
})
