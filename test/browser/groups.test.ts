import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
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
    nothingWrong()
  })

  it('a row and a selection are given to a group, to a person and to nobody by the keyboard', async () => {
    await app.agent.post('/groups', { name: 'Billing' })
    const { conversation_id: id } = await app.agent.prompt('Where is my kettle?')
    const given = async () => {
      const { assignee, group } = (await app.agent.get(`/inbox/${id}`)).body.data
      return [assignee?.name ?? null, group?.name ?? null]
    }
    await page.goto(own.at('inbox?q=kettle'))
    const row = page.locator('.inbox-row')
    await row.focus()
    const dialog = page.getByRole('dialog')
    const assign = async (typed: string) => {
      await page.keyboard.press('a')
      await dialog.getByLabel('To whom', { exact: true }).fill(typed)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.keyboard.press('a')
    await dialog.getByRole('group', { name: 'Groups' }).getByRole('button', { name: 'Billing' }).waitFor()
    await takeLooks(page, 'assign')
    await assertClean(own)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await row.focus()
    await assign('bill')
    await becomes(given, [null, 'Billing'])
    await row.focus()
    await assign('test p')
    await becomes(given, ['Test Person', 'Billing'])
    await row.focus()
    await assign('unassi')
    await becomes(given, [null, 'Billing'])

    await begin({ after: 0 })
    await page.getByRole('checkbox').check()
    await page.getByText('1 selected').waitFor()
    await assign('no group')
    await becomes(given, [null, null])
    await page.getByRole('checkbox').check()
    await page.getByText('1 selected').waitFor()
    await assign('bill')
    await becomes(given, [null, 'Billing'])
    nothingWrong()
  })

  /** Has acts on selected conversations begin after another time than ten seconds. */
  const begin = ({ after }: { after: number }) =>
    page.route('**/inbox/bulk', (route) =>
      route.continue({
        postData: JSON.stringify({ ...route.request().postDataJSON(), delay_seconds: after }),
      }),
    )
})
