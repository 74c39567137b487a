import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { startSite } from '../support/start-site.ts'
import { startWidget, type TestWidget, type Visit } from '../support/widget.ts'

const settings = {
  texts: { en: { greeting: 'Hello', footer: 'Privacy', footer_url: 'https://shop.example/privacy' } },
}
const source = {
  type: 'url_citation',
  url_citation: { url: 'https://shop.example/returns', title: 'Returns', content: 'Within 30 days.' },
}

describe('what visitors click', async () => {
  const { app, model, browser } = await startSite()

  /** A visitor of a widget of its own, whose links lead nowhere. */
  async function begin(): Promise<{ agent: TestAgent; widget: TestWidget; visit: Visit }> {
    const agent = await app.addAgent()
    const widget = await startWidget(app.url, agent, { settings })
    const visit = await widget.visit(browser)
    await visit.page.evaluate(`document.addEventListener('click', (event) => event.preventDefault())`)
    return { agent, widget, visit }
  }

  /** Waits until an agent's clicks of one kind are as many. */
  async function counted(agent: TestAgent, key: string, count: number): Promise<void> {
    const { db } = app.app.foundation.database
    const clicks = db
      .selectFrom('events')
      .select('id')
      .where('agent_id', '=', agent.agentId)
      .where('key', '=', key)
    await becomes(async () => (await clicks.execute()).length, count)
  }

  it('a call to action leads to its page, and each click on it is counted', async () => {
    const { agent, widget, visit } = await begin()
    const made = await agent.post('/ctas', {
      name: 'Track a parcel',
      content: 'See **where** it is',
      button: 'Track it',
      url: 'https://shop.example/orders',
      condition: { field: 'prompt.text', op: 'contains', value: 'parcel' },
    })
    assert.equal(made.status, 201, made.text)
    await visit.open()
    await visit.ask('Where is my parcel?')
    const link = visit.page.getByRole('link', { name: 'Track it' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), 'https://shop.example/orders')
    assert.deepEqual(
      [await link.getAttribute('target'), await link.getAttribute('rel')],
      ['_blank', 'noopener noreferrer'],
    )
    await visit.page.locator('.cta strong', { hasText: 'where' }).waitFor()
    await link.click()
    await counted(agent, 'cta_click', 1)
    await link.click()
    await counted(agent, 'cta_click', 2)
    await visit.page.reload()
    await visit.open()
    await link.waitFor()
    assert.deepEqual(visit.faults, [])
    await visit.close()
    await widget.site.close()
  })

  it('a source unfolds its passage under the answer, and is counted when it opens', async () => {
    const { agent, widget, visit } = await begin()
    model.next({ pieces: [{ content: 'You have 30 days [1].', annotations: [source] }] })
    await visit.open()
    await visit.ask('How long may I return it?')
    const inText = visit.page.locator('.text .source')
    const below = visit.page.locator('.sources .source', { hasText: 'Returns' })
    await below.waitFor()
    await inText.click()
    await visit.page.locator('.passage', { hasText: 'Within 30 days.' }).waitFor()
    await visit.page.locator('.sources .source[aria-expanded=true]').waitFor()
    const page = visit.page.getByRole('link', { name: 'Open the page' })
    assert.equal(await page.getAttribute('href'), 'https://shop.example/returns')
    await below.click()
    await visit.page.locator('.passage').waitFor({ state: 'detached' })
    await counted(agent, 'attribution_click', 1)
    await below.click()
    await visit.page.locator('.passage').waitFor()
    await counted(agent, 'attribution_click', 2)
    assert.deepEqual(visit.faults, [])
    await visit.close()
    await widget.site.close()
  })

  it("the footer's link is there from the beginning, and is counted once there is an answer", async () => {
    const { agent, widget, visit } = await begin()
    await visit.open()
    const footer = visit.page.getByRole('link', { name: 'Privacy' })
    assert.equal(await footer.getAttribute('href'), 'https://shop.example/privacy')
    await footer.click()
    await visit.ask('Hello?')
    await visit.page.locator('.rate').waitFor()
    await footer.click()
    await counted(agent, 'footer_click', 1)
    assert.deepEqual(visit.faults, [])
    await visit.close()
    await widget.site.close()
  })

  it('who sends too much reads when the message leaves, and keeps it', async () => {
    const { agent, widget, visit } = await begin()
    await agent.post('/pause')
    await visit.open()
    for (let count = 1; count <= 20; count++) await visit.ask(`Message ${count}`)
    await visit.page.locator('.entry.user').nth(19).waitFor()
    await visit.ask('One too many')
    const bar = visit.page.locator('.bar', { hasText: /^Many messages at once\. Yours is sent in \d+ s\.$/ })
    await bar.waitFor()
    await visit.page
      .locator('.entry.user', { hasText: 'One too many' })
      .locator('.state', { hasText: 'Waiting' })
      .waitFor()
    // A page later it still waits.
    await visit.page.reload()
    await visit.open()
    await bar.waitFor()
    await visit.page.locator('.entry.user', { hasText: 'One too many' }).waitFor()
    const { body } = await agent.get('/chat/completions?per_page=1')
    assert.equal(body.total, 20)
    await visit.close()
    await widget.site.close()
  })

  it('when its time has come it is sent, once', async () => {
    const { agent, widget, visit } = await begin()
    await visit.open()
    let refusals = 0
    await visit.page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST' || refusals++ > 0) return route.continue()
      return route.fulfill({
        status: 429,
        headers: {
          'access-control-allow-origin': widget.site.origin,
          'access-control-expose-headers': 'retry-after',
          'retry-after': '6',
        },
        json: { error: { code: 'rate_limited' } },
      })
    })
    await visit.ask('Patience')
    const bar = visit.page.locator('.bar')
    await bar.getByText(/Yours is sent in [1-5] s\./).waitFor()
    // Screen readers say the time once, and skip the countdown.
    const status = visit.page.locator('[role=status].hidden')
    assert.equal(await status.textContent(), 'Many messages at once. Yours is sent in 6 s.')
    assert.equal(
      await visit.page
        .getByRole('status')
        .getByText(/Yours is sent/)
        .count(),
      1,
    )
    assert.equal(await bar.ariaSnapshot(), '')
    await visit.answer('Patience')
    await bar.waitFor({ state: 'detached' })
    const { body } = await agent.get('/chat/completions')
    assert.equal(body.total, 1)
    await visit.close()
    await widget.site.close()
  })

  it('what the service refuses comes back into the field, beside what is there', async () => {
    const { agent, widget, visit } = await begin()
    await visit.open()
    const refuse = Promise.withResolvers<void>()
    await visit.page.route(
      '**/messages',
      async (route) => {
        await refuse.promise
        return route.fulfill({ ...answerTo(widget, 400), json: { error: { code: 'invalid_request' } } })
      },
      { times: 2 },
    )
    await visit.ask('First')
    await visit.ask('Second')
    await visit.input.fill('Third')
    refuse.resolve()
    await visit.page.getByRole('alert').waitFor()
    await becomes(() => visit.input.inputValue(), 'Second\nFirst\nThird')
    await visit.page.reload()
    await visit.open()
    assert.equal(await visit.input.inputValue(), 'Second\nFirst\nThird')
    assert.equal((await agent.get('/chat/completions')).body.total, 0)
    await visit.close()
    await widget.site.close()
  })

  it('what a proxy refuses comes back into the field, and does not hold up the next message', async () => {
    const { agent, widget, visit } = await begin()
    await visit.open()
    const refusal = { ...answerTo(widget, 403), body: '<h1>Forbidden</h1>' }
    await visit.page.route('**/messages', (route) => route.fulfill(refusal), { times: 1 })
    await visit.ask('Is this an attack?')
    await becomes(() => visit.input.inputValue(), 'Is this an attack?')
    await visit.ask('It is a question.')
    await visit.answer('It is a question.')
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
    await visit.close()
    await widget.site.close()
  })

  it('what a proxy refuses at the start is asked for again', async () => {
    const { widget, visit } = await begin()
    const refusal = { ...answerTo(widget, 403), body: '<h1>Forbidden</h1>' }
    await visit.page.route('**/sessions?*', (route) => route.fulfill(refusal), { times: 1 })
    await visit.open()
    await visit.ask('Is this an attack?')
    await visit.answer('Is this an attack?')
    await visit.close()
    await widget.site.close()
  })

  it('what a proxy answers while the service is away, or the service at a fault, is tried again', async () => {
    const { agent, widget, visit } = await begin()
    await visit.open()
    const answers = [
      { ...answerTo(widget, 502), body: '<h1>Bad gateway</h1>' },
      { ...answerTo(widget, 500), json: { error: { code: 'internal_error' } } },
    ]
    await visit.page.route('**/messages', (route) => route.fulfill(answers.shift()), { times: 2 })
    await visit.ask('Are you back?')
    await visit.answer('Are you back?')
    assert.deepEqual(answers, [])
    assert.equal(await visit.input.inputValue(), '')
    assert.equal((await agent.get('/chat/completions')).body.total, 1)
    await visit.close()
    await widget.site.close()
  })
})

/** An answer that a page of a site may read, without its body. */
function answerTo({ site }: TestWidget, status: number) {
  return { status, headers: { 'access-control-allow-origin': site.origin } }
}
