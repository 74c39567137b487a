import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertClean, takeLooks } from '../support/looks.ts'
import { fileMessage } from '../support/media-peer.ts'
import { addChannel, mediaOf, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

const HOUR_MS = 3_600_000
const REPLY = 'Answer to the user'
const PICTURE = { width: 600, height: 300, channels: 3, background: '#4060c0' } as const

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

  it('shows files that people send, why one did not come, and fetches it again; files go out, too', async () => {
    const from = '49153333333'
    await taken(from)
    const { id, fields } = fileMessage('messenger-one', peer.url, '31')
    peer.files.set(id, Buffer.from('GIF89a, but no picture'))
    const raw = JSON.stringify(mediaOf('messenger-one', '31', fields)).replaceAll(
      PERSON['messenger-one'],
      from,
    )
    assert.equal((await channel.post(raw)).status, 200)
    await thread().getByText('Picture: cannot be read').waitFor()
    await assertClean(own)
    await takeLooks(page, 'file-refused')
    const held = Promise.withResolvers<void>()
    peer.files.set(id, async (response) => {
      await held.promise
      response.end(await sharp({ create: PICTURE }).png().toBuffer())
    })
    await thread().getByRole('button', { name: 'Fetch again' }).click()
    await thread().getByText('Picture: on its way').waitFor()
    await takeLooks(page, 'file-fetching')
    held.resolve()
    await thread().getByRole('img', { name: 'Picture' }).waitFor()
    const buffer = Buffer.from('Invoice 7')
    await page
      .locator('.composer input[type=file]')
      .setInputFiles([{ name: 'invoice.txt', mimeType: 'text/plain', buffer }])
    await page.getByRole('button', { name: 'Send the answer', exact: true }).click()
    const [sent] = await peer.untilSentFiles(1)
    assert.match(sent?.form ?? '', /filename="invoice\.txt"/)
    await thread().getByRole('link', { name: 'invoice.txt' }).waitFor()
  })

  it('tells how long it can be answered, and once it cannot, why; a note still can be added', async () => {
    const conversation = await taken('49152222222')
    await page.getByText(/^Can be answered for (1 d 0 h|23 h 59 min)$/).waitFor()
    const other = await openSignedIn(browser, app, { right: 'respond' })
    await other.page.clock.setFixedTime(Date.now() + 25 * HOUR_MS)
    await other.page.goto(other.at(`inbox/${conversation}`))
    const field = other.page.getByLabel(REPLY, { exact: true })
    await field.fill('Too late')
    await other.page
      .getByText('The platform delivers nothing but a template until the user writes again.')
      .waitFor()
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
