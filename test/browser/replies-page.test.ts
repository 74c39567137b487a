import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('canned replies in the settings', async () => {
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole({ right: 'respond' })
  afterEach(nothingWrong)

  const dialog = () => page.getByRole('dialog')
  const rows = () => page.getByRole('list', { name: 'Canned replies' }).getByRole('listitem')
  const stored = async () =>
    (await app.agent.get('/replies')).body.data.map(
      ({ shortcut, content, tags }: Record<string, unknown>) => ({
        shortcut,
        content,
        tags,
      }),
    )

  it('says what replies are for while there is none, marks what is refused, and keeps one', async () => {
    await page.goto(own.at('settings/replies'))
    await page.getByText('A reply is worth adding when').waitFor()
    await button('Add a reply').click()
    await dialog().getByLabel('Shortcut').fill('two words')
    await dialog().getByLabel('Text', { exact: true }).fill('Dear {user.name},\nit is on its way.')
    await button('Save').click()
    await dialog().locator('[data-path="shortcut"][aria-invalid="true"]').waitFor()
    await dialog().getByLabel('Shortcut').fill('sent')
    await dialog().getByLabel('Words to find it by').first().fill('parcel')
    await page.keyboard.press('Enter')
    await button('Save').click()
    await dialog().waitFor({ state: 'hidden' })
    await rows().getByText('/sent').waitFor()
    await becomes(stored, [
      { shortcut: 'sent', content: 'Dear {user.name},\nit is on its way.', tags: ['parcel'] },
    ])
    await assertClean(own)
  })

  it('shows what a colleague adds and removes meanwhile', async () => {
    const { body } = await app.agent.post('/replies', { shortcut: 'colleague', content: 'Good day.' })
    const theirs = rows().getByText('/colleague')
    await theirs.waitFor()
    await app.agent.call('DELETE', `/replies/${body.data.id}`)
    await theirs.waitFor({ state: 'hidden' })
  })

  it('finds, changes and deletes them', async () => {
    await app.agent.post('/replies', { shortcut: 'hours', content: 'We are open from nine to five.' })
    await page.reload()
    await becomes(() => rows().count(), 2)
    await field('Find').fill('nine')
    await rows().getByText('/sent').waitFor({ state: 'hidden' })
    await becomes(() => rows().count(), 1)
    await button('Change: hours').click()
    await dialog().getByLabel('Text', { exact: true }).fill('We are open from nine to six.')
    await button('Save').click()
    await rows().getByText('nine to six').waitFor()
    await button('Delete: hours').click()
    await dialog().getByText('Delete /hours?').waitFor()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await rows().getByText('/hours').waitFor({ state: 'hidden' })
    await becomes(async () => (await stored()).length, 1)
    await page.getByRole('heading', { name: 'No reply has these words' }).waitFor()
    await field('Find').fill('')
    await rows().getByText('/sent').waitFor()
  })

  it('stores what is typed over a version that a colleague has changed elsewhere', async () => {
    const { body } = await app.agent.post('/replies', { shortcut: 'shared', content: 'Old.' })
    await button('Change: shared').click()
    await dialog().getByLabel('Text', { exact: true }).fill('New.')
    await app.agent.patch(`/replies/${body.data.id}`, { tags: ['theirs'] })
    await dialog().getByText('theirs').waitFor()
    await button('Save').click()
    await dialog().waitFor({ state: 'hidden' })
    const of = async () => (await stored()).find((one: { shortcut: string }) => one.shortcut === 'shared')
    await becomes(of, { shortcut: 'shared', content: 'New.', tags: ['theirs'] })
    await app.agent.call('DELETE', `/replies/${body.data.id}`)
  })

  it('people who may only read change none', async () => {
    const reader = await openSignedIn(browser, app, { right: 'read' })
    await reader.page.goto(reader.at('settings/replies'))
    await reader.page.getByText('/sent').waitFor()
    assert.equal(await reader.page.getByRole('button', { name: /Add a reply|Change|Delete/ }).count(), 0)
    assert.deepEqual(reader.faults, [])
    await reader.close()
  })
})
