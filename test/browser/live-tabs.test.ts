import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { until } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

const isStream = (request: Request) => /\/live(\?|$)/.test(request.url())

describe('live stream of the console', async () => {
  /** Requests for the stream, by tab. */
  const asked = new Map<Page, string[]>()

  const { app, browser, own } = await startConsole()
  listen(own.page)

  function listen(page: Page) {
    asked.set(page, [])
    page.on('request', (request) => {
      if (isStream(request)) asked.get(page)?.push(request.url())
    })
  }
  async function openTab(): Promise<Page> {
    const page = await own.page.context().newPage()
    page.setDefaultTimeout(15_000)
    listen(page)
    await page.goto(own.at('inbox'))
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    return page
  }
  const row = (page: Page, name: string) => page.locator('.inbox-row', { hasText: name })
  const streams = () => [...asked.values()].flat().length

  it('is one for all tabs, and another tab takes over when the one that reads it is closed', async () => {
    const first = await openTab()
    await app.agent.prompt('Hello', { user: 'Early' })
    await row(first, 'Early').waitFor()
    const [second, third] = [await openTab(), await openTab()]
    await app.agent.prompt('Hello', { user: 'Shared' })
    for (const tab of [first, second, third]) await row(tab, 'Shared').waitFor()
    assert.equal(streams(), 1)
    await first.close()
    await app.agent.prompt('Hello', { user: 'After closing' })
    for (const tab of [second, third]) await row(tab, 'After closing').waitFor()
    assert.equal(streams(), 2)
    // It went on where the first tab was.
    assert.match([...asked.values()].flat().at(-1) ?? '', /after=/)
    await second.close()
    await third.close()
  })

  it('says that it is offline only while it is, and shows what was missed without a reload', async () => {
    const page = await openTab()
    await app.agent.prompt('Hello', { user: 'Before' })
    await row(page, 'Before').waitFor()
    const notice = page.getByText('No connection to the service.')
    assert.equal(await notice.count(), 0)
    await page.context().setOffline(true)
    try {
      await notice.waitFor()
      for (const user of ['Missed 1', 'Missed 2']) await app.agent.prompt('Hello', { user })
    } finally {
      await page.context().setOffline(false)
    }
    for (const user of ['Missed 1', 'Missed 2']) await row(page, user).waitFor()
    await notice.waitFor({ state: 'hidden' })
    await page.close()
  })

  it('shows all of a hundred conversations that come at once', async () => {
    const page = await openTab()
    await page.goto(own.at('inbox?tag=crowd:1'))
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    const prompts = Array.from({ length: 100 }, (_, at) =>
      app.agent.prompt('A crowd', { user: `Crowd ${at}`, tags: { crowd: 1 } }),
    )
    await Promise.all(prompts)
    await until(page, 'document.querySelector(".inbox-item")?.getAttribute("aria-setsize") === "100"')
    await page.close()
  })

  it('counts in the title of the tab who waits', async () => {
    const page = await openTab()
    const { conversation_id } = await app.agent.prompt('A person, quickly', { user: 'Waiting' })
    await app.agent.post(`/conversations/${conversation_id}/wait`, { reason: 'asked' })
    await until(page, '/^\\(\\d+\\) Inbox · Test agent · Parley$/.test(document.title)')
    await page.close()
  })

  it('makes one sound of a burst, also for conversations of nobody, once it is switched on', async () => {
    const page = await own.page.context().newPage()
    await page.addInitScript(`
      globalThis.sounds = 0
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...when) { globalThis.sounds++; return start.apply(this, when) }
    `)
    await page.goto(own.at('settings/account'))
    await page.getByLabel('A sound for new messages and for conversations that wait').check({ force: true })
    await until(page, 'globalThis.sounds === 2')
    await page.goto(own.at('inbox'))
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    await page.waitForLoadState('load')
    await until(page, 'document.title.startsWith("(")')
    // However long it takes here, the page hears it at one moment.
    await page.clock.setFixedTime(Date.now())
    const burst = ['Burst 1', 'Burst 2', 'Burst 3']
    await Promise.all(burst.map((user) => app.agent.prompt('Hello', { user })))
    for (const user of burst) await row(page, user).waitFor()
    // One sound has two tones.
    await until(page, 'globalThis.sounds === 2')
    await page.close()
  })

  it('is refused in a frame of another page', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<iframe src="${own.at('inbox')}"></iframe>`)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    try {
      const page = await browser.newPage()
      const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()))
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
      await refused
      const framed = page.frames()[1]
      assert.equal(await framed?.locator('#root').count(), 0)
      await page.close()
    } finally {
      other.close()
    }
  })
})
