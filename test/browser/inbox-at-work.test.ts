import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openLive } from '../support/live-stream.ts'
import { startConsoleWithModel } from '../support/start-console.ts'

/** A name that turns the direction of what follows, and tries to end its own isolation. */
const TURNED = 'Eve \u2069\u202E gnp.exe'

describe('what people do all day in the inbox', async () => {
  const { app, model, own, page, button } = await startConsoleWithModel({
    right: 'manage',
    called: 'Ada Lovelace',
  })
  afterEach(async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(own.faults.splice(0), [])
  })

  const thread = () => page.getByRole('log', { name: 'What was said' })
  const prompt = async (user: string, content = 'Hello there') =>
    (await app.agent.prompt(content, { user })).conversation_id as string
  const conversation = async (id: string) => (await app.agent.get(`/conversations/${id}`)).body.data
  const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height ?? 0

  it('keys work on the open conversation, which the list does not show', async () => {
    const first = await prompt('Grace')
    const second = await prompt('Linus')
    // Nothing matches the filter.
    await page.goto(own.at(`inbox/${first}?tag=none:such`))
    await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
    await thread().getByText('Hello there').first().waitFor()
    await page.keyboard.press('o')
    await becomes(async () => (await conversation(first)).agent_paused, true)
    await button('Hand back to the agent').waitFor()
    // Who takes over writes next: keys are letters until they leave the field.
    const field = page.getByRole('textbox', { name: 'Answer' })
    await field.and(page.locator(':focus')).waitFor()
    await field.press('Escape')
    await page.keyboard.press('b')
    await becomes(async () => (await conversation(first)).agent_paused, false)
    await button('Take over').waitFor()
    await page.keyboard.press('e')
    await becomes(async () => (await conversation(first)).ended_at !== null, true)
    assert.equal((await conversation(second)).ended_at, null)
  })

  it('keys work on the conversation that a key has opened, not on the row that was left', async () => {
    const below = await prompt('Barbara')
    const above = await prompt('Katherine')
    await page.goto(own.at('inbox'))
    await page.locator('.inbox-row', { hasText: 'Katherine' }).click()
    await thread().waitFor()
    await page.keyboard.press('j')
    await page.waitForURL(new RegExp(below))
    await page.locator('.inbox-row[aria-current]', { hasText: 'Barbara' }).waitFor()
    await page.keyboard.press('e')
    await becomes(async () => (await conversation(below)).ended_at !== null, true)
    assert.equal((await conversation(above)).ended_at, null)
  })

  it('a thread that is opened in the middle of an answer shows all of it', async () => {
    const conversation_id = await prompt('Alan')
    // Somebody listens, so that pieces are told as they come.
    const live = await openLive(`${app.url}/api/v1/live`, app.agent.headers)
    const feed = model.feed()
    feed.push('The first part, ')
    const asked = app.agent.post('/chat/completions', {
      conversation_id,
      stream: true,
      messages: [{ role: 'user', content: 'go on' }],
    })
    await live.nextOf('message_delta')
    // The stream of the page opens so late that it misses what is told again for its thread.
    const isLive = (url: URL) => url.pathname.endsWith('/live')
    await page.route(isLive, async (route) => {
      await live.nextOf('message_delta')
      await route.continue()
    })
    await page.goto(own.at(`inbox/${conversation_id}`))
    const streamed = thread().locator('[data-streamed]')
    await streamed.getByText('The first part,').waitFor()
    feed.push('the second, ')
    feed.push('the third.')
    await streamed.getByText('The first part, the second, the third.').waitFor()
    feed.end()
    await asked
    await streamed.waitFor({ state: 'detached' })
    await becomes(() => thread().getByText('The first part, the second, the third.').count(), 1)
    await page.unroute(isLive)
    live.leave()
  })

  it('a search hit shows the name, and its thread marks what was found, in a message and in a note', async () => {
    const id = await prompt('customer-7', 'My kettle is broken')
    await app.agent.call('PATCH', '/users/customer-7', { name: 'Grace Hopper' })
    await app.agent.post(`/conversations/${id}/notes`, { text: 'Promised a new kettle' })
    for (const kind of ['messages', 'notes']) {
      await page.goto(own.at(`search?q=kettle${kind === 'notes' ? '&in=notes' : ''}`))
      await page.locator('.search-hit', { hasText: 'Grace Hopper' }).first().click()
      await thread().locator('[data-found]', { hasText: 'kettle' }).waitFor()
      const marked = `[...(CSS.highlights.get('found') ?? [])].map(String)`
      await becomes(() => page.evaluate<string[]>(marked), ['kettle'])
    }
  })

  it('"Send" is inside the window, however low it is and whatever stands above it', async () => {
    const id = await prompt('Ida')
    await app.agent.post(`/conversations/${id}/pause`)
    assert.equal((await app.agent.post('/pause')).status, 200)
    await page.goto(own.at(`inbox/${id}`))
    await page
      .getByText(/is paused/)
      .first()
      .waitFor()
    const field = page.getByRole('textbox', { name: 'Answer' })
    await field.fill(Array.from({ length: 30 }, (_, line) => `line ${line} {user.nothing}`).join('\n'))
    for (const [width, height] of [
      [1280, 800],
      [1280, 600],
      [1280, 420],
      [390, 800],
      [390, 360],
    ] as const) {
      await page.setViewportSize({ width, height })
      await becomes(async () => {
        const box = await page.locator('.composer button[type="submit"]').boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= height
      }, true)
    }
    await field.fill('')
    assert.equal((await app.agent.post('/resume')).status, 200)
  })

  it('Settings stay in sight in the side bar of a window of 800 pixels, in the inbox', async () => {
    await page.goto(own.at('inbox'))
    const settings = page.getByRole('navigation').getByRole('link', { name: 'Settings' })
    await settings.waitFor()
    const box = await settings.boundingBox()
    const pause = await button('Pause the agent').boundingBox()
    assert.ok(box && pause && box.y + box.height <= pause.y, JSON.stringify({ box, pause }))
  })

  it('what stands above the list and above a thread takes at most 100 pixels of a phone', async () => {
    const id = await prompt('Somebody with a very long name that goes on and on')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(own.at('inbox'))
    await page.locator('.inbox-row').first().waitFor()
    const list = await page.locator('.inbox-scroll').boundingBox()
    assert.ok(list && list.y <= 100, `the list begins at ${list?.y}`)
    await page.goto(own.at(`inbox/${id}`))
    await thread().getByText('Hello there').first().waitFor()
    await button('End').waitFor()
    const begins = await page.locator('.thread').boundingBox()
    assert.ok(begins && begins.y <= 100, `the thread begins at ${begins?.y}`)
    assert.ok((await heightOf('.thread')) > 400)
  })

  it('earlier conversations are those before it, and all of them', async () => {
    const ids: string[] = []
    for (let count = 0; count < 14; count++) ids.push(await prompt('Mary'))
    await page.goto(own.at(`inbox/${ids[12]}`))
    await page.getByText('12 earlier conversations').waitFor()
    const links = page.locator('.earlier a')
    await becomes(() => links.count(), 10)
    await page.locator('.conversation-details').getByRole('button', { name: 'More' }).click()
    await becomes(() => links.count(), 12)
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    assert.deepEqual(
      hrefs.map((href) => ids.findIndex((id) => href.includes(id))),
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    )
  })

  it('a name that turns the direction turns nothing but itself', async () => {
    const id = await prompt('Turned')
    await app.agent.call('PATCH', '/users/Turned', { name: TURNED })
    await app.agent.post(`/conversations/${id}/notes`, { text: 'A note' })
    await app.agent.call('PATCH', `/conversations/${id}`, { tags: { [TURNED]: 'x' } })
    await page.goto(own.at(`inbox/${id}`))
    await thread().getByText('A note').waitFor()
    // Each text node: the sign stands in an element of its own, or between the signs that isolate it.
    const leaks = `(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found = []
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const text = node.nodeValue
        if (!text.includes('\\u202E') || node.parentElement.closest('bdi, script')) continue
        const rest = text.replace(/\\u2068[^\\u2066-\\u2069]*\\u2069/g, '')
        if (rest.includes('\\u202E')) found.push(node.parentElement.outerHTML)
      }
      return found
    })()`
    await page.locator('.inbox-row', { hasText: 'gnp.exe' }).waitFor()
    assert.deepEqual(await page.evaluate(leaks), [])
  })
})
