import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'

/** Half past ten in the evening in UTC, and the next day in Tokyo. */
const EVENING = Date.parse('2026-03-10T22:30:00Z')

describe('analytics in the console', () => {
  let app: TestApp
  let browser: Browser

  before(async () => {
    app = await startApp('sqlite', {}, () => EVENING)
    browser = await launchBrowser()
    for (const question of ['One?', 'Two?']) await app.agent.prompt(question)
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  it('tells what model calls used, and what of it is estimated or has no price', async () => {
    const { agent } = app
    const used = {
      agent_id: agent.agentId,
      day: '2026-03-10',
      calls: 2,
      prompt_tokens: 1000,
      completion_tokens: 10,
    }
    const { db } = app.app.foundation.database
    await db
      .insertInto('model_usage')
      .values([
        { ...used, model: 'priced', kind: 'answer', estimated: 0 },
        { ...used, model: 'priced', kind: 'answer', estimated: 1, day: '2026-03-09' },
        { ...used, model: 'other', kind: 'judge', estimated: 0 },
      ])
      .execute()
    await agent.patch('/agent', { prices: { priced: { input: 5, output: 0 } } })
    const own = await openSignedIn(browser, app, { right: 'read' })
    await own.page.clock.setFixedTime(EVENING)
    await own.page.goto(own.at('analytics'))
    await own.page.getByRole('row', { name: 'priced Answers 4 ≈ 2,000 ≈ 20 ≈ 0.01' }).waitFor()
    await own.page.getByRole('row', { name: 'other Judging by rules 2 1,000 10 no price' }).waitFor()
    await assertClean(own)
    await own.close()
    await db.deleteFrom('model_usage').execute()
  })

  it("stands before its figures, counts the viewer's own days, and its file has the rows of the table", async () => {
    const own = await openSignedIn(browser, app, { right: 'read', timezoneId: 'Asia/Tokyo' })
    const { page } = own
    await page.clock.setFixedTime(EVENING)
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/analytics?*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(own.at('analytics'))
    await page.getByText('By day, in your time zone (Asia/Tokyo).').waitFor()
    await page.getByRole('columnheader', { name: 'Prompts' }).waitFor()
    letThrough()
    await page.getByRole('row', { name: /^2026-03-11 2 2 / }).waitFor()
    await page.getByRole('row', { name: /^2026-03-10 0 0 / }).waitFor()
    await page.getByRole('figure').waitFor()
    await page.waitForLoadState('networkidle')
    const rows = await page.getByRole('row').count()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    assert.equal(lines.length, rows)
    assert.match(lines.at(-1) ?? '', /^2026-03-11,2,2,/)
    await page.getByLabel('From').fill('2026-03-12')
    await page.getByText('After the last day.').waitFor()
    assert.equal(await page.getByText(/Compared with/).count(), 0)
    await page.getByLabel('From').fill('2026-03-11')
    await page.getByText('After the last day.').waitFor({ state: 'hidden' })
    await assertClean(own)
    await own.close()
  })
})
