import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { startConsole } from '../support/start-console.ts'

describe('groups in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole()

  it('a group is added, a conversation is given to it, and goes to who is available', async () => {
    const { conversation_id: id } = await app.agent.prompt('Where is my parcel?')
    await page.goto(own.at('settings/groups'))
    await button('Add a group').click()
    await field('Name').fill('Support')
    await page.getByRole('dialog').getByLabel('People', { exact: true }).first().click()
    await page.getByRole('option', { name: 'Test Person' }).click()
    await page.keyboard.press('Escape')
    await field('Waiting conversations').selectOption('In turn')
    await field('At once').fill('3')
    await button('Save').click()
    await page.getByText('1 person · All agents · In turn · up to 3 at once').waitFor()
    await page.goto(own.at(`inbox/${id}`))
    await page.getByLabel('Group', { exact: true }).selectOption('Support')
    await page.getByText('Assigned.').waitFor()
    await app.agent.post(`/conversations/${id}/wait`)
    await page.getByRole('switch', { name: 'Available' }).click()
    await becomes(async () => {
      const { body } = await app.agent.get(`/inbox/${id}`)
      return body.data.assignee !== null && body.data.group.name
    }, 'Support')
    await nothingWrong()
  })
})
