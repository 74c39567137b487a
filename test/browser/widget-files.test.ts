import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { startSite } from '../support/start-site.ts'
import { startWidget, type Visit } from '../support/widget.ts'

const PHONE = { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true }

describe('files in the chat', async () => {
  const { app, browser, widget } = await startSite({ settings: { uploads: 'files' } })
  const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#0f766e' } })
    .jpeg()
    .toBuffer()
  const photo = { name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer }

  const chosen = ({ page }: Visit) =>
    page.getByRole('list', { name: 'Files of your message' }).getByRole('listitem')
  const attach = async ({ page }: Visit, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel('Add files').setInputFiles(files)
  const text = (name: string, content = name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  })
  const lastMessages = async () => {
    const { conversation_id: id } = (await app.agent.get('/chat/completions?per_page=1')).body.data[0]
    return (await app.agent.get(`/conversations/${id}/messages`)).body.data
  }

  for (const colorScheme of ['light', 'dark'] as const)
    it(`on a phone, ${colorScheme}: a photo and a file are sent with words, and shown to both sides`, async () => {
      const visit = await widget.visit(browser, { ...PHONE, colorScheme })
      await visit.open()
      await visit.page.getByLabel('Take a picture').waitFor({ state: 'attached' })
      await attach(visit, photo, text('notes.txt'))
      await becomes(() => chosen(visit).count(), 2)
      await chosen(visit).first().locator('canvas').waitFor()
      await visit.page.getByRole('progressbar').first().waitFor({ state: 'hidden' })
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      await visit.ask('It arrived broken')
      const sent = visit.page.locator('.entry.user').last()
      await sent.getByText('It arrived broken').waitFor()
      await sent.getByRole('button', { name: 'IMG_2041.jpg' }).locator('canvas').waitFor()
      await sent.getByRole('button', { name: 'notes.txt' }).waitFor()
      await becomes(() => chosen(visit).count(), 0)
      await visit.page.locator('.entry.assistant').waitFor()
      const [message] = await lastMessages()
      assert.equal(message.content, 'It arrived broken')
      assert.deepEqual(
        message.attachments.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
        [
          ['image', 'IMG_2041.jpg'],
          ['file', 'notes.txt'],
        ],
      )
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      await visit.page.reload()
      await visit.open()
      await visit.page.getByRole('button', { name: 'IMG_2041.jpg' }).locator('canvas').waitFor()
      assert.deepEqual(visit.faults.splice(0), [])
      await visit.page.context().close()
    })

  it('a file alone is a message, and its kind in words is not shown', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await attach(visit, photo)
    await visit.button('Send').click()
    const sent = visit.page.locator('.entry.user').last()
    await sent.getByRole('button', { name: 'IMG_2041.jpg' }).locator('canvas').waitFor()
    await becomes(() => sent.getByText('[image]').isVisible(), false)
    await visit.page.locator('.entry.assistant').waitFor()
    assert.deepEqual((await lastMessages())[0].kind, 'image')
    await visit.page.context().close()
  })

  it('files that are deleted say so in their place, also after a reload', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await attach(visit, photo, text('notes.txt'))
    await becomes(() => chosen(visit).count(), 2)
    await visit.page.getByRole('progressbar').first().waitFor({ state: 'hidden' })
    await visit.button('Send').click()
    await visit.page.locator('.entry.assistant').waitFor()
    const [{ completion_id }] = await lastMessages()
    assert.equal((await app.agent.post(`/chat/completions/${completion_id}/scrub`)).status, 200)
    await visit.page.reload()
    await visit.open()
    const sent = visit.page.locator('.entry.user').last()
    await becomes(() => sent.getByText('This file was deleted to protect personal data.').count(), 2)
    assert.equal(await sent.getByRole('button').count(), 0)
    assert.equal(await sent.getByText('[IMAGE]').isVisible(), false)
    assert.deepEqual(await accessibilityFaults(visit.page), [])
    await visit.page.context().close()
  })

  it('what cannot be sent is said at once; a file is removed, and the sixth refused', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    const alert = visit.page.getByRole('alert')
    await attach(visit, { ...text('large.bin'), buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
    await alert.filter({ hasText: 'large.bin has more than 10 MB.' }).waitFor()
    await attach(visit, text('nothing.txt', ''))
    await alert.filter({ hasText: 'nothing.txt is empty.' }).waitFor()
    await attach(visit, ...[1, 2, 3, 4, 5, 6].map((n) => text(`${n}.txt`)))
    await alert.filter({ hasText: 'A message takes five files.' }).waitFor()
    await becomes(() => chosen(visit).count(), 5)
    await visit.button('Remove 3.txt').click()
    await becomes(() => chosen(visit).count(), 4)
    await visit.page.context().close()
  })

  it('a refused file says why, takes no place among the five, and holds the message until it is removed', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(100)])
    const broken = Buffer.concat([photo.buffer.subarray(0, 200), Buffer.alloc(100)])
    await attach(visit, { ...photo, name: 'broken.jpg', buffer: broken })
    await chosen(visit).getByText('broken.jpg is damaged and cannot be sent.').waitFor()
    await attach(visit, { name: 'photo.heic', mimeType: 'image/heic', buffer: heic })
    await chosen(visit)
      .getByText('photo.heic cannot be sent: pictures must be JPEG, PNG, GIF, WebP or AVIF.')
      .waitFor()
    const notice = visit.page.getByRole('alert').filter({ hasText: 'Nothing was sent.' })
    await visit.button('Send').click()
    await notice.waitFor()
    await attach(visit, ...[1, 2, 3, 4, 5].map((n) => text(`${n}.txt`)))
    await becomes(() => chosen(visit).count(), 7)
    await becomes(() => visit.page.getByRole('alert').count(), 0)
    await visit.button('Remove broken.jpg').click()
    await visit.button('Remove photo.heic').click()
    await visit.ask('Five')
    const files = visit.page.locator('.entry.user').last().locator('.bubble button')
    await becomes(() => files.count(), 5)
    const gap = async () => {
      const [first, second] = [await files.nth(0).boundingBox(), await files.nth(1).boundingBox()]
      return first && second ? second.x - first.x - first.width >= 8 : null
    }
    await becomes(gap, true)
    visit.faults.splice(0)
    await visit.page.context().close()
  })

  it('what was said of a file is gone once a message is sent', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await attach(visit, text('nothing.txt', ''))
    await visit.page.getByRole('alert').waitFor()
    await visit.ask('Without a file')
    await visit.page.locator('.entry.assistant').waitFor()
    assert.equal(await visit.page.getByRole('alert').count(), 0)
    await visit.page.context().close()
  })

  it('a file whose upload breaks off is uploaded again, and its message waits for it', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    let times = 0
    await visit.page.route('**/attachments', (route) =>
      route.request().method() === 'POST' && ++times <= 2 ? route.abort() : route.continue(),
    )
    await attach(visit, text('again.txt'))
    await chosen(visit).getByText('again.txt was not uploaded.').waitFor()
    await visit.button('Try again').click()
    await chosen(visit).getByText('again.txt was not uploaded.').waitFor()
    await visit.ask('Here it is')
    await visit.page.locator('.entry.user').getByRole('button', { name: 'again.txt' }).waitFor()
    assert.deepEqual([times, (await lastMessages())[0].content], [3, 'Here it is'])
    visit.faults.splice(0)
    await visit.page.context().close()
  })

  it('a message whose only file is removed before it leaves is not sent with the next one', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    let times = 0
    await visit.page.route('**/attachments', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      times++
      return route.abort()
    })
    await attach(visit, text('wrong.txt'))
    await chosen(visit).getByText('wrong.txt was not uploaded.').waitFor()
    await visit.ask('Draft')
    await becomes(async () => times, 2)
    await chosen(visit).getByText('wrong.txt was not uploaded.').waitFor()
    await visit.button('Remove wrong.txt').click()
    await becomes(() => chosen(visit).count(), 0)
    await visit.page.unroute('**/attachments')
    await attach(visit, text('right.txt'))
    await chosen(visit).getByText('right.txt').waitFor()
    await visit.page.getByRole('progressbar').waitFor({ state: 'hidden' })
    assert.equal(await chosen(visit).count(), 1)
    assert.equal(await visit.page.locator('.entry.user').count(), 0)
    visit.faults.splice(0)
    await visit.page.context().close()
  })

  it('a message with files that was not received leaves when the connection is back, also after a reload', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await attach(visit, text('later.txt'))
    await visit.page.getByRole('progressbar').waitFor({ state: 'hidden' })
    await visit.page.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await visit.ask('Later')
    await visit.page.getByText('Waiting for the connection').waitFor()
    await visit.page.unroute('**/messages')
    await visit.page.reload()
    await visit.open()
    await visit.page.locator('.entry.assistant').waitFor()
    const [message] = await lastMessages()
    assert.deepEqual([message.content, message.attachments[0].name], ['Later', 'later.txt'])
    visit.faults.splice(0)
    await visit.page.context().close()
  })

  it('pasted and dropped files are taken, and text goes into the field', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await visit.page.getByLabel('Add files').waitFor({ state: 'attached' })
    // What a browser does when a visitor pastes or drops a file. It returns false if the chat has taken it.
    const give = (kind: 'paste' | 'drop', hasText = false) =>
      visit.page.evaluate(`(() => {
        const data = new DataTransfer()
        data.items.add(new File(['a'], '${kind}.txt', { type: 'text/plain' }))
        if (${hasText}) data.setData('text/plain', 'words')
        const options = { bubbles: true, cancelable: true, composed: true, clipboardData: data, dataTransfer: data }
        const { shadowRoot } = document.querySelector('parley-chat')
        return '${kind}' === 'paste'
          ? shadowRoot.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', options))
          : shadowRoot.querySelector('.thread').dispatchEvent(new DragEvent('drop', options))
      })()`)
    assert.equal(await give('paste', true), true, 'text is left to the field')
    assert.deepEqual([await give('paste'), await give('drop')], [false, false])
    await becomes(
      () =>
        chosen(visit)
          .allInnerTexts()
          .then((all) => all.map((one) => one.trim())),
      ['paste.txt', 'drop.txt'],
    )
    await visit.page.context().close()
  })

  it('the words about files follow the language of the page', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await attach(visit, text('empty.txt', ''))
    await visit.page.getByRole('alert').getByText('empty.txt is empty.').waitFor()
    await visit.page.evaluate(`document.documentElement.lang = 'de'`)
    const { uploads, refusals } = JSON.parse(readFileSync('widget/texts/de.json', 'utf8'))
    const field = visit.page.getByLabel(uploads.attach)
    await field.setInputFiles(text('leer.txt', ''))
    await visit.page.getByRole('alert').getByText(refusals.empty.replace('{name}', 'leer.txt')).waitFor()
    await visit.page.context().close()
  })

  it('a widget that takes none has no button', async () => {
    await using without = await startWidget(app.url, app.agent)
    const visit = await without.visit(browser)
    await visit.open()
    await visit.ask('Hello')
    await visit.page.locator('.entry.assistant').waitFor()
    assert.equal(await visit.page.getByLabel('Add files').count(), 0)
    await visit.page.context().close()
  })
})
