import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('widgets in the console', async () => {
  const { app, browser, own, page, button, field } = await startConsole()

  const saved = async () => (await app.agent.get('/widgets')).body.data[0]

  it('is reached from the first steps, made, and shows its secret once', async () => {
    await page.goto(own.at('start'))
    await page.getByRole('link', { name: 'Make a widget' }).click()
    await page.getByRole('heading', { name: 'No widget yet' }).waitFor()
    await button('Make a widget').first().click()
    await field('Name').fill('Shop')
    await page.getByRole('combobox', { name: 'Sites' }).fill('no origin')
    await button('Make the widget').click()
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await page.getByRole('combobox', { name: 'Sites' }).press('Backspace')
    await page.getByRole('combobox', { name: 'Sites' }).fill('https://shop.example.com')
    await button('Make the widget').click()
    assert.match((await field('Identity secret').textContent()) ?? '', /^parley_identity_/)
    await button('I have copied it').click()
    await page.waitForURL(/widgets\/\d+$/)
    const { public_key } = await saved()
    const line = (await field('HTML').textContent()) ?? ''
    assert.ok(line.startsWith(`<script src="${app.url}/widget.js" data-key="${public_key}"`), line)
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('shows the widget itself with what is not saved yet', async () => {
    const chat = page.locator('parley-chat')
    await chat.waitFor()
    // As visitors see it: without a title of its own the widget has the agent's name.
    await chat.getByText('Test agent', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'New language' }).fill('en')
    await button('Add the language').click()
    await field('Greeting').fill('Hello from the **shop**')
    await field('Colour').fill('#ffe08a')
    await page.getByText(/Text on this colour is black, with a contrast of/).waitFor()
    await field('Title').fill('Ask the shop')
    await chat.getByText('Ask the shop').waitFor()
    await chat.getByText('Test agent', { exact: true }).waitFor({ state: 'hidden' })
    assert.deepEqual((await saved()).texts, {}, 'nothing is saved yet')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { look, texts } = await saved()
    assert.equal(look.color, '#ffe08a')
    assert.deepEqual(texts, { en: { greeting: 'Hello from the **shop**' } })
    await assertClean(own)
  })

  it('sends unseen answers by a mailbox of the agent, after minutes', async () => {
    const link = page.getByRole('main').getByRole('link', { name: 'Channels', exact: true })
    await link.waitFor()
    assert.match((await link.getAttribute('href')) ?? '', /\/agents\/\d+\/channels$/)
    const settings = { address: 'help@shop.example' }
    const made = await app.agent.post('/channels', { kind: 'email', name: 'Help', settings })
    assert.equal(made.status, 201, made.text)
    await page.reload()
    const minutes = field('Minutes that an answer waits to be seen')
    await field('Mailbox').waitFor()
    assert.equal(await minutes.count(), 0, 'without a mailbox there is nothing to wait for')
    await field('Mailbox').selectOption('Help · help@shop.example')
    await minutes.fill('')
    await button('Save').click()
    await page.locator('.mantine-InputWrapper-root', { has: minutes }).getByText(/1/).waitFor()
    await minutes.fill('7')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    let { continue_by, continue_after } = await saved()
    assert.deepEqual([continue_by, continue_after], [made.body.data.id, 7])
    own.faults.length = 0
    await assertClean(own)
    await field('Mailbox').selectOption('No answers by mail')
    await minutes.waitFor({ state: 'hidden' })
    await button('Save').click()
    await button('Discard changes').waitFor({ state: 'hidden' })
    ;({ continue_by, continue_after } = await saved())
    assert.deepEqual([continue_by, continue_after], [null, 7])
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('keeps a greeting and a notice that are switched off, and switches them on again', async () => {
    const { id } = await saved()
    const off = { greeting: '', notice: '' }
    assert.equal((await app.agent.patch(`/widgets/${id}`, { texts: { en: off } })).status, 200)
    await page.reload()
    await field('Footer').fill('Made by hand')
    await button('Save').click()
    await becomes(async () => (await saved()).texts.en, { ...off, footer: 'Made by hand' })
    for (const name of ['Do not greet', 'Do not say who answers, and when']) {
      const isOff = page.getByRole('switch', { name })
      assert.ok(await isOff.isChecked())
      await isOff.uncheck({ force: true })
    }
    await button('Save').click()
    await becomes(async () => (await saved()).texts.en, { footer: 'Made by hand' })
  })

  it('marks what is refused, changes the secret, and is deleted', async () => {
    await field('Where the footer leads').fill('no address')
    await button('Save').click()
    await page.locator('.mantine-InputWrapper-error').waitFor()
    await button('Discard changes').click()
    await button('Change the secret').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change the secret' }).click()
    await field('Identity secret').waitFor()
    await button('I have copied it').click()
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No widget yet' }).waitFor()
    assert.equal((await app.agent.get('/widgets')).body.total, 0)
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('is not there for people who may not manage the agent', async () => {
    const reader = await openSignedIn(browser, app, { right: 'respond' })
    await reader.page.goto(reader.at('start'))
    await reader.page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await reader.page.getByRole('link', { name: /[Ww]idget/ }).count(), 0)
    assert.deepEqual(reader.faults, [])
    await reader.close()
  })
})
