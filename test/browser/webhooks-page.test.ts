import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessibilityFaults } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

describe('webhooks in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole()

  it('makes a webhook, tests it, reads what was sent, and sends it again', async () => {
    await page.goto(own.at('webhooks'))
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    await field('Name').fill('Desk')
    await field('Address').fill('http://169.254.169.254/')
    await button('Make the webhook').click()
    await page.locator('[data-path="url"][aria-invalid="true"]').waitFor()
    await field('Address').fill(`${app.url}/healthz`)
    await button('Make the webhook').click()
    assert.match((await page.getByLabel('Secret', { exact: true }).textContent()) ?? '', /^\S{16,}$/)
    await button('I have copied it').click()
    await page.waitForURL(/webhooks\/\d+$/)
    await button('Send a test').click()
    const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').last()
    await row.getByText('rejected').waitFor()
    await row.getByRole('button', { name: 'Details' }).click()
    await row.getByText('"prompt_submit"').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await row.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is sent again.').waitFor()
    nothingWrong()
  })
})
