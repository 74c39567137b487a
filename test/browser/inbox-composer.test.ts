import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import sharp from 'sharp'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide, showIn } from '../support/chromium.ts'
import { openConsole, PASSWORD } from '../support/console.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'
import { sendFile } from '../support/upload.ts'

const REPLY = 'Answer to the user'
const LIMIT = 1024 * 1024
const OGG = `OggS\0\x02${'\0'.repeat(20)}\x01\x13OpusHead\x01\x01`
const NOTE = 'Note for colleagues; the user never sees it'

describe('the composer of the inbox', async () => {
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole({
    right: 'respond',
    called: 'Ada Lovelace',
    env: { PARLEY_FILE_LIMIT: String(LIMIT) },
  })
  afterEach(nothingWrong)

  const thread = () => page.getByRole('log', { name: 'What was said' })
  const choose = (mode: 'Reply' | 'Note') =>
    page.locator('.composer').getByText(mode, { exact: true }).click()

  /** A conversation that a person has taken over, open in the page. */
  async function taken(fields: Record<string, unknown> = {}): Promise<string> {
    const { conversation_id } = await app.agent.prompt('Where is my parcel?', fields)
    await app.agent.post(`/conversations/${conversation_id}/pause`)
    await page.goto(own.at(`inbox/${conversation_id}`))
    await field(REPLY).waitFor()
    return conversation_id
  }
  /** The person's draft of a reply or a note, as the service has stored it. */
  async function stored(conversation: string, mode: 'reply' | 'note'): Promise<string> {
    const path = `/agents/${app.agent.agentId}/conversations/${conversation}/draft?mode=${mode}`
    const console = Object.assign(openConsole(app), { cookie: own.cookie })
    return (await console.call('GET', path)).body.data.content
  }
  const messagesOf = async (
    conversation: string,
  ): Promise<{ role: string; content: string; completion_id: string }[]> =>
    (await app.agent.get(`/conversations/${conversation}/messages`)).body.data
  const answers = async (conversation: string) =>
    (await messagesOf(conversation)).filter(({ role }) => role === 'operator').map(({ content }) => content)

  it('keeps a draft for one conversation and one mode, over switching and a reload', async () => {
    const [first, second] = [await taken(), await taken()]
    await field(REPLY).fill('For the second')
    await choose('Note')
    await field(NOTE).fill('A note on the second')
    await page.goto(own.at(`inbox/${first}`))
    await field(REPLY).waitFor()
    await becomes(() => field(REPLY).inputValue(), '')
    await choose('Note')
    await becomes(() => field(NOTE).inputValue(), '')
    await page.goto(own.at(`inbox/${second}`))
    await page.reload()
    await field(REPLY).waitFor()
    await becomes(() => field(REPLY).inputValue(), 'For the second')
    await choose('Note')
    await becomes(() => field(NOTE).inputValue(), 'A note on the second')
    await becomes(() => stored(second, 'reply'), 'For the second')
    await becomes(() => stored(second, 'note'), 'A note on the second')
  })

  it('has the draft on another device of the same person, and not once it was sent', async () => {
    const conversation = await taken()
    await field(REPLY).fill('Begun here')
    await becomes(() => stored(conversation, 'reply'), 'Begun here')
    const device = await browser.newContext({ storageState: await page.context().storageState() })
    const other = await device.newPage()
    await other.addInitScript('if (!sessionStorage.begun) { localStorage.clear(); sessionStorage.begun = 1 }')
    await other.goto(own.at(`inbox/${conversation}`))
    await becomes(() => other.getByLabel(REPLY, { exact: true }).inputValue(), 'Begun here')
    await other.getByRole('button', { name: 'Send the answer' }).click()
    await thread().getByText('Begun here').waitFor()
    await device.close()
    await page.reload()
    await field(REPLY).waitFor()
    await thread().getByText('Begun here').waitFor()
    await becomes(() => field(REPLY).inputValue(), '')
    await becomes(() => answers(conversation), ['Begun here'])
  })

  it('stores a draft as long as they may be in any script', async () => {
    const conversation = await taken()
    const long = '漢'.repeat(30_000)
    await field(REPLY).fill(long)
    await becomes(() => stored(conversation, 'reply'), long)
  })

  it('sends what was written once, when the session had ended before Send and the person signs in again', async () => {
    const conversation = await taken()
    const person = await openSignedIn(browser, app, { right: 'respond' })
    await person.page.goto(person.at(`inbox/${conversation}`))
    const text = person.page.getByLabel(REPLY, { exact: true })
    await text.waitFor()
    const { email } = (
      await Object.assign(openConsole(app), { cookie: person.cookie }).call('GET', '/session')
    ).body.data.operator
    await text.fill('Written too late')
    await Object.assign(openConsole(app), { cookie: person.cookie }).call('DELETE', '/session')
    // The page may hear of the sign-out before that.
    await text.press('Control+Enter').catch(() => {})
    await person.page.waitForURL('**/sign-in?*')
    await person.page.getByLabel('E-mail address').fill(email)
    await person.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await person.page.getByRole('button', { name: 'Sign in' }).click()
    await text.waitFor()
    // A page that heard of the sign-out before Send still has the text in its field.
    await becomes(
      async () => (await answers(conversation)).length + (await text.inputValue()).length > 0,
      true,
    )
    if ((await text.inputValue()) !== '') await text.press('Control+Enter')
    await becomes(() => answers(conversation), ['Written too late'])
    await becomes(() => text.inputValue(), '')
    await person.close()
  })

  it('finds canned replies after a slash by several words, fills them in, and undoes them', async () => {
    await app.agent.post('/replies', {
      shortcut: 'late',
      content: 'Dear {user.name},\nyour {tags.plan} parcel is late.',
    })
    await app.agent.post('/replies', { shortcut: 'hours', content: 'We are open from nine to five.' })
    await taken({ user: 'grace-7', tags: { plan: 'gold' } })
    await app.agent.patch('/users/grace-7', { name: 'Grace' })
    await field(REPLY).click()
    await page.keyboard.type('/parcel dear')
    const option = page.getByRole('listbox').getByRole('option', { name: /\/late/ })
    await option.waitFor()
    await becomes(() => page.getByRole('listbox').getByRole('option').count(), 1)
    await option.getByText('Dear Grace,').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Enter')
    await becomes(() => field(REPLY).inputValue(), 'Dear Grace,\nyour gold parcel is late.')
    await page.keyboard.press('Control+z')
    await becomes(() => field(REPLY).inputValue(), '/parcel dear')
    await field(REPLY).fill('')
  })

  it('does not send what holds a variable that nothing is known for', async () => {
    const conversation = await taken()
    await field(REPLY).click()
    await page.keyboard.type('/late')
    await page
      .getByRole('listbox')
      .getByRole('option', { name: /\/late/ })
      .click()
    await page.getByText('Nothing is known for this.').waitFor()
    await page.getByRole('button', { name: 'Send the answer', exact: true, disabled: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    // The first placeholder is selected: what is typed replaces it.
    await page.keyboard.type('customer')
    await becomes(async () => /^Dear customer,/.test(await field(REPLY).inputValue()), true)
    await button('{tags.plan}').click()
    await page.keyboard.type('last')
    await button('Send the answer').click()
    await thread().getByText('your last parcel is late.').waitFor()
    await becomes(async () => (await answers(conversation)).length, 1)
  })

  it('mentions a colleague in a note, which looks unlike an answer and stays chosen', async () => {
    await openSignedIn(browser, app, { right: 'respond', called: 'Grace Hopper' }).then(({ close }) =>
      close(),
    )
    await taken()
    const ground = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.composer')).backgroundColor`)
    const ofReply = await ground()
    await choose('Note')
    await field(NOTE).waitFor()
    await becomes(async () => (await ground()) === ofReply, false)
    await field(NOTE).click()
    await page.keyboard.type('Ask @gra')
    await page.getByRole('listbox').getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('please')
    await becomes(() => field(NOTE).inputValue(), 'Ask @Grace Hopper please')
    await button('Add the note').click()
    await thread().getByText('Ask @Grace Hopper please').waitFor()
    await button('Add the note').waitFor()
    await becomes(() => field(NOTE).inputValue(), '')
  })

  it('sends with the key that is chosen, never while an input method composes', async () => {
    const conversation = await taken()
    await field(REPLY).fill('one')
    await field(REPLY).press('Enter')
    await becomes(() => field(REPLY).inputValue(), 'one\n')
    await field(REPLY).press('Control+Enter')
    await thread().getByText('one', { exact: true }).waitFor()
    await page.evaluate(`localStorage.setItem('parley-preference sendWithEnter', 'true')`)
    try {
      await page.reload()
      await field(REPLY).fill('two')
      await field(REPLY).press('Shift+Enter')
      await page.keyboard.type('lines')
      await field(REPLY).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
      await field(REPLY).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
      await field(REPLY).press('Enter')
      await thread().getByText('lines').waitFor()
      await becomes(() => answers(conversation), ['one\n', 'two\nlines'])
    } finally {
      await page.evaluate('localStorage.clear()')
    }
  })

  it('two people at once: each sees the other, and an answer that came first is read first', async () => {
    const conversation = await taken()
    const other = await openSignedIn(browser, app, { right: 'respond', called: 'Katherine Johnson' })
    await other.page.goto(other.at(`inbox/${conversation}`))
    const theirs = other.page.getByLabel(REPLY, { exact: true })
    await theirs.waitFor()
    await page.locator('.company').getByText('Katherine Johnson is looking').waitFor()
    await other.page.locator('.company').getByText('Ada Lovelace is looking').waitFor()
    await field(REPLY).pressSequentially('Mine')
    await other.page.locator('.company').getByText('Ada Lovelace is writing').waitFor()
    await theirs.pressSequentially('Theirs')
    await button('Send the answer').click()
    await other.page.getByRole('log').getByText('Mine').waitFor()
    await other.page.getByRole('button', { name: 'Send the answer' }).click()
    await other.page.getByText('Somebody has answered since you began to write.').waitFor()
    await becomes(() => answers(conversation), ['Mine'])
    await other.page.getByRole('button', { name: 'Send anyway' }).click()
    await thread().getByText('Theirs').waitFor()
    await becomes(() => answers(conversation), ['Mine', 'Theirs'])
    await other.close()
  })

  it('an answer that came after a draft was opened again is read first, too', async () => {
    const conversation = await taken()
    await field(REPLY).fill('Begun earlier')
    await becomes(() => stored(conversation, 'reply'), 'Begun earlier')
    await page.reload()
    await becomes(() => field(REPLY).inputValue(), 'Begun earlier')
    await thread().getByText('Where is my parcel?').waitFor()
    await app.agent.post(`/conversations/${conversation}/messages`, { content: 'Theirs' })
    await thread().getByText('Theirs').waitFor()
    await button('Send the answer').click()
    await page.getByText('Somebody has answered since you began to write.').waitFor()
    await becomes(() => answers(conversation), ['Theirs'])
    assert.equal(await field(REPLY).inputValue(), 'Begun earlier')
    await button('Send anyway').click()
    await becomes(() => answers(conversation), ['Theirs', 'Begun earlier'])
  })

  for (const [mode, label, path] of [
    ['Reply', REPLY, 'messages'],
    ['Note', NOTE, 'notes'],
  ] as const) {
    /** Sends a text, and types the next one meanwhile. @returns the request, which is held */
    const typedMeanwhile = async (): Promise<Route> => {
      await choose(mode)
      await field(label).fill('First')
      const held = new Promise<Route>((hold) => void page.route(`**/${path}`, hold, { times: 1 }))
      await field(label).press('Control+Enter')
      const route = await held
      await field(label).pressSequentially('Next')
      return route
    }

    it(`keeps what is typed while a ${mode} is sent, also for another device`, async () => {
      const conversation = await taken()
      await (await typedMeanwhile()).continue()
      await thread().getByText('First').waitFor()
      await becomes(() => stored(conversation, mode === 'Reply' ? 'reply' : 'note'), 'Next')
      assert.equal(await field(label).inputValue(), 'Next')
    })

    it(`puts a ${mode} that was refused before what was typed meanwhile`, async () => {
      const conversation = await taken()
      const error = { code: 'conversation_not_found', message: 'It is gone.', param: null }
      await (await typedMeanwhile()).fulfill({ status: 404, json: { error } })
      await page.getByRole('alert').getByText('It is gone.').waitFor()
      assert.equal(await field(label).inputValue(), 'First\n\nNext')
      await becomes(() => stored(conversation, mode === 'Reply' ? 'reply' : 'note'), 'First\n\nNext')
    })
  }

  it('sends files that were chosen and pasted, which the thread shows until they are deleted', async () => {
    const conversation = await taken()
    const long = `${'a-very-long-name-'.repeat(8)}.txt`
    const color = { width: 1000, height: 500, channels: 3, background: '#4060c0' } as const
    const picture = await sharp({ create: color }).png().toBuffer()
    await page.locator('.composer input[type=file]').setInputFiles([
      { name: 'sea.png', mimeType: 'image/png', buffer: picture },
      { name: long, mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.from('') },
    ])
    const chosen = page.getByRole('list', { name: 'Attached files' })
    await chosen.getByText('Is empty').waitFor()
    await page.getByRole('button', { name: 'Send the answer', exact: true, disabled: true }).waitFor()
    await takeLooks(page, 'files-chosen')
    await button('Remove empty.txt').click()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['from elsewhere'], 'pasted.txt'))
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.composer textarea').dispatchEvent(paste)
    }`)
    await chosen.getByText('pasted.txt').waitFor()
    await button('Send the answer').click()
    const shown = thread().getByRole('img', { name: 'sea.png' })
    await shown.waitFor()
    await becomes(() => chosen.count(), 0)
    assert.deepEqual(await answers(conversation), ['[image] [file] [file]'])
    assert.equal(await thread().getByText('[image]').count(), 0)
    const of = (what: string) => page.evaluate(`document.querySelector('.attachment-picture img').${what}`)
    await becomes(() => of('naturalWidth'), 640)
    assert.deepEqual([await of('clientWidth'), await of('clientHeight')], [320, 160])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      thread().getByRole('link', { name: 'pasted.txt' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'pasted.txt')
    assert.equal(await readFile(await download.path(), 'utf8'), 'from elsewhere')
    await takeLooks(page, 'files-sent')
    await assertClean(own)
    await shown.click()
    const viewer = page.getByRole('dialog', { name: 'Files of this conversation' })
    const large = (what: string) => page.evaluate(`document.querySelector('.viewer-stage img')?.${what}`)
    await viewer.getByRole('img', { name: 'sea.png' }).waitFor()
    await becomes(() => large('naturalWidth'), 1000)
    await viewer.getByText('1 of 3').waitFor()
    await viewer.getByText(/^Ada · .+ · PNG · .+ · 1000 × 500$/).waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'Download' }).getAttribute('download'), 'sea.png')
    await takeLooks(page, 'viewer')
    await assertClean(own)
    const wide = () => large('clientWidth')
    await page.keyboard.press('+')
    await becomes(wide, 1500)
    await viewer.getByRole('button', { name: 'Larger' }).click()
    await becomes(wide, 2250)
    await takeLooks(page, 'viewer-enlarged')
    for (const _ of ['-', '-', '-']) await page.keyboard.press('-')
    await becomes(wide, 1000)
    await page.keyboard.press('ArrowRight')
    await viewer.getByText('This kind of file is not shown here.').waitFor()
    await viewer.getByText(long).waitFor()
    await takeLooks(page, 'viewer-other')
    await viewer.getByRole('button', { name: 'Next file' }).click()
    await page.keyboard.press('ArrowRight')
    await viewer.getByText('3 of 3').waitFor()
    await page.route('**/attachments/*', (route) => route.fulfill({ status: 503 }))
    for (const _ of [1, 2]) await page.keyboard.press('ArrowLeft')
    await viewer.getByText('This file cannot be shown. You can still download it.').waitFor()
    await page.unroute('**/attachments/*')
    own.faults.splice(0)
    const [{ completion_id = '' } = {}] = await messagesOf(conversation)
    assert.equal((await app.agent.post(`/chat/completions/${completion_id}/scrub`)).status, 200)
    await viewer.getByText('This file was deleted.').waitFor()
    assert.equal(await viewer.getByRole('link', { name: 'Download' }).count(), 0)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await becomes(() => thread().getByText('deleted when this message was scrubbed').count(), 3)
    assert.equal(await shown.count(), 0)
    await takeLooks(page, 'files-deleted')
  })

  it('plays a sound, tells how it was heard, and shows a picture that cannot be loaded as a file', async () => {
    const conversation = await taken()
    const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { file, message } = await sendFile(app.agent, conversation, 'heard.oga', OGG)
    await sendFile(app.agent, conversation, 'lost.png', Uint8Array.from(picture))
    await page.route('**/attachments/*?preview=true', (route) => route.fulfill({ status: 503 }))
    const heard = async (more: object) => {
      const attachments = JSON.stringify([{ ...file, kind: 'voice', ...more }])
      const { db } = app.app.foundation.database
      await db.updateTable('messages').set({ attachments }).where('id', '=', message.id).execute()
      await page.reload()
    }
    await heard({ reason: 'The transcription server answered with status 500' })
    await thread()
      .getByText('Not written down. The transcription server answered with status 500.', { exact: true })
      .waitFor()
    await thread().locator('audio[controls][preload=none][aria-label="heard.oga"]').waitFor()
    await thread().getByRole('link', { name: 'lost.png PNG' }).waitFor()
    assert.equal(await thread().getByRole('img', { name: 'lost.png' }).count(), 0)
    await takeLooks(page, 'files-heard')
    assert.deepEqual(await accessibilityFaults(page), [])
    own.faults.splice(0)
    await heard({ transcript: 'Where is my kettle?' })
    await thread().getByText('The text is what a transcription server heard.').waitFor()
    await page.unroute('**/attachments/*?preview=true')
    own.faults.splice(0)
  })

  it('says how large a file may be that is too large', async () => {
    await taken()
    const large = { name: 'large.bin', mimeType: 'application/x', buffer: Buffer.alloc(LIMIT + 1) }
    await page.locator('.composer input[type=file]').setInputFiles([large])
    const chosen = page.getByRole('list', { name: 'Attached files' })
    await chosen.getByText('An upload may have at most 1 MiB.').waitFor()
    own.faults.splice(0)
    await button('Remove large.bin').click()
  })

  it('is locked while the agent answers, and looks right on a phone and in the dark', async () => {
    const { conversation_id } = await app.agent.prompt('hello', { user: 'Lin' })
    await page.goto(own.at(`inbox/${conversation_id}`))
    await page.getByText('answers in this conversation.').waitFor()
    await becomes(() => field(REPLY).count(), 0)
    await choose('Note')
    await field(NOTE).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    try {
      for (const scheme of ['light', 'dark'] as const) {
        await showIn(page, scheme)
        assert.deepEqual(await accessibilityFaults(page), [], scheme)
        assert.equal(await isTooWide(page), false)
      }
      await page.getByRole('button', { name: 'Details' }).click()
      await page.getByRole('heading', { name: 'Details' }).waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      await button('Close').click()
      await page.getByRole('link', { name: 'Back to the list' }).click()
      await page.getByRole('link', { name: /Lin/ }).waitFor()
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 })
      await showIn(page, 'light')
    }
  })
})
