import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { CLOCKS } from '../../src/targets/store.ts'
import { becomes } from '../support/becomes.ts'
import { assertClean, takeLooks, takePicture } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

describe('targets in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole()
  afterEach(nothingWrong)
  const { database } = app.app.foundation

  it('one is added, refused without times, changed and deleted', async () => {
    await page.goto(own.at('settings/targets'))
    await page.getByText('No targets yet').waitFor()
    await takeLooks(page, 'targets-empty')
    await button('Add a target').click()
    await field('Name').fill('Everyone')
    await button('Save').click()
    await page.getByText('At least one of the times must be set').waitFor()
    await takeLooks(page, 'targets-refused')
    own.faults.splice(0)
    await field('First answer').fill('30')
    await field('End of the conversation').fill('480')
    await page.getByRole('switch', { name: 'Only count the hours in which people are there' }).click()
    await assertClean(own)
    await button('Save').click()
    await page.getByText('First answer: 30 minutes · End of the conversation: 480 minutes').waitFor()
    await button('Add a target').click()
    await field('Name').fill('Nobody')
    await field('Further answers').fill('1')
    await button('Save').click()
    await page.getByText('Further answers: 1 minute').waitFor()
    await takeLooks(page, 'targets')
    await assertClean(own)
    const of = page.getByRole('listitem').filter({ hasText: 'Nobody' })
    await of.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await of.waitFor({ state: 'detached' })
    const { body } = await app.agent.get('/targets')
    const [{ name, first_response, resolution, within_hours }, ...others] = body.data
    assert.deepEqual([name, first_response, resolution, within_hours], ['Everyone', 30, 480, false])
    assert.deepEqual(others, [])
  })

  it('a group is given hours of its own', async () => {
    await page.goto(own.at('settings/groups'))
    await button('Add a group').click()
    await field('Name').fill('Support')
    await page.getByText('Without hours of its own').waitFor()
    await page.getByRole('switch', { name: 'People are there at certain hours' }).click()
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
    await field('To').fill('16:30')
    await takeLooks(page, 'group-hours')
    await assertClean(own)
    await button('Save').click()
    await page.getByText(/16:30 \(Europe\/Berlin\)/).waitFor()
    const { body } = await app.agent.get('/groups')
    assert.deepEqual(body.data[0].hours, {
      time_zone: 'Europe/Berlin',
      week: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '16:30' }],
      holidays: [],
    })
  })

  it('the inbox shows what is due and what is missed, and sorts by it', async () => {
    const ids: string[] = []
    for (const content of ['Where is my parcel?', 'My parcel is broken.', 'Do you sell boxes?']) {
      const { conversation_id: id } = await app.agent.prompt(content, { user: `person-${ids.length}` })
      ids.push(id)
    }
    const [late = '', waiting = ''] = ids
    for (const id of [late, waiting]) await app.agent.post(`/conversations/${id}/wait`)
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
    await database.db
      .updateTable('target_clocks')
      .set({ since: anHourAgo, due_at: anHourAgo })
      .where('conversation_id', '=', late)
      .where('kind', '=', 'first_response')
      .execute()
    database.wakeUps.send(CLOCKS)
    await becomes(async () => (await app.agent.get(`/inbox/${late}`)).body.data.due.state, 'missed')

    await page.goto(own.at('inbox'))
    const row = (id: string) => page.locator(`[data-row="${id}"]`)
    await row(late).getByText('missed 30 min. ago').waitFor()
    await row(waiting)
      .getByText(/due in (29|30) min\./)
      .waitFor()
    for (const sort of [/^Newest first/, /^Longest waiting first/, /^Most urgent first/])
      await page.getByRole('button', { name: sort }).click()
    await page.getByRole('button', { name: /^Due first/ }).waitFor()
    const order = () =>
      page.locator('[data-row]').evaluateAll((rows) => rows.map(({ dataset }) => dataset.row))
    await becomes(order, [late, waiting, ids[2]])
    await takeLooks(page, 'due-list')
    await row(late).click()
    await page.getByText(/^First answer: missed/).waitFor()
    await page.getByText('Target missed (Everyone)').waitFor()
    await takeLooks(page, 'due')
    await takePicture(page, 'due')
    await assertClean(own)
  })
})
