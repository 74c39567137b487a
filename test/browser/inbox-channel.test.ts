import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import { assertClean } from '../support/looks.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

const HOUR_MS = 3_600_000
const REPLY = 'Answer to the user'

describe('a conversation of a channel in the inbox', async () => {
  const peer = await startPlatformPeer()
  after(() => peer.close())
  const { app, browser, own, page, nothingWrong } = await startConsole({ right: 'respond' })
  const channel = await addChannel(app.agent, 'messenger-one', peer)
  afterEach(nothingWrong)

  const thread = () => page.getByRole('log', { name: 'What was said' })

  /** Somebody writes on the channel, and a person takes the conversation over and opens it. */
  async function taken(from: string): Promise<string> {
    const known = new Set<string>((await conversations()).map(({ id }) => id))
    const sent = peer.sent.length
    await channel.says('Where is my parcel?', { from })
    await peer.untilSent(sent + 1)
    const { id = '' } = (await conversations()).find((one) => !known.has(one.id)) ?? {}
    await app.agent.post(`/conversations/${id}/pause`)
    await page.goto(own.at(`inbox/${id}`))
    await page.getByLabel(REPLY, { exact: true }).waitFor()
    return id
  }
  const conversations = async (): Promise<{ id: string }[]> =>
    (await app.agent.get('/conversations')).body.data

  it('shows why an answer did not arrive, and sends it again as often as it is asked to', async () => {
    await taken('49151111111')
    const refuse = () =>
      peer.failNext((response) => response.writeHead(400).end(JSON.stringify({ error: { code: 131047 } })))
    const reason = thread().getByText(
      'not delivered: the platform takes nothing until the person writes again',
    )
    const again = thread().getByRole('button', { name: 'Send again' })
    refuse()
    await page.getByLabel(REPLY, { exact: true }).fill('It leaves today.')
    await page.keyboard.press('Control+Enter')
    await reason.waitFor()
    await assertClean(own)
    // A second refusal is shown again.
    refuse()
    const refused = page.waitForResponse((response) => response.url().endsWith('/resend'))
    await again.click()
    assert.equal((await refused).status(), 200)
    await thread().getByText('is being sent').waitFor({ state: 'hidden' })
    await reason.waitFor()
    const sent = peer.sent.length
    await again.click()
    const texts = await peer.untilSent(sent + 1)
    assert.equal(texts.at(-1)?.text, 'It leaves today.')
    await reason.waitFor({ state: 'hidden' })
    await again.waitFor({ state: 'hidden' })
  })

  it('tells how long it can be answered, and once it cannot, why; a note still can be added', async () => {
    const conversation = await taken('49152222222')
    await page.getByText(/^Can be answered for (1 d 0 h|23 h 59 min)$/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Attach files' }).count(), 0)
    const other = await openSignedIn(browser, app, { right: 'respond' })
    await other.page.clock.setFixedTime(Date.now() + 25 * HOUR_MS)
    await other.page.goto(other.at(`inbox/${conversation}`))
    const field = other.page.getByLabel(REPLY, { exact: true })
    await field.fill('Too late')
    await other.page.getByText('The platform delivers nothing until the user writes again.').waitFor()
    await other.page.getByRole('button', { name: 'Send the answer', disabled: true }).waitFor()
    await field.press('Control+Enter')
    await other.page.locator('.composer').getByText('Note', { exact: true }).click()
    await other.page
      .getByLabel('Note for colleagues; the user never sees it')
      .fill('They have to write first.')
    await other.page.getByRole('button', { name: 'Add the note' }).click()
    await other.page.getByRole('log').getByText('They have to write first.').waitFor()
    const { body } = await app.agent.get(`/conversations/${conversation}/messages`)
    assert.ok(!JSON.stringify(body.data).includes('Too late'))
    assert.deepEqual(other.faults, [])
    await other.close()
  })
})
