import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { signInNew } from '../support/console.ts'
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
    await page
      .getByText('Test Person · All agents · In turn · up to 3 at once · Hours of each agent')
      .waitFor()
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

  it('the list has the hours and the people, and says how conversations get there until an automation does it', async () => {
    const group = (await app.agent.get('/groups')).body.data[0]
    const gone = await signInNew(app, { teamId: app.agent.teamId, right: 'respond' })
    await gone.call('PATCH', '/profile', { name: 'Grace' })
    await app.agent.patch(`/operators/${gone.operatorId}`, { active: false })
    const hours = {
      time_zone: 'Europe/Berlin',
      week: [
        { days: [1, 2, 3, 5], from: '09:00', to: '17:00' },
        { days: [6, 7], from: '10:00', to: '12:00' },
      ],
      holidays: [],
    }
    const operators = [...group.operators, gone.operatorId]
    assert.equal((await app.agent.patch(`/groups/${group.id}`, { hours, operators })).status, 200)
    await page.goto(own.at('settings/groups'))
    const about = 'Mon–Wed, Fri 09:00–17:00, Sat, Sun 10:00–12:00 (Europe/Berlin)'
    await page
      .getByText(`Test Person, Grace (disabled) · All agents · In turn · up to 3 at once · ${about}`)
      .waitFor()
    const hint = page.getByText(/No automation of Test agent gives conversations to a group/)
    await hint.waitFor()
    await assertClean(own)
    await takeLooks(page, 'groups')
    const assign = [{ type: 'assign', group_id: group.id }]
    const route = await app.agent.post('/automations', { name: 'Route', on: 'waiting', actions: assign })
    assert.equal(route.status, 201, route.text)
    await page.getByRole('link', { name: 'To the automations' }).click()
    await page.getByText('Route').waitFor()
    await page.goto(own.at('settings/groups'))
    await page.getByText(about).waitFor()
    await hint.waitFor({ state: 'hidden' })
    // The next test gives conversations away itself.
    await app.agent.call('DELETE', `/automations/${route.body.data.id}`)
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
