import { describe, it } from 'node:test'
import { startConsole } from '../support/start-console.ts'

describe('first steps', async () => {
  const { own, page, button, field, nothingWrong } = await startConsole()

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
})
