import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { openConsole } from '../support/console.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

describe('macros in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole({ right: 'respond' })
  afterEach(nothingWrong)

  it('say whose they are when they are no longer shared, and which variables have no value', async () => {
    const { conversation_id: id } = await app.agent.prompt('Where is my lamp?')
    await page.goto(own.at('settings/macros'))
    await button('Add macro').click()
    await field('Name').fill('Welcome')
    const shared = page.getByRole('checkbox', { name: 'Everyone on the team has it' })
    await shared.check()
    await field('Text').fill('Hello {user.name}, your plan is {tags.plan}.')
    await button('Save').click()
    await button('Edit macro: Welcome').click()
    await shared.uncheck()
    await page.getByText('Only the person who made it will keep it.').waitFor()
    await takeLooks(page, 'macro-unshared')
    await assertClean(own)
    await page.keyboard.press('Escape')
    await page.goto(own.at(`inbox/${id}`))
    await page.getByText('Where is my lamp?').last().waitFor()
    await page.keyboard.press('q')
    await field('Find a macro').fill('wel')
    await page.keyboard.press('Enter')
    await page.getByText('no value here for {user.name}, {tags.plan}').waitFor()
    await takeLooks(page, 'macro-unfilled')
  })

  it('are made in the settings, previewed and run by the keyboard, undone, and run in many', async () => {
    const ids: string[] = []
    for (let n = 0; n < 2; n++) ids.push((await app.agent.prompt('Where is my parcel?')).conversation_id)
    const console = Object.assign(openConsole(app), { cookie: own.cookie })
    const tagsOf = async (id = '') =>
      (await console.call('GET', `/agents/${app.agent.agentId}/conversations/${id}`)).body.data.tags

    await page.goto(own.at('settings/macros'))
    await button('Add macro').click()
    await field('Name').fill('Refund')
    await field('Action 1').selectOption('tag')
    await field('Tag').fill('refund')
    await takeLooks(page, 'macros')
    await assertClean(own)
    await button('Save').click()
    await page.getByText('Tag the conversation').waitFor()

    await page.goto(own.at(`inbox/${ids[0]}`))
    await page.getByText('Where is my parcel?').last().waitFor()
    await page.keyboard.press('q')
    await field('Find a macro').fill('ref')
    await page.keyboard.press('Enter')
    await page.getByText('will be done').waitFor()
    await assertClean(own)
    await page.keyboard.press('Enter')
    await becomes(() => tagsOf(ids[0]), { refund: true })
    // The notice offers the same for a while.
    await page.getByText('ran a macro (Refund').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('undid a macro (Refund').waitFor()
    assert.deepEqual(await tagsOf(ids[0]), {})

    // The same from a row of the list, whatever conversation is open.
    await page.goto(own.at('inbox'))
    const row = page.locator(`[data-row="${ids[1]}"]`)
    const run = async () => {
      await row.focus()
      await page.keyboard.press('q')
      await field('Find a macro').press('Enter')
      await page.getByText('will be done').waitFor()
      await page.keyboard.press('Enter')
      await becomes(() => tagsOf(ids[1]), { refund: true })
    }
    await run()
    const notice = page.getByRole('region', { name: 'Refund' })
    await notice.getByText('Refund was run.').waitFor()
    await takeLooks(page, 'macro-ran')
    // After a change of the window's size, a notice is there twice for a moment.
    await becomes(() => notice.count(), 1)
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('What can be undone was undone.').waitFor()
    assert.deepEqual(await tagsOf(ids[1]), {})
    await notice.waitFor({ state: 'hidden' })
    await run()
    await notice.getByText('Refund was run.').waitFor()
    await page.keyboard.press('z')
    await becomes(() => tagsOf(ids[1]), {})
    await notice.waitFor({ state: 'hidden' })

    // An act on many begins at once, so that the test need not wait until it can no longer be called off.
    await page.route('**/inbox/bulk', (route) => {
      const body = { ...route.request().postDataJSON(), delay_seconds: 0 }
      return route.continue({ postData: body })
    })
    const many = page.getByRole('region', { name: 'Selected conversations' })
    const runInBoth = async () => {
      for (const id of ids) await page.locator(`li:has([data-row="${id}"])`).getByRole('checkbox').check()
      await button('Macro').click()
      await field('Find a macro').fill('ref')
      await field('Find a macro').press('Enter')
      await button('Run in 2 conversations').click()
      await many.getByText('2 conversations were changed.').waitFor()
    }
    await runInBoth()
    await console.call('PATCH', `/agents/${app.agent.agentId}/conversations/${ids[0]}`, {
      tags: { refund: null },
    })
    await takeLooks(page, 'macro-ran-in-many')
    await becomes(() => many.count(), 1)
    await many.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('z')
    await page
      .getByText(
        'What can be undone was undone in 1 conversation. Not, or not entirely, in 1: 1 in which something was changed since.',
      )
      .waitFor()
    assert.deepEqual(await tagsOf(ids[1]), {})
    await many.waitFor({ state: 'hidden' })

    // A run that failed has changed some conversations, too: it offers the same.
    await page.route('**/inbox/bulk/*', async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      if (data.action?.type === 'macro' && data.state === 'done') data.state = 'failed'
      return route.fulfill({ response, json: { data } })
    })
    const failure = 'It stopped before the end: 2 conversations were changed. Try again.'
    await runInBoth()
    await many.getByText(failure).waitFor()
    await takeLooks(page, 'macro-failed-in-many')
    await becomes(() => many.count(), 1)
    await many.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('z')
    await page.getByText('What can be undone was undone in 2 conversations.').waitFor()
    for (const id of ids) assert.deepEqual(await tagsOf(id), {}, id)
    await many.waitFor({ state: 'hidden' })

    // The offer passes, the failure stays.
    await runInBoth()
    await page.getByRole('alert').getByText(failure).waitFor()
    await many.waitFor({ state: 'hidden' })

    // Long after, from the timeline of any of them.
    await page.goto(own.at(`inbox/${ids[0]}`))
    await button('Undo in all').waitFor()
    await takeLooks(page, 'macro-undo-in-all')
    await assertClean(own)
    await button('Undo in all').click()
    await page.getByText('What can be undone was undone in 2 conversations.').waitFor()
    for (const id of ids) assert.deepEqual(await tagsOf(id), {}, id)
    await button('Undo in all').waitFor({ state: 'hidden' })
  })
})
