import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { assertClean, takeLooks, takePicture } from '../support/looks.ts'
import { calling } from '../support/model-server.ts'
import { startPeer } from '../support/peer.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsoleWithModel } from '../support/start-console.ts'

describe('playground', async () => {
  const { app, model, browser, own, page, nothingWrong } = await startConsoleWithModel({ right: 'read' })
  const { agent } = app
  await agent.post('/knowledge', { title: 'Returns', content: 'Bicycles can be returned within 30 days.' })
  const words = { name: 'Angry words', kind: 'keywords', settings: { words: ['refund'] } }
  const { body } = await agent.post('/evaluators', words)
  const marks = { name: 'Mark anger', on: 'prompt', evaluator_id: body.data.id, action: 'flag' }
  await agent.post('/guardrails', marks)
  await agent.post('/ctas', {
    name: 'Call us',
    content: 'Call us at the shop.',
    condition: {
      all: [
        { field: 'prompt.text', op: 'contains', value: 'bicycle' },
        { field: 'tags.plan', op: 'eq', value: 'gold' },
      ],
    },
  })

  const ask = async (question: string) => {
    await page.getByLabel('Your question').fill(question)
    await page.keyboard.press('Enter')
  }
  const traceOn = (page: Page) => page.getByRole('region', { name: 'How this answer came about' })
  const trace = () => traceOn(page)

  it('is empty at first, and says what it is for', async () => {
    await page.goto(own.at('playground'))
    await page.getByRole('heading', { name: 'Ask the first question' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
  })

  it('answers, and shows the passages, the rules, the request and the figures', async () => {
    model.next({
      text: 'Within **30 days** [1].',
      usage: { prompt_tokens: 90, completion_tokens: 9, total_tokens: 99 },
    })
    await page.getByRole('button', { name: 'As if asked elsewhere' }).click()
    await page.getByLabel('With these tags').first().fill('plan=gold')
    await page.keyboard.press('Enter')
    await ask('Can a bicycle be returned for a refund?')
    await page.getByRole('log').locator('strong', { hasText: '30 days' }).waitFor()
    await page.getByRole('log').getByText('Call us at the shop.').waitFor()
    await page.getByRole('button', { name: /test-model · 99 tokens .* 1 passage · 2 rules acted/ }).waitFor()
    await trace().getByText('Bicycles can be returned within 30 days.').waitFor()
    await trace()
      .getByText(/of the words, score/)
      .waitFor()
    await takePicture(page, 'playground')
    await trace().getByRole('tab', { name: 'Rules (2)' }).click()
    await trace()
      .getByText(/Angry words: found: /)
      .waitFor()
    await trace().getByText('tags.plan is gold').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await trace().getByRole('tab', { name: 'Request' }).click()
    await trace().getByLabel('user', { exact: true }).last().getByText('Can a bicycle be returned').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await trace().getByRole('tab', { name: 'Tokens and time' }).click()
    await trace().getByRole('row', { name: 'Tokens sent 90' }).waitFor()
    const { body } = await app.agent.get('/conversations')
    assert.deepEqual(body.data, [], 'nothing is stored')
    nothingWrong()
  })

  it('tells the model what was said before', async () => {
    const count = model.requests.length
    await ask('And a tandem?')
    await page.getByRole('log').getByText('And a tandem?').first().waitFor()
    const { body } = await model.request(count)
    assert.deepEqual(
      body.messages
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => content)
        .slice(-3, -1),
      ['Can a bicycle be returned for a refund?', 'Within **30 days** [1].'],
    )
    // No question is taken before the one before it is answered.
    await page
      .getByRole('button', { name: /test-model · / })
      .nth(1)
      .waitFor()
    nothingWrong()
  })

  it('shows an answer while it is made', async () => {
    const feed = model.feed()
    await ask('What is in the shop?')
    feed.push('Bicycles, ')
    await page.getByRole('log').getByText('Bicycles,').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    feed.push('and tandems.')
    feed.end()
    await page.getByRole('log').getByText('Bicycles, and tandems.', { exact: true }).waitFor()
    await page
      .getByRole('button', { name: /test-model · / })
      .nth(2)
      .waitFor()
    await becomes(() => page.getByRole('log').getByText('Bicycles,').count(), 1)
    nothingWrong()
  })

  it('shows what the model server said when it failed', async () => {
    model.next({ status: 401 })
    await ask('Does it work?')
    await page.getByRole('alert').getByText('The model gave no answer').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^401 ·/)
      .waitFor()
    nothingWrong()
  })

  it('stops an answer with Escape, and begins anew', async () => {
    const count = model.requests.length
    model.next({ hang: true })
    await ask('Are you there?')
    await model.request(count)
    await page.keyboard.press('Escape')
    await page.getByText('You stopped this answer.').waitFor()
    await model.aborted()
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByRole('heading', { name: 'Ask the first question' }).waitFor()
    nothingWrong()
  })

  it('is clean in light, dark and on a phone, in German too', async () => {
    await ask('Can a bicycle be returned?')
    await trace().getByText('Bicycles can be returned within 30 days.').waitFor()
    await assertClean(own)
    const german = await openSignedIn(browser, app, { locale: 'de-DE' })
    await german.page.goto(german.at('playground'))
    await german.page.getByRole('heading', { name: 'Stell die erste Frage' }).waitFor()
    assert.deepEqual(german.faults, [])
    await german.close()
  })

  it('shows the queries of a question, and what the model searched for itself', async () => {
    await app.agent.patch('/agent', { rewrite: 'on' })
    model.next({ text: 'return of a bicycle\nrefund' }, { text: 'Ja, 30 Tage [1].' })
    await page.goto(own.at('playground'))
    await ask('Kann ich mein Fahrrad zurückgeben?')
    await trace().getByText('Searched for: return of a bicycle · refund').waitFor()
    await takeLooks(page, 'playground-queries')
    await page.goto(own.at('playground'))
    model.next(calling(['search_documents', { query: 'bicycle' }]), { text: 'Yes [1].' })
    await ask('May I send it back?')
    await trace().getByRole('tab', { name: 'Tools (1)' }).click()
    await trace().getByLabel('Result of search_documents').getByText('within 30 days').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
    await app.agent.patch('/agent', { rewrite: 'auto' })
  })

  it('shows the calls of tools with arguments, results and times, and which were not made', async () => {
    await using shop = await startPeer((response) => response.end('{"state":"sent"}'))
    const made = []
    for (const [name, method] of [
      ['find_order', 'GET'],
      ['cancel_order', 'POST'],
    ] as const) {
      const parameters = { type: 'object', properties: { number: { type: 'string' } } }
      const tool = { kind: 'http', name, description: 'x', parameters, method, url: `${shop.url}/{number}` }
      made.push((await app.agent.post('/tools', tool)).body.data.id)
    }
    const call = (name: string) => ({
      id: name,
      type: 'function' as const,
      function: { name, arguments: '{"number":"104233"}' },
    })
    const askFor = async (page: Page) => {
      model.next({ tool_calls: [call('find_order'), call('cancel_order')] }, { text: 'It was sent.' })
      await page.getByLabel('Your question').fill('Where is order 104233?')
      await page.keyboard.press('Enter')
      await page.getByRole('log').getByText('It was sent.').waitFor()
      await traceOn(page).getByRole('tab', { name: 'Tools (2)' }).click()
      await traceOn(page).getByLabel('Arguments of find_order').getByText('"number": "104233"').waitFor()
      await becomes(
        () =>
          traceOn(page)
            .getByText(/^(find|cancel)_order$/)
            .allTextContents(),
        ['find_order', 'cancel_order'],
      )
    }

    // Who may only look has no use of what a tool's headers open.
    await page.goto(own.at('playground'))
    await askFor(page)
    await becomes(() => trace().getByText('not called', { exact: true }).count(), 2)
    assert.equal(shop.requests.length, 0)
    await assertClean(own)

    const person = await openSignedIn(browser, app, { right: 'respond' })
    await person.page.goto(person.at('playground'))
    await askFor(person.page)
    await traceOn(person.page).getByLabel('Result of find_order').getByText('"state": "sent"').waitFor()
    await traceOn(person.page)
      .getByText(/^Round 1 · \d+ ms$/)
      .first()
      .waitFor()
    assert.equal(await traceOn(person.page).getByText('not called', { exact: true }).count(), 0)
    assert.equal(shop.requests.length, 2)
    await takeLooks(person.page, 'playground-tools')
    await assertClean(person)
    await person.close()
    for (const id of made) await app.agent.call('DELETE', `/tools/${id}`)
  })
})
