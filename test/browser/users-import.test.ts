import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessibilityFaults, isTooWide } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

describe('import of users', async () => {
  const { app, own, page, button, nothingWrong } = await startConsole()
  const dialog = page.getByRole('dialog', { name: 'Import users' })
  /** Chooses a file by the keyboard; the button has the focus when the dialog opens. */
  const choose = async (content: string) => {
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: /^Choose/ }).press('Enter')
    const chooser = await choosing
    await chooser.setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  }

  it('shows what becomes of each row, and stores it then', async () => {
    await app.agent.prompt('Hello', { user: 'ada' })
    await page.goto(own.at('users'))
    await button('Import…').press('Enter')
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Import 0 users', disabled: true }).waitFor()
    await choose('name\nAda\n')
    await dialog.getByRole('alert').getByText('Line 1: no column has the name "id"').waitFor()
    await choose('id,name\nada,Ada Lovelace\ngrace,Grace Hopper\n,Nobody\nada,Again\n')
    const status = dialog.getByRole('status')
    await status.getByText('Nothing is stored yet. New: 1 · Changed: 1 · Left out: 2').waitFor()
    assert.equal(await dialog.getByRole('alert').count(), 0)
    const rows = dialog.getByRole('list', { name: 'Rows of the file' }).getByRole('listitem')
    assert.deepEqual(await rows.allInnerTexts().then((all) => all.map((one) => one.split(/\n+/))), [
      ['Line 4', 'Left out', 'id: is missing'],
      ['ada', 'Left out', 'Line 5 · id: the same person as on line 2'],
      ['ada', 'Changed', 'Line 2'],
      ['grace', 'New', 'Line 3'],
    ])
    assert.equal((await app.agent.get('/users')).body.total, 1)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await accessibilityFaults(page), [], colorScheme)
    }
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await isTooWide(page), false, 'on a phone')
    if (size) await page.setViewportSize(size)
    await dialog.getByRole('button', { name: 'Import 2 users' }).press('Enter')
    await status.getByText('Imported. New: 1 · Changed: 1 · Left out: 2').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    for (const name of ['Ada Lovelace', 'Grace Hopper']) await page.getByRole('link', { name }).waitFor()
    nothingWrong()
  })
})
