import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { sitePage, startSite } from '../support/site.ts'
import { startConsole } from '../support/start-console.ts'

describe('knowledge in the console', async () => {
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole()

  const outcomes = () => page.getByRole('list', { name: 'Files and what became of them' })
  const COUNT = 100

  it('takes a hundred dropped files, and keeps in sight what became of each', async () => {
    await page.goto(own.at('knowledge'))
    await page.getByRole('region', { name: 'Drop files or a folder here' }).waitFor()
    await page.evaluate(`{
      const dropped = new DataTransfer()
      for (let number = 1; number < ${COUNT}; number++)
        dropped.items.add(new File(['# Page ' + number + '\\n\\nThe word of page ' + number + '.'], 'page-' + number + '.md'))
      dropped.items.add(new File(['x'], 'picture.png'))
      const zone = document.querySelector('.drop')
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
    }`)
    await page.getByText(`${COUNT} of ${COUNT} done · 1 not taken`).waitFor({ timeout: 30_000 })
    await page.getByText('Not taken', { exact: true }).click()
    const row = outcomes().getByRole('listitem')
    await row.getByText('skipped').waitFor()
    await becomes(() => row.count(), 1)
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/knowledge/files')),
      row.getByRole('button', { name: 'Try again' }).click(),
    ])
    await row.getByText('skipped').waitFor()
    assert.equal((await app.agent.get('/knowledge')).body.total, COUNT - 1)
    await page.reload()
    await page.getByText(`${COUNT} of ${COUNT} done · 1 not taken`).waitFor()
    await assertClean(own)
    await button('Clear the list').click()
    await outcomes().waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('an unanswered question becomes an entry in three clicks', async () => {
    for (const user of ['Ada', 'Grace']) await app.agent.prompt('Do you sell zeppelins?', { user })
    await page.reload()
    const questions = page.getByRole('region', { name: 'Unanswered questions' })
    await questions.getByText('Do you sell zeppelins?').waitFor()
    await questions.getByText('asked 2 times').waitFor()
    await questions.getByRole('link', { name: 'Conversation' }).waitFor()
    await questions.getByRole('button', { name: 'Answer it' }).click()
    await becomes(() => field('Title').inputValue(), 'Do you sell zeppelins?')
    await field('Text').fill('Only on Tuesdays.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a document' }).click()
    await questions.getByText('There is none').waitFor()
    const answer = await app.agent.prompt('Do you sell zeppelins?')
    assert.match(answer.choices[0].message.content, /Only on Tuesdays/)
    nothingWrong()
  })

  it('a person answers, proposes an entry, and accepts it once it is reviewed', async () => {
    const { id, conversation_id } = await app.agent.prompt('Do you rent balloons?', { user: 'Ada' })
    await app.agent.prompt('Do you rent out balloons?', { user: 'Grace' })
    const conversation = `/conversations/${conversation_id}/messages`
    await app.agent.post(conversation, { content: 'By the hour. Write to ada@example.com.' })
    await app.agent.post(`/chat/completions/${id}/like`, { liked: false })
    await page.goto(own.at(`inbox/${conversation_id}`))
    await button('Propose an entry').waitFor()
    await takeLooks(page, 'conversation-proposal')
    await button('Propose an entry').click()
    await page.getByText('An entry is being written.').waitFor()
    await page.goto(own.at('knowledge'))
    const questions = page.getByRole('region', { name: 'Unanswered questions' })
    await questions.getByLabel('Reason').selectOption('disliked')
    await questions.getByText('handed to a person (1)').waitFor()
    await questions.getByRole('button', { name: '1 other wording' }).click()
    const proposals = page.getByRole('region', { name: 'Proposed entries' })
    await proposals.getByText('By the hour. Write to [EMAIL_ADDRESS].').waitFor()
    await assertClean(own)
    await takeLooks(page, 'knowledge-proposals')
    await app.agent.post('/knowledge', { title: 'How to rent balloons', content: 'Ask us.' })
    await proposals.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').getByText('A similar entry exists').waitFor()
    const dialog = page.getByRole('dialog')
    await becomes(() => dialog.getByLabel('Question').inputValue(), 'Do you rent balloons?')
    await takeLooks(page, 'knowledge-review')
    await dialog.getByLabel('Answer').fill('Yes, by the hour.')
    assert.deepEqual(await accessibilityFaults(page), [])
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('link', { name: 'Do you rent balloons?' }).waitFor()
    await proposals.getByText('No proposals are waiting.').waitFor()
    nothingWrong()
  })

  it('shows a text as it was read, and edits it', async () => {
    await page.getByRole('link', { name: 'Do you sell zeppelins?' }).click()
    const text = page.getByRole('region', { name: 'Text' })
    await becomes(() => text.getByLabel('Text', { exact: true }).inputValue(), 'Only on Tuesdays.')
    await text.getByLabel('Text', { exact: true }).fill('On every weekday.')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByText('On every weekday.').last().waitFor()
    await page
      .getByText(/edited/)
      .first()
      .waitFor()
    const { body } = await app.agent.get('/knowledge/search?q=zeppelins')
    assert.match(body.data[0].snippet, /On every weekday/)
    await assertClean(own)
  })

  it('keeps the text that is typed while somebody else changes the document', async () => {
    const { body } = await app.agent.post('/knowledge', { title: 'Tents', content: 'For two.' })
    const path = `/knowledge/${body.data.id}`
    const text = page.getByRole('region', { name: 'Text' }).getByLabel('Text', { exact: true })
    await page.goto(own.at(path.slice(1)))
    await text.fill('For three.')
    assert.equal((await app.agent.patch(path, { title: 'Big tents' })).status, 200)
    await button('Save').click()
    await becomes(() => field('Title').inputValue(), 'Big tents')
    assert.equal(await text.inputValue(), 'For three.')
    await button('Save').click()
    await becomes(async () => (await app.agent.get(path)).body.data.text, 'For three.')
    assert.equal((await app.agent.call('DELETE', path)).status, 204)
    nothingWrong()
  })

  it('adds a document, finds it with a question, and deletes it', async () => {
    await page.goto(own.at('knowledge'))
    await page.getByRole('button', { name: 'Add a document' }).first().click()
    await field('Title').fill('Opening hours')
    await field('Text').fill('We are open from nine to five.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a document' }).click()
    await page.getByRole('link', { name: 'Opening hours' }).waitFor()
    await field('A question').fill('When are you open?')
    await button('Search').click()
    await page.getByRole('list', { name: 'Passages found' }).getByText('nine to five').waitFor()
    await page.getByText(/^Without a language model the agent answers this/).waitFor()
    await page.getByRole('link', { name: 'Opening hours' }).click()
    await page.getByText('We are open from nine to five.').last().waitFor()
    await button('Delete').click()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/knowledge')
    await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('takes a folder that is chosen, and names its files with their folders', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-folder-'))
    await mkdir(join(folder, 'help', 'deep'), { recursive: true })
    await writeFile(join(folder, 'help', 'parking.md'), '# Parking\n\nBehind the bakery.')
    await writeFile(join(folder, 'help', 'deep', 'dogs.md'), '# Dogs\n\nOn a leash.')
    try {
      await page.goto(own.at('knowledge'))
      const chooser = page.waitForEvent('filechooser')
      await button('Choose a folder').click()
      await (await chooser).setFiles(join(folder, 'help'))
      for (const name of ['help/parking.md', 'help/deep/dogs.md'])
        await outcomes().getByRole('listitem').filter({ hasText: name }).getByText('added').waitFor()
      await button('Clear the list').click()
    } finally {
      await rm(folder, { recursive: true })
    }
    nothingWrong()
  })

  it('reads a site, tells what became of each page, reads it again, and removes it', async () => {
    const held: (() => void)[] = []
    await using site = await startSite({
      '/': sitePage('Shop', 'We sell kettles.', ['/returns', '/missing', '/held']),
      '/returns': sitePage('Returns', 'A kettle may be sent back for 30 days.'),
      '/held': (response) =>
        void held.push(() => response.setHeader('content-type', 'text/html').end(sitePage('Held', 'Late.'))),
    })
    await page.goto(own.at('knowledge'))
    await page.getByRole('region', { name: 'Sites' }).getByText('No site is read yet.').waitFor()
    await button('Add a site').click()
    await field('Address').fill('ftp://example.com')
    await button('Read the site').click()
    await becomes(() => field('Address').getAttribute('aria-invalid'), 'true')
    await field('Address').fill(site.url)
    await field('Read again').selectOption('every week')
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Read the site').click()
    const row = page.getByRole('list', { name: 'Sites' }).getByRole('listitem')
    await row.getByText('3 of 4 pages').waitFor()
    await row.getByRole('link').click()
    const pages = page.getByRole('list', { name: 'Pages and what became of them' }).getByRole('listitem')
    const pageOf = (path: string) => pages.filter({ hasText: `${site.url}${path}` })
    await pageOf('/held').getByText('waits').waitFor()
    await assertClean(own)
    for (const release of held.splice(0)) release()
    await page.getByText('read', { exact: true }).waitFor()
    for (const [path, outcome] of [
      ['/returns', 'added'],
      ['/held', 'added'],
      ['/missing', 'skipped'],
    ] as const)
      await pageOf(path).getByText(outcome, { exact: true }).waitFor()
    await pageOf('/missing').getByText('the site answers 404').waitFor()
    const german = await openSignedIn(browser, app, { locale: 'de' })
    await german.page.goto(page.url())
    await german.page.getByText('Die Website antwortet mit 404.').waitFor()
    await german.page.goto(german.at('knowledge'))
    const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('x') }
    await german.page.locator('input[type=file]').first().setInputFiles(picture)
    await german.page.getByText('Dieses Dateiformat wird nicht unterstützt.').waitFor()
    await german.page.context().close()
    await page.getByText('Skipped', { exact: true }).click()
    await becomes(() => pages.count(), 1)
    await page.getByText('All', { exact: true }).click()
    await pageOf('/returns').getByRole('link', { name: 'Document' }).click()
    await page.getByText('A kettle may be sent back for 30 days.').last().waitFor()
    await page.goBack()
    site.pages['/held'] = sitePage('Held', 'Now at once.')
    await button('Read again').click()
    await pageOf('/held').getByText('replaced').waitFor()
    await pageOf('/returns').getByText('unchanged').waitFor()
    await assertClean(own)
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/knowledge')
    await page.getByText('No site is read yet.').waitFor()
    await page.getByRole('link', { name: 'Returns', exact: true }).waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('tells how many passages have vectors, and why none are made; nothing without a server', async () => {
    await using server = await startEmbeddingServer()
    const meaning = page.getByText(/^Search by meaning/)
    const { agent } = app
    await agent.post('/knowledge', { title: 'Kettles', content: 'They whistle.' })
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/knowledge/embedding')),
      page.goto(own.at('knowledge')),
    ])
    await page.getByRole('link', { name: 'Kettles' }).waitFor()
    await becomes(() => meaning.count(), 0)
    server.failure = { status: 500, body: '{"error":{"message":"no memory is left"}}' }
    await agent.patch('/agent', { embedding: { url: server.url, name: 'one' } })
    await page.reload()
    const failed =
      'The last try failed and will be repeated: The embedding server answered 500: no memory is left'
    await meaning.filter({ hasText: failed }).waitFor()
    await assertClean(own)
    server.failure = null
    await agent.patch('/agent', { embedding: { name: 'one' } })
    await meaning.filter({ hasText: /all \d+ passages have vectors/ }).waitFor()
    const held = Promise.withResolvers<void>()
    server.gate = held.promise
    await agent.post('/knowledge', { title: 'Teapots', content: 'They do not.' })
    await page.reload()
    const { passages } = (await agent.get('/knowledge/embedding')).body.data
    await meaning.filter({ hasText: `${passages - 1} of ${passages} passages have vectors.` }).waitFor()
    await assertClean(own)
    held.resolve()
    await meaning.filter({ hasText: `all ${passages} passages have vectors.` }).waitFor()
    nothingWrong()
  })
})
