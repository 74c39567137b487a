import { describe, it } from 'node:test'
import { addNotification } from '../support/receiver.ts'
import { startConsole } from '../support/start-console.ts'

describe('first steps', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole()

  it('answers a first question, and from what it was taught', async () => {
    await page.goto(own.at('start'))
    await field('A question that people ask').fill('How long does delivery take?')
    await field('Its answer').fill('Two to four working days.')
    await button('Add to the knowledge').click()
    await page.getByText('Added. Ask the agent above.').waitFor()
    await field('Your question').fill('How long does delivery take?')
    await page.keyboard.press('Enter')
    await page.getByText('Sources: How long does delivery take?').waitFor()
    await page.getByRole('log').getByText('Two to four working days.').waitFor()
    await page.getByText('Added. Ask the agent above.').waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('shows what keeps the agent from its work, or makes it less safe', async () => {
    const { id } = await addNotification(app.agent, 'http://127.0.0.1:9/', { name: 'Orders' })
    const { db, engine } = app.app.foundation.database
    engine.rowSecurityWarning = async () => 'the role bypasses row-level security'
    const held_until = new Date(Date.now() + 3_600_000).toISOString()
    await db.updateTable('notifications').set({ held_until }).where('id', '=', id).execute()
    await page.goto(own.at('start'))
    const problems = page.getByRole('region', { name: 'Needs you' })
    await problems.getByText('bypasses row-level security').waitFor()
    await problems.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    nothingWrong()
  })
})
