import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { isSigned } from '../../src/receipts/receipt.ts'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'
import { addWidget } from '../support/widget-visitors.ts'

describe('users', async () => {
  // Two rows a call, so that redacting takes several.
  const { app, browser, own, page, button, nothingWrong } = await startConsole({
    // Mails to visitors link to the public address.
    env: { PARLEY_REDACTION_BATCH: '2', PARLEY_PUBLIC_URL: 'http://127.0.0.1:8080' },
  })

  it('says what the page is for as long as there is nobody', async () => {
    await page.goto(own.at('users'))
    await page.getByRole('heading', { name: 'Nobody yet' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
  })

  const order2 = () => page.getByRole('listitem').filter({ hasText: 'order-2' }).getByRole('link')

  it('lists and finds people, and shows one with their conversations', async () => {
    for (let at = 1; at <= 3; at++)
      await app.agent.prompt(`My address is jane${at}@example.com`, {
        user: 'jane/1',
        external_id: `order-${at}`,
      })
    await app.agent.prompt('Hello', { user: 'linus' })
    await page.reload()
    await page.getByRole('link', { name: 'linus' }).waitFor()
    await page.getByLabel('An id, a name or an attribute').fill('jan')
    await page.getByRole('link', { name: 'linus' }).waitFor({ state: 'hidden' })
    await page.waitForURL(/q=jan/)
    await page.getByRole('link', { name: 'jane/1' }).click()
    await page.getByText('3 conversations, 3 questions').waitFor()
    await order2().waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
  })

  it('blocks a person after a question, says so in their conversations, and unblocks them', async () => {
    const blockedAt = async () => (await app.agent.get('/users/jane%2F1')).body.data.blocked_at !== null
    await button('Block').click()
    await page.getByText('They are not told.').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await button('Unblock').waitFor()
    await becomes(blockedAt, true)
    await page.getByText('Blocked', { exact: true }).waitFor()
    await order2().click()
    await page.getByRole('complementary', { name: 'Details' }).getByText('Blocked', { exact: true }).waitFor()
    await page.goBack()
    await button('Unblock').click()
    await button('Block').waitFor()
    await becomes(blockedAt, false)
    nothingWrong()
  })

  const attributes = async () => (await app.agent.get('/users/jane%2F1')).body.data.attributes

  it('names a visitor of a site by the beginning of their id until the site says who they are', async () => {
    const widget = await addWidget(app, app.agent)
    const visitor = await widget.visit()
    const { visitor_id } = visitor.session
    const { conversation_id } = (await visitor.say('A stranger asks')).first
    const ada = { id: 'ada-1', name: 'Ada Lovelace', hash: widget.hash('ada-1') }
    await (await widget.visit({ user: ada })).say('A friend asks')
    const name = `Visitor ${visitor_id.slice('visitor_'.length, 'visitor_'.length + 4)}`

    await page.goto(own.at(`inbox/${conversation_id}`))
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.locator('.inbox-row', { hasText: name }).waitFor()
    await page.locator('.inbox-row', { hasText: 'Ada Lovelace' }).waitFor()
    await page.getByText(visitor_id, { exact: true }).waitFor()
    await page.goto(own.at('users'))
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.goto(own.at('users?q=jan'))
    await page.getByRole('link', { name: 'jane/1' }).click()
    nothingWrong()
  })

  it('sets the name and attributes, and takes one away', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Jane Doe')
    await button('Add an attribute').click()
    await page.getByLabel('Attribute', { exact: true }).fill('plan')
    await page.getByLabel('Value', { exact: true }).fill('gold')
    await button('Save').click()
    await page.getByRole('heading', { name: 'Jane Doe' }).waitFor()
    await becomes(attributes, { plan: 'gold' })
    await button('Remove plan').click()
    await button('Save').click()
    await button('Discard changes').waitFor({ state: 'hidden' })
    await becomes(attributes, {})
    nothingWrong()
  })

  it('downloads everything that is stored of a person', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download everything' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'user.jsonl')
    const text = await readFile(await download.path(), 'utf8')
    assert.match(text, /jane2@example\.com/)
    nothingWrong()
  })

  it('anonymizes everything of a person until nothing remains, after the id was typed', async () => {
    await button('Anonymize').click()
    const dialog = page.getByRole('dialog', { name: 'Anonymize everything of jane/1?' })
    await dialog.getByRole('button', { name: 'Anonymize', disabled: true }).waitFor()
    await dialog.getByLabel('Type “jane/1” to confirm').fill('jane/1')
    assert.deepEqual(await accessibilityFaults(page), [])
    await dialog.getByRole('button', { name: 'Anonymize' }).click()
    await page.getByText('3 messages were changed; 0 are left.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'jane/1' }).waitFor()
    assert.equal((await app.agent.get('/search?q=jane2')).body.total, 0)
    assert.equal((await app.agent.get('/users/jane%2F1')).body.data.name, null)
    nothingWrong()
  })

  it('ends with the receipt, and with a fresh search that finds nothing', async () => {
    await page.getByText('Personal data was replaced', { exact: true }).waitFor()
    const search = page.getByLabel('Search again in what is left of this person')
    assert.match(await search.inputValue(), /^jane\d@example\.com$/)
    await page.getByText('Nothing is found.').waitFor()
    await search.fill('address')
    await page.getByText('Still found in 3 texts.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the receipt' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^receipt-[\da-f-]{36}\.json$/)
    const signed = JSON.parse(await readFile(await download.path(), 'utf8'))
    assert.ok(isSigned(signed))
    assert.deepEqual(Object.keys(signed).sort(), ['public_key', 'receipt', 'signature'])
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
  })

  it('does not write erased data again with the next save', async () => {
    const name = page.getByLabel('Name', { exact: true })
    await becomes(() => name.inputValue(), '')
    await button('Add an attribute').click()
    await page.getByLabel('Attribute', { exact: true }).fill('plan')
    await page.getByLabel('Value', { exact: true }).fill('free')
    await button('Save').click()
    await becomes(attributes, { plan: 'free' })
    assert.equal((await app.agent.get('/users/jane%2F1')).body.data.name, null)
    nothingWrong()
  })

  it('refuses what was typed over a change of somebody else, until it is discarded', async () => {
    const name = page.getByLabel('Name', { exact: true })
    await button('Discard changes').waitFor({ state: 'hidden' })
    await name.fill('Mine')
    await app.agent.patch('/users/jane%2F1', { name: 'Theirs' })
    await button('Save').click()
    await page.getByText('This was changed meanwhile').first().waitFor()
    assert.equal((await app.agent.get('/users/jane%2F1')).body.data.name, 'Theirs')
    assert.equal(await name.inputValue(), 'Mine')
    await button('Discard changes').click()
    await becomes(() => name.inputValue(), 'Theirs')
    own.faults.length = 0
  })

  it('is clean on a phone and in the dark; who may only read changes nothing', async () => {
    await assertClean(own)
    const reader = await openSignedIn(browser, app, { right: 'read' })
    await reader.page.goto(reader.at('users/linus'))
    await reader.page.getByRole('heading', { level: 1, name: 'linus' }).waitFor()
    await reader.page.getByLabel('Name', { exact: true }).and(reader.page.locator(':disabled')).waitFor()
    assert.equal(await reader.page.getByRole('button', { name: 'Anonymize' }).count(), 0)
    assert.deepEqual(reader.faults, [])
    await reader.close()
    nothingWrong()
  })

  it('shows the addresses that somebody left in a widget, and what became of each', async () => {
    const settings = { address: 'help@shop.example' }
    const channel = await app.agent.post('/channels', { kind: 'email', settings })
    assert.equal(channel.status, 201, channel.text)
    const widget = await addWidget(app, app.agent, { continue_by: channel.body.data.id })
    const visitor = await widget.visit()
    await visitor.say('Is my parcel there?')
    const leaves = async (address: string | null) => {
      const { status, text } = await visitor.post('/mail', { address })
      assert.equal(status, 200, text)
    }
    await leaves('anna@example.org')
    await page.goto(own.at(`users/${encodeURIComponent(`widget:${visitor.session.visitor_id}`)}`))
    const row = page
      .getByRole('list', { name: 'Addresses left in a chat' })
      .getByRole('listitem')
      .filter({ hasText: 'anna@example.org' })
    await row.getByText('has not answered yet').waitFor()
    await leaves(null)
    await page.reload()
    await row.getByText('taken back').waitFor()
    await assertClean(own)
    await page.goto(own.at('users/linus'))
    await page.getByRole('heading', { level: 1, name: 'linus' }).waitFor()
    assert.equal(await page.getByText('Addresses left in a chat').count(), 0)
    nothingWrong()
  })
})
