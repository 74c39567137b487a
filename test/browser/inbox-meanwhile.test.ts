import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { startConsoleWithModel } from '../support/start-console.ts'

const STREAM = /\/live(\?|$)/
const SECRET = 'My address is jane@example.com'

describe('what happens in the inbox while something else goes on', async () => {
  const { app, model, own, page } = await startConsoleWithModel({ right: 'manage', called: 'Ada Lovelace' })
  // The browser tells of requests that were cut off with the connection.
  const isOfConnection = (fault: string) =>
    /net::ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|FAILED)/.test(fault)
  afterEach(() =>
    assert.deepEqual(
      own.faults.splice(0).filter((fault) => !isOfConnection(fault)),
      [],
    ),
  )

  const thread = () => page.getByRole('log', { name: 'What was said' })
  const row = (name: string) => page.locator('.inbox-row', { hasText: name }).first()
  const say = async (conversation: string, content: string) => {
    const said = await app.agent.post(`/conversations/${conversation}/messages`, { content, author: 'Grace' })
    assert.equal(said.status, 200, said.text)
  }
  const scrub = async (completion: string) => {
    const { status, text, body } = await app.agent.post(`/chat/completions/${completion}/scrub`)
    assert.equal(status, 200, text)
    assert.equal(body.data.remaining, 0)
  }
  const notice = () => page.getByText('No connection to the service.')

  /** Opens the inbox and waits until it hears what happens. */
  async function openList(): Promise<void> {
    await page.goto(own.at('inbox'))
    const name = `person ${crypto.randomUUID()}`
    await app.agent.prompt('Hello', { user: name })
    await row(name).waitFor()
  }
  /** Keeps the next page of a timeline on its way, once the service has sent it. */
  async function holdTimeline() {
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    let isSent = () => {}
    const sent = new Promise<void>((resolve) => {
      isSent = resolve
    })
    await page.route(
      '**/timeline?*',
      async (route) => {
        const response = await route.fetch()
        isSent()
        await held
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    return { sent, letThrough }
  }

  it('a text that is removed while the conversation is being read is not shown', async () => {
    model.answer = { text: 'Noted.' }
    const { id, conversation_id } = await app.agent.prompt(SECRET, { user: 'jane' })
    await openList()
    const { sent, letThrough } = await holdTimeline()
    await row('jane').click()
    await sent
    await scrub(id)
    await say(conversation_id, 'said after that')
    // By now the page has heard of both.
    await row('jane').getByText('said after that').waitFor()
    letThrough()
    await thread().getByText('said after that').waitFor()
    await thread().getByText('[REDACTED]').first().waitFor()
    assert.equal(await thread().getByText(SECRET).count(), 0)
  })

  it('a text that is removed while an earlier part is being read is not shown', async () => {
    model.answer = { text: 'Noted.' }
    const { id, conversation_id } = await app.agent.prompt(SECRET, { user: 'joan' })
    // What a person says belongs to the latest answer, and would be removed with it.
    await app.agent.prompt('And now?', { conversation_id, user: 'joan' })
    for (let number = 1; number <= 60; number++) await say(conversation_id, `line ${number}`)
    await openList()
    await row('joan').click()
    await thread().getByText('line 60', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    const { sent, letThrough } = await holdTimeline()
    await page.getByRole('button', { name: 'Go to another part', exact: true }).click()
    await page.getByRole('button', { name: 'To the first message', exact: true }).click()
    await sent
    await scrub(id)
    await say(conversation_id, 'said after that')
    await row('joan').getByText('said after that').waitFor()
    letThrough()
    await thread().getByText('line 1', { exact: true }).waitFor()
    await thread().getByText('[REDACTED]').first().waitFor()
    assert.equal(await thread().getByText(SECRET).count(), 0)
  })

  it('an answer that is made while the connection is lost stands there once after it is back', async () => {
    model.answer = { text: 'a word' }
    const { conversation_id } = await app.agent.prompt('begin', { user: 'lost' })
    await page.goto(own.at(`inbox/${conversation_id}`))
    await thread().getByText('a word', { exact: true }).waitFor()
    const feed = model.feed()
    feed.push('The first part, ')
    const asked = app.agent.post('/chat/completions', {
      conversation_id,
      stream: true,
      messages: [{ role: 'user', content: 'go on' }],
    })
    const streamed = thread().locator('[data-streamed]')
    await streamed.getByText('The first part,').waitFor()
    await page.context().setOffline(true)
    try {
      await notice().waitFor()
      feed.push('the second, ')
      feed.push('and the third.')
      feed.end()
      await asked
      await say(conversation_id, 'said after that')
    } finally {
      await page.context().setOffline(false)
    }
    await thread().getByText('The first part, the second, and the third.', { exact: true }).waitFor()
    await thread().getByText('said after that', { exact: true }).waitFor()
    await streamed.waitFor({ state: 'detached' })
    await notice().waitFor({ state: 'hidden' })
    await becomes(() => thread().getByText('The first part,').count(), 1)
    await becomes(() => thread().getByText('go on', { exact: true }).count(), 1)
  })

  it('says that the connection is lost as long as every try fails, and shows what was missed', async () => {
    await page.route(STREAM, (route) => route.abort())
    try {
      await page.goto(own.at('inbox'))
      await notice().waitFor()
      await app.agent.prompt('Hello', { user: 'Missed' })
    } finally {
      await page.unroute(STREAM)
    }
    await notice().waitFor({ state: 'hidden' })
    await row('Missed').waitFor()
  })
})
