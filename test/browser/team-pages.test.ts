import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openPage } from '../support/chromium.ts'
import { PASSWORD } from '../support/console.ts'
import { startConsole } from '../support/start-console.ts'

describe('people and keys in the settings', async () => {
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole()

  it('invites a person, who joins elsewhere, and sees only what their right allows', async () => {
    await page.goto(own.at('settings/people'))
    await button('Invite a person').click()
    await field('E-mail address').fill('grace@example.com')
    await field('Name').fill('Grace Hopper')
    await field('Right').selectOption('read')
    await button('Make the link').click()
    const link = await page.getByLabel('Link', { exact: true }).textContent()
    await button('I have copied it').click()
    const other = await openPage(browser, app.url)
    await other.page.goto(link ?? '')
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Join' }).click()
    await other.page.waitForURL('**/inbox')
    await other.page.getByRole('link', { name: 'Settings' }).waitFor()
    assert.equal(await other.page.getByRole('button', { name: 'Pause the agent' }).count(), 0)
    await other.page.getByRole('link', { name: 'Settings' }).click()
    await other.page.getByRole('link', { name: 'Your account' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'People' }).count(), 0)
    await other.page.getByRole('link', { name: 'Messages' }).click()
    await other.page.getByLabel('Greeting', { exact: true }).and(other.page.locator(':disabled')).waitFor()
    // By its address it says who can open it.
    await other.page.goto(own.at('settings/people'))
    await other.page.getByText('You may not open this page').waitFor()
    assert.deepEqual(other.faults, [])
    await page.reload()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Grace' })
      .getByRole('button', { name: 'Disable' })
      .click()
    await page.getByText('disabled', { exact: true }).waitFor()
    await other.page.reload()
    await other.page.waitForURL('**/sign-in*')
    await other.close()
    nothingWrong()
  })

  it('shows the people beyond the first page, and counts all who lack a second factor', async () => {
    const { db } = app.app.foundation.database
    const { team_id } = await db.selectFrom('operators').select('team_id').executeTakeFirstOrThrow()
    const created_at = new Date().toISOString()
    const people = Array.from({ length: 120 }, (_, at) => ({
      ...{ team_id, created_at, right: 'read' as const, name: `Person ${at}.` },
      email: `person-${at}@example.com`,
    }))
    await db.insertInto('operators').values(people).execute()
    await page.goto(own.at('settings/people'))
    await page.getByText('Person 119.').waitFor()
    assert.equal(await page.getByText('Person 69.').count(), 0)
    await button('Show more').click()
    await page.getByText('Person 69.').waitFor()
    // Who has none is told only to an owner who has one.
    await db.updateTable('operators').set({ totp_secret: 'set up' }).where('right', '=', 'own').execute()
    await page.goto(own.at('settings/team'))
    await page.getByText(/12\d people have none so far/).waitFor()
    nothingWrong()
  })

  it('shows a key once, and revokes it', async () => {
    await page.goto(own.at('settings/credentials'))
    await field('Name of a new key').fill('Web shop')
    await button('Make a key').click()
    const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? ''
    assert.match(key, /^parley_key_/)
    await button('I have copied it').click()
    await becomes(async () => (await page.content()).includes(key), false)
    const row = page.getByRole('listitem').filter({ hasText: 'Web shop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('revoked').waitFor()
    nothingWrong()
  })
})
