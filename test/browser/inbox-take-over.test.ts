import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

describe('a conversation that a person takes over', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole({ called: 'Ada Lovelace' })

  const thread = () => page.getByRole('log', { name: 'What was said' })

  it('sees a conversation arrive, takes it over, answers, notes, and hands it back', async () => {
    await page.goto(own.at('inbox'))
    await page.getByRole('heading', { name: 'Choose a conversation' }).waitFor()
    await page.waitForLoadState('networkidle')
    const { conversation_id } = await app.agent.prompt('Where is my parcel?', { user: 'Linus' })
    await page.getByRole('link', { name: /Linus/ }).click()
    await thread().getByText('Where is my parcel?').waitFor()
    await thread().getByRole('button', { name: 'Why this answer?' }).click()
    await thread().getByText('completion').waitFor()
    await page.getByText('answers in this conversation.').waitFor()
    await button('Take over to answer').click()
    await thread().getByText('Ada Lovelace took over').waitFor()
    // Taking a conversation over assigns it and focuses the answer's field.
    await field('Answer to the user').and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: /Linus.*Ada Lovelace/ }).waitFor()
    await button('Release').waitFor()
    await field('Answer to the user').fill('I look into it, **Linus**.')
    await page.keyboard.press('Control+Enter')
    await thread().locator('strong', { hasText: 'Linus' }).waitFor()
    await page.getByText('Note', { exact: true }).click()
    await field('Note for colleagues; the user never sees it').fill('A regular.')
    await button('Add the note').click()
    await thread().getByText('Note by Ada Lovelace').waitFor()
    // The user writes on, and it stands there without a reload.
    await app.agent.prompt('Thanks!', { conversation_id })
    await thread().getByText('Thanks!').waitFor()
    await button('Release').click()
    await button('Assign to me').click()
    await button('Release').waitFor()
    await button('Hand back to the agent').click()
    await thread().getByText('handed it back to the agent').waitFor()
    nothingWrong()
  })

  it('ends a conversation and opens it again', async () => {
    await button('End').click()
    await button('Reopen').click()
    await thread().getByText('Ada Lovelace opened it again').waitFor()
    await button('End').waitFor()
    nothingWrong()
  })

  it('keeps what was not sent, and asks before it answers what somebody else has answered', async () => {
    await button('Take over').click()
    await page.getByText('Reply', { exact: true }).click()
    await field('Answer to the user').fill('It leaves today.')
    await page.reload()
    await becomes(() => field('Answer to the user').inputValue(), 'It leaves today.')
    await field('Answer to the user').fill('')
    await field('Answer to the user').pressSequentially('It leaves today')
    const conversation = new URL(page.url()).pathname.split('/').at(-1)
    const answered = await app.agent.post(`/conversations/${conversation}/messages`, {
      content: 'It left yesterday.',
      author: 'Grace',
    })
    assert.equal(answered.status, 200, answered.text)
    await button('Send the answer').click()
    await page.getByText('Somebody has answered since you began to write.').waitFor()
    await page.getByRole('log').getByText('It left yesterday.').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Send anyway').click()
    await page.getByRole('log').getByText('It leaves today').waitFor()
    await becomes(() => field('Answer to the user').inputValue(), '')
    nothingWrong()
  })

  it('removes the text of an answer for good', async () => {
    await thread().getByRole('button', { name: 'Why this answer?' }).first().click()
    await thread().getByRole('button', { name: 'Remove all text' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove all text' })
    await dialog.getByLabel('Type “redact” to confirm').fill('redact')
    await dialog.getByRole('button', { name: 'Remove all text' }).click()
    await page.getByText(/\d messages were changed/).waitFor()
    await thread().getByText('[REDACTED]').first().waitFor()
    await thread().getByText('Where is my parcel?').first().waitFor({ state: 'hidden' })
    nothingWrong()
  })
})
