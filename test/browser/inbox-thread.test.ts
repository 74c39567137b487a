import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { becomes, settled } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide, showIn } from '../support/chromium.ts'
import { startConsoleWithModel } from '../support/start-console.ts'

describe('the thread of the inbox', async () => {
  const { app, model, own, page, button, nothingWrong } = await startConsoleWithModel({
    right: 'manage',
    called: 'Ada Lovelace',
  })
  afterEach(nothingWrong)

  const thread = () => page.getByRole('log', { name: 'What was said' })
  const open = async (conversation: string, query = '') => {
    await page.goto(own.at(`inbox/${conversation}${query}`))
    await thread().waitFor()
  }
  const say = (conversation: string, content: string) =>
    app.agent.post(`/conversations/${conversation}/messages`, { content, author: 'Grace' })

  /** Adds many messages to a conversation, a minute apart, `n 1` and so on. */
  async function fill(conversation: string, count: number): Promise<void> {
    const { db } = app.app.foundation.database
    const first = Date.parse('2026-01-01T12:00:00.000Z')
    for (let from = 1; from <= count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from + 1) }, (_, index) => ({
        agent_id: app.agent.agentId,
        conversation_id: conversation,
        completion_id: null,
        role: 'user' as const,
        content: JSON.stringify(`n ${from + index}`),
        tool_calls: null,
        tool_call_id: null,
        author: null,
        created_at: new Date(first + (from + index) * 60_000).toISOString(),
        redacted: null,
      }))
      await db.insertInto('messages').values(rows).execute()
    }
  }

  it('shows what a mail quotes once somebody asks for it, and never as HTML', async () => {
    model.answer = { text: 'the answer' }
    const { conversation_id } = await app.agent.prompt('And on Sunday?')
    const quoted = '> At nine\n> <b>The shop</b>'
    const { db } = app.app.foundation.database
    const ofUser = db.updateTable('messages').set({ quoted }).where('role', '=', 'user')
    await ofUser.where('conversation_id', '=', conversation_id).execute()
    await open(conversation_id)
    const text = thread().getByText('<b>The shop</b>')
    assert.equal(await text.count(), 0)
    await button('Show quoted text').click()
    await text.waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Hide quoted text').click()
    await text.waitFor({ state: 'detached' })
  })

  it('says where a message went by mail, and that it did not arrive', async () => {
    model.answer = { text: 'It comes at noon.' }
    const { conversation_id } = await app.agent.prompt('When?')
    const { db } = app.app.foundation.database
    const put = (delivery: 'sent' | 'failed') =>
      db
        .updateTable('messages')
        .set({
          delivery,
          delivery_reason: 'rejected',
          mailed_to: 'anna@example.org',
          mailed_at: new Date().toISOString(),
        })
        .where('role', '=', 'assistant')
        .where('conversation_id', '=', conversation_id)
        .execute()
    await put('sent')
    await open(conversation_id)
    await thread().getByText('sent by mail to anna@example.org, now').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await put('failed')
    await page.reload()
    await thread().getByText('not delivered: the platform refused it').waitFor()
    await thread().getByText('by mail to anna@example.org, now', { exact: true }).waitFor()
  })

  it('opens 10,000 messages at their end, and goes to the first, to a day and to a hit by reading only their pages', async () => {
    model.answer = { text: 'the answer' }
    const { conversation_id } = await app.agent.prompt('begin')
    await fill(conversation_id, 10_000)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/timeline')) asked.push(request.url())
    })
    await open(conversation_id)
    await thread().getByText('n 10000', { exact: true }).waitFor()
    // A page may be asked for again, such as when the stream has connected.
    assert.ok(new Set(asked).size <= 3, asked.join('\n'))
    await button('Go to another part').click()
    await button('To the first message').click()
    await thread().getByText('begin', { exact: true }).waitFor()
    assert.ok(await thread().getByText('begin', { exact: true }).isVisible())
    await button('Go to another part').click()
    await page.getByLabel('To a day').fill('2026-01-04')
    await thread()
      .locator('.day-line')
      .filter({ hasText: /January.*\b4\b|\b4\b.*January/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    const { body } = await app.agent.get(`/conversations/${conversation_id}/messages?per_page=100&page=20`)
    const hit = body.data[50]
    await open(conversation_id, `?message=${hit.id}`)
    await thread().getByText(hit.content, { exact: true }).waitFor()
    assert.ok(await thread().getByText(hit.content, { exact: true }).isVisible())
    assert.ok(asked.length < 25, `${asked.length} pages were read`)
    assert.doesNotMatch(page.url(), /message=/)
    await button('To the newest message').click()
    await thread().getByText('n 10000', { exact: true }).waitFor()
  })

  describe('a jump', () => {
    const TIMELINE = '**/timeline?*'
    const error = { code: 'unavailable', message: 'Not now.', param: null }
    const refuse = (route: Route) => route.fulfill({ status: 503, json: { error } })
    const refused = () => page.getByRole('alert').getByText('The service cannot take this request')
    const jump = async (to: string) => {
      await button('Go to another part').click()
      await page.getByRole('dialog').getByRole('button', { name: to }).click()
    }

    it('that fails says so, and keeps the address that asks for it', async () => {
      const { conversation_id } = await app.agent.prompt('begin')
      await fill(conversation_id, 200)
      await open(conversation_id)
      await thread().getByText('n 200', { exact: true }).waitFor()
      await page.route(TIMELINE, refuse)
      await jump('To the first message')
      await refused().waitFor()
      const { body } = await app.agent.get(`/conversations/${conversation_id}/messages?per_page=10`)
      const hit = body.data[5]
      await open(conversation_id, `?message=${hit.id}`)
      await refused().first().waitFor()
      await page.unrouteAll()
      await page.reload()
      await thread().getByText(hit.content, { exact: true }).waitFor()
      await page.waitForURL((url) => !url.search.includes('message'))
    })

    it('that a later one has overtaken changes nothing', async () => {
      const { conversation_id } = await app.agent.prompt('begin')
      await fill(conversation_id, 200)
      await open(conversation_id)
      await thread().getByText('n 200', { exact: true }).waitFor()
      // The first page has no cursor, unlike the pages that are read aside.
      const start = /timeline\?(?!.*cursor=).*order=asc/
      const held = new Promise<Route>((hold) => void page.route(start, hold, { times: 1 }))
      await jump('To the first message')
      const first = await held
      const answered = page.waitForEvent('requestfinished', (request) => request === first.request())
      const later = page.waitForResponse(TIMELINE)
      await jump('To the newest message')
      await later
      await first.continue()
      await answered
      assert.match(String(await settled(() => thread().textContent())), /n 200/)
    })
  })

  it('reads earlier pages on the way up, keeps the place, and holds no more than some hundred lines', async () => {
    const { conversation_id } = await app.agent.prompt('begin')
    await fill(conversation_id, 1000)
    await open(conversation_id)
    await thread().getByText('n 1000', { exact: true }).waitFor()
    await becomes(async () => {
      await thread().evaluate((log) => {
        log.scrollTop = Math.min(log.scrollTop, 600)
      })
      return thread().getByText('n 400', { exact: true }).count()
    }, 1)
    await becomes(async () => (await thread().locator('[data-cursor]').count()) <= 300, true)
    // Messages that load now do not move the one that is read.
    await page.waitForLoadState('networkidle')
    await thread().getByText('n 420', { exact: true }).scrollIntoViewIfNeeded()
    await page.waitForLoadState('networkidle')
    const topOf = () =>
      thread()
        .getByText('n 420', { exact: true })
        .evaluate((line) => Math.round(line.getBoundingClientRect().top))
    const before = await settled(topOf)
    await say(conversation_id, 'while you read')
    await page.locator('.inbox-row').getByText('while you read').waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(Math.abs((await settled(topOf)) - before) <= 2)
    await button('To the newest message').click()
    await thread().getByText('while you read').waitFor()
    await button('To the newest message').waitFor({ state: 'hidden' })
  })

  it('shows an answer while it is made, then once, and follows only who is at the end', async () => {
    model.answer = { text: 'a word' }
    const { conversation_id } = await app.agent.prompt('begin')
    await open(conversation_id)
    await thread().getByText('a word').waitFor()
    const feed = model.feed()
    feed.push('The first part, ')
    const asked = app.agent.post('/chat/completions', {
      conversation_id,
      stream: true,
      messages: [{ role: 'user', content: 'go on' }],
    })
    const streamed = thread().locator('[data-streamed]')
    await streamed.getByText('The first part,').waitFor()
    feed.push('and the second.')
    feed.end()
    await asked
    await thread().getByText('The first part, and the second.').waitFor()
    await streamed.waitFor({ state: 'detached' })
    await becomes(() => thread().getByText('The first part, and the second.').count(), 1)
  })

  it('marks what is new since it was last read', async () => {
    const { conversation_id } = await app.agent.prompt('begin')
    const read = page.waitForResponse((response) => response.url().endsWith(`/${conversation_id}/read`))
    await open(conversation_id)
    await thread().getByText('begin').waitFor()
    await read
    await page.goto(own.at('knowledge'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await say(conversation_id, 'said meanwhile')
    await open(conversation_id)
    await thread().getByText('said meanwhile').waitFor()
    const line = thread().locator('[data-cursor]').filter({ hasText: 'said meanwhile' })
    await line.getByText('New', { exact: true }).waitFor()
    await becomes(() => thread().getByText('New', { exact: true }).count(), 1)
  })

  it('a source opens the passage that was used; a copy names the sources; the trace can be copied', async () => {
    await app.agent.post('/knowledge', {
      title: 'Delivery',
      content: 'Delivery takes two to four working days.',
      url: 'https://shop.example.com/delivery',
    })
    model.answer = { text: 'It takes two to four days [1].' }
    const { conversation_id } = await app.agent.prompt('How long does delivery take?')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(conversation_id)
    await button('Source 1').click()
    await thread().locator('.source[data-wanted]').getByText('two to four working days').waitFor()
    await thread()
      .getByText(/^Trace/)
      .waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Copy the answer with its sources').click()
    await page.getByText('Copied').first().waitFor()
    await becomes(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      'It takes two to four days [1].\n\nSources:\n[1] Delivery – https://shop.example.com/delivery',
    )
  })

  it('copies on a page without HTTPS, too, where browsers have no clipboard for scripts', async () => {
    model.answer = { text: 'Two days.' }
    const { conversation_id } = await app.agent.prompt('How long does it take?')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open(conversation_id)
    await page.evaluate(
      'window.kept = navigator.clipboard; Object.defineProperty(navigator, "clipboard", { value: undefined })',
    )
    await button('Copy the answer with its sources').click()
    await becomes(() => page.evaluate('kept.readText()'), 'Two days.')
    await page.evaluate('document.execCommand = () => false')
    await button('Copy the answer with its sources').click()
    await page.getByRole('alert').waitFor()
    await page.reload()
  })

  it('hands over with the reason and what the agent tried', async () => {
    model.answer = { text: 'It takes two to four days [1].' }
    const { conversation_id } = await app.agent.prompt('How long does delivery take?', { user: 'Lin' })
    await app.agent.post(`/conversations/${conversation_id}/wait`)
    await open(conversation_id)
    const card = page.getByRole('region', { name: 'Waiting', exact: true })
    await card.getByText('Asked for a person').waitFor()
    await card.getByText('two to four working days').waitFor()
    try {
      await showIn(page, 'dark')
      assert.deepEqual(await accessibilityFaults(page), [])
    } finally {
      await showIn(page, 'light')
    }
  })

  it('shows who the user is, changes tags, and folds away with Z', async () => {
    await app.agent.prompt('before', { user: 'lin-1' })
    const { conversation_id } = await app.agent.prompt('begin', {
      user: 'lin-1',
      page_url: 'https://shop.example.com/orders/7',
      tags: { plan: 'gold' },
    })
    await app.agent.patch('/users/lin-1', { name: 'Lin', attributes: { city: 'Graz' } })
    await open(conversation_id)
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByText('Graz').waitFor()
    await details.getByText('https://shop.example.com/orders/7').waitFor()
    await details.getByText('1 earlier conversation').waitFor()
    await details.getByLabel('Add a tag').first().fill('mood: bad')
    await page.keyboard.press('Enter')
    await details.getByText('mood: bad').waitFor()
    await details.getByRole('button', { name: 'Remove the tag plan' }).click()
    await details.getByText('plan: gold').waitFor({ state: 'hidden' })
    await becomes(async () => (await app.agent.get(`/conversations/${conversation_id}`)).body.data.tags, {
      mood: 'bad',
    })
    assert.deepEqual(await accessibilityFaults(page), [])
    assert.equal(await isTooWide(page), false)
    await thread().click()
    await page.keyboard.press('z')
    await details.waitFor({ state: 'hidden' })
    await page.reload()
    await thread().getByText('begin').waitFor()
    await becomes(() => details.count(), 0)
    await page.keyboard.press('z')
    await details.waitFor()
  })
})
