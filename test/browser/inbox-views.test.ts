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
    await button('Change this view').click()
    await button('Delete view').click()
    await becomes(stored, [])
    await saved().waitFor({ state: 'detached' })
  })
})
