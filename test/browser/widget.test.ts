import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openPage } from '../support/chromium.ts'
import { startSite } from '../support/start-site.ts'
import { sendFile } from '../support/upload.ts'
import { asVisit, type Visit } from '../support/widget.ts'
import { startWidgetSite } from '../support/widget-site.ts'

const settings = {
  look: { title: 'Example shop' },
  texts: {
    en: {
      greeting: 'Ask about orders.',
      suggestions: ['Where is my parcel?', 'Two', 'Three', 'Four'],
      footer: 'Imprint',
      footer_url: 'https://shop.example/imprint',
    },
  },
}

describe('widget', async () => {
  const { app, model, browser, widget } = await startSite({ settings })
  const visit = await widget.visit(browser)

  const nothingWrong = () => assert.deepEqual(visit.faults.splice(0), [])

  it('asks for one file and stores nothing before it is opened', async () => {
    const own = await openPage(browser, [app.url, widget.site.origin])
    const asked: string[] = []
    own.page.on('request', (request) => asked.push(request.url()))
    await own.page.goto(widget.site.origin)
    await asVisit(own).launcher.waitFor()
    await own.page.waitForLoadState('networkidle')
    assert.deepEqual(
      asked.filter((url) => url.startsWith(app.url)),
      [`${app.url}/widget.js`],
    )
    assert.deepEqual(
      await own.page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]'),
      ['', 0, 0],
    )
    assert.deepEqual(await own.page.evaluate('Object.keys(window).filter((name) => /parley/i.test(name))'), [
      'Parley',
    ])
    assert.deepEqual(own.faults, [])
    await own.close()
  })

  it('shows greeting and three suggestions, and focuses the input', async () => {
    await visit.open()
    assert.equal(await visit.page.locator('.greeting .text').textContent(), 'Ask about orders.')
    assert.deepEqual(await visit.page.locator('.suggestion').allTextContents(), [
      'Where is my parcel?',
      'Two',
      'Three',
    ])
    assert.equal(await focused(visit), 'TEXTAREA')
    nothingWrong()
  })

  it('streams an answer into its place, and keeps it when it is whole', async () => {
    const feed = model.feed()
    await visit.ask('Where is my parcel?')
    await visit.page.locator('.entry.user', { hasText: 'Where is my parcel?' }).waitFor()
    feed.push('It left **our')
    await visit.answer('It left **our')
    feed.push(' store** yesterday, see [tracking](https://shop.example/track).')
    feed.end()
    await visit.page.locator('.entry.assistant strong', { hasText: 'our store' }).waitFor()
    await visit.page.locator('.rate').waitFor()
    assert.equal(await visit.page.locator('.entry.user').count(), 1)
    assert.equal(await visit.page.locator('.entry.assistant').count(), 1)
    nothingWrong()
  })

  it('says a finished answer to screen readers once, and no piece of it', async () => {
    const said = await visit.page.locator('[role=status].hidden').textContent()
    assert.match(said ?? '', /^AI agent: It left .*tracking/)
    assert.equal(await visit.page.getByRole('log').getAttribute('aria-live'), 'off')
  })

  it('likes, finds fault, reports, and counts what is clicked', async () => {
    await visit.button('Helpful').click()
    await visit.page.locator('[aria-label=Helpful][aria-pressed=true]').waitFor()
    await visit.button('Report').click()
    await visit.page.getByLabel('What is wrong with this answer?').fill('It is old')
    await visit.page.locator('.card').getByRole('button', { name: 'Send' }).click()
    await visit.page.getByText('Thank you.').waitFor()
    await visit.page.evaluate(`document.addEventListener('click', (event) => event.preventDefault())`)
    await visit.page.getByRole('link', { name: 'tracking' }).click()
    await visit.page.getByRole('link', { name: 'Imprint' }).click()
    const { id } = await newestCompletion()
    const completion = await eventually(async () => {
      const { body } = await app.agent.call('GET', `/chat/completions/${id}`)
      return body.data.liked === true && body.data.flagged ? body.data : null
    })
    assert.equal(completion.flag_reason, 'It is old')
    nothingWrong()
  })

  it('brings draft and history back after a reload', async () => {
    await visit.input.fill('Not sent yet')
    await visit.page.reload()
    await visit.open()
    assert.equal(await visit.input.inputValue(), 'Not sent yet')
    await visit.page.locator('.entry.assistant strong', { hasText: 'our store' }).waitFor()
    assert.equal(await visit.page.locator('.entry.user').count(), 1)
    await visit.input.fill('')
    nothingWrong()
  })

  it('hands over to a person in two actions, shows their answers live, and goes back to the agent', async () => {
    // It has words, not only a sign that one must know.
    assert.equal(await visit.button('Talk to a person').textContent(), 'Talk to a person')
    await visit.button('Talk to a person').click()
    await visit.page.locator('.bar').getByRole('button', { name: 'Talk to a person' }).click()
    await visit.page.getByText('A person will answer here.').waitFor()
    const { conversation_id: id } = await newestCompletion()
    assert.equal((await app.agent.call('POST', `/conversations/${id}/pause`)).status, 200)
    await app.agent.call('POST', `/conversations/${id}/typing`, { author: 'Grace Hopper' })
    await visit.page.getByText('Grace is writing').waitFor()
    const content = 'I had a look: it is in **Hamburg**.'
    const said = await app.agent.call('POST', `/conversations/${id}/messages`, {
      content,
      author: 'Grace Hopper',
    })
    assert.equal(said.status, 200, said.text)
    await visit.page.locator('.entry.operator', { hasText: 'it is in Hamburg' }).waitFor()
    assert.equal(await visit.page.locator('.entry.operator .speaker bdi').textContent(), 'Grace')
    const grace = visit.page.locator('.status', { hasText: 'Grace answers' })
    await grace.waitFor()
    assert.equal(await visit.page.getByText('A person will answer').count(), 0)
    await sendFile(app.agent, id, 'bill.txt', 'Twenty euros', { author: 'Grace Hopper' })
    const saved = visit.page.waitForEvent('download')
    await visit.button('bill.txt').click()
    assert.equal(await readFile(await (await saved).path(), 'utf8'), 'Twenty euros')
    // Who writes on waits for somebody who is there already, also while the agent is paused everywhere.
    await app.agent.call('POST', '/pause')
    await visit.ask('Thank you')
    await becomes(
      async () => (await app.agent.call('GET', `/inbox/${id}`)).body.data.waiting_reason,
      'paused',
    )
    await visit.page.setViewportSize({ width: 390, height: 800 })
    await visit.page.reload()
    await visit.open()
    await grace.waitFor()
    assert.equal(await visit.page.getByText('A person will answer').count(), 0)
    await visit.page.setViewportSize({ width: 1280, height: 800 })
    await app.agent.call('POST', '/resume')
    assert.equal((await app.agent.call('POST', `/conversations/${id}/resume`)).status, 200)
    await visit.page.locator('.status', { hasText: 'An AI agent answers' }).waitFor()
    model.next({ text: 'The agent is back.' })
    await visit.ask('And now?')
    await visit.answer('The agent is back.')
    nothingWrong()
  })

  it('ends after a question, takes a rating, and begins anew', async () => {
    await visit.button('End or start anew').click()
    await visit.button('End it').click()
    await visit.page.getByText('This conversation has ended.').waitFor()
    await app.agent.call('POST', '/pause')
    await visit.page.reload()
    await visit.open()
    await visit.page.getByText('This conversation has ended.').waitFor()
    assert.equal(await visit.page.getByText('A person will answer').count(), 0)
    await app.agent.call('POST', '/resume')
    await visit.page.getByLabel('4 of 5').check()
    await visit.page.getByLabel('Anything to add?').fill('Quick')
    await visit.page.locator('.card').getByRole('button', { name: 'Send' }).click()
    await visit.page.getByText('Thank you.').waitFor()
    await visit.button('New conversation').click()
    await visit.page.locator('.suggestion').first().waitFor()
    assert.equal(await visit.page.locator('.entry').count(), 0)
    model.next({ text: 'A new beginning.' })
    await visit.page.locator('.suggestion').first().click()
    await visit.answer('A new beginning.')
    assert.equal(await visit.page.locator('.entry').count(), 2)
    nothingWrong()
  })

  it('offers a person under a question without an answer, in one press', async () => {
    model.next({ text: '' })
    await visit.ask('Who invented the wheel?')
    const offer = visit.page.locator('.thread').getByRole('button', { name: 'Talk to a person' })
    await offer.waitFor()
    assert.equal(await visit.page.getByText('A person will answer').count(), 0)
    await offer.click()
    await visit.page.getByText('A person will answer here.').waitFor()
    await offer.waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('says so when no answer comes, and asks again', async () => {
    model.next({ status: 500 })
    await visit.ask('Will this fail?')
    await visit.page.getByText('The answer did not come.').waitFor()
    model.next({ text: 'Now it worked.' })
    await visit.button('Ask again').click()
    await visit.answer('Now it worked.')
    visit.faults.length = 0
  })

  it('says plainly that it is switched off, and works again when it is not', async () => {
    await app.agent.call('PATCH', `/widgets/${widget.id}`, { active: false })
    await visit.page.getByText('This chat is not available at the moment.').waitFor()
    await app.agent.call('PATCH', `/widgets/${widget.id}`, { active: true })
    await visit.button('Close the chat').click()
    await visit.launcher.click()
    await visit.page.locator('.greeting, .thread .button').first().waitFor()
    visit.faults.length = 0
  })

  it('tells a page that is not allowed', async () => {
    const other = await startWidgetSite(app.url, { 'data-key': widget.publicKey })
    const own = await openPage(browser, [app.url, other.origin])
    await own.page.goto(other.origin)
    await asVisit(own).launcher.click()
    await own.page.getByText('This chat is not available on this page.').waitFor()
    await own.close()
    await other.close()
  })

  async function newestCompletion(): Promise<{ id: string; conversation_id: string }> {
    const { body } = await app.agent.call('GET', '/chat/completions?per_page=1')
    return body.data[0]
  }
})

function focused({ page }: Visit): Promise<string> {
  return page.evaluate(`document.querySelector('parley-chat').shadowRoot.activeElement?.tagName ?? ''`)
}

/** Asks until something is there. */
async function eventually<Value>(ask: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (value !== null) return value
  }
}
