import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openConsole } from '../support/console.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

describe('saved views in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole({ right: 'respond' })
  afterEach(nothingWrong)
  const saved = () => page.getByRole('navigation', { name: 'Saved views' })

  it('are saved from the filters, stand in the side bar with their count, and are changed and deleted', async () => {
    for (const plan of ['gold', 'gold', 'free']) await app.agent.prompt('Hello', { tags: { plan } })
    await page.goto(own.at('inbox?view=open&tag=plan:gold'))
    await button('Save as a view').click()
    await field('Name').fill('Gold customers')
    await field('For everybody in the team').check()
    await field('Name').press('Enter')
    const link = saved().getByRole('link', { name: 'Gold customers' })
    await link.waitFor()
    await becomes(() => link.textContent(), 'Gold customers2')
    assert.equal(await link.getAttribute('aria-current'), 'page')
    await takeLooks(page, 'saved-views')
    await assertClean(own)
    await page.goto(own.at('inbox?view=all'))
    await link.click()
    await page.waitForURL(/tag=plan/)
    await becomes(() => link.getAttribute('aria-current'), 'page')
    const console = Object.assign(openConsole(app), { cookie: own.cookie })
    const stored = async () =>
      (await console.call('GET', `/agents/${app.agent.agentId}/views`)).body.data.map(
        ({ name, shared }: { name: string; shared: boolean }) => [name, shared],
      )
    assert.deepEqual(await stored(), [['Gold customers', true]])
    await button('Change this view').click()
    await field('Name').fill('Gold')
    await button('Save').click()
    await becomes(stored, [['Gold', true]])
    // The form closes once the change is read; until then, the button would only close it.
    await field('Name').waitFor({ state: 'detached' })
    await button('Change this view').click()
    await button('Delete view').click()
    await becomes(stored, [])
    await saved().waitFor({ state: 'detached' })
  })

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

  it('keep each filter but the user and the words, also in place of what a view kept', async () => {
    const { id: group_id } = (await app.agent.post('/groups', { name: 'Sales' })).body.data
    const { conversation_id } = await app.agent.prompt('Hello')
    await app.agent.put(`/conversations/${conversation_id}/assignee`, { group_id })
    await app.agent.put(`/conversations/${conversation_id}/priority`, { priority: 'urgent' })
    await app.agent.put(`/conversations/${conversation_id}/snooze`, { until: inDays(9) })
    const figure = `conversations:${inDays(-1).slice(0, 10)}:${inDays(1).slice(0, 10)}:UTC`
    const counted = async () =>
      (await app.agent.get(`/inbox?view=snoozed&in=${encodeURIComponent(figure)}`)).body.data.length
    await becomes(counted, 1)
    await page.goto(
      own.at(`inbox?view=snoozed&sort=due&group=${group_id}&priority=urgent&q=hello&in=${figure}`),
    )
    await button('Filters: 4 are set').waitFor()
    await button('Save as a view').click()
    await page.getByText('The view is saved without the user and the words.').waitFor()
    await field('Name').fill('Urgent sales')
    await field('Name').press('Enter')
    const link = saved().getByRole('link', { name: 'Urgent sales' })
    await becomes(() => link.textContent(), 'Urgent sales1')
    const console = Object.assign(openConsole(app), { cookie: own.cookie })
    const queries = async () =>
      (await console.call('GET', `/agents/${app.agent.agentId}/views`)).body.data.map(
        ({ query }: { query: object }) => query,
      )
    const query = { view: 'snoozed', group: group_id, priority: 'urgent' }
    assert.deepEqual(await queries(), [{ ...query, in: figure, sort: 'due' }])
    await link.click()
    await page.waitForURL((url) => !url.search.includes('q='))
    await page.getByLabel('Priority', { exact: true }).selectOption('High')
    await button('Save as a view').click()
    await field('In place of').selectOption('Urgent sales')
    await takeLooks(page, 'view-in-place')
    await assertClean(own)
    await field('Name').fill('High sales')
    await button('Save view').click()
    await becomes(queries, [{ ...query, priority: 'high', in: figure, sort: 'due' }])
    await becomes(
      () => saved().getByRole('link', { name: 'High sales' }).getAttribute('aria-current'),
      'page',
    )
  })

  it('keep an order without filters', async () => {
    await page.goto(own.at('inbox?sort=priority'))
    await button('Filters').click()
    await button('Save as a view').click()
    await field('Name').fill('By priority')
    await field('Name').press('Enter')
    await saved().getByRole('link', { name: 'By priority' }).waitFor()
  })
})
