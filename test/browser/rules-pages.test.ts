import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { openConsole, signInNew } from '../support/console.ts'
import { assertClean } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

describe('rules in the console', async () => {
  const { app, own, page, button, field, nothingWrong } = await startConsole()

  const trial = () => page.getByRole('region', { name: 'Try it' })
  const log = () => page.getByRole('region', { name: 'Log' })

  it('a guardrail is made, tried on a recent question, and its log tells when it acted', async () => {
    const words = { name: 'Rivals', kind: 'keywords', settings: { words: ['Acme'] } }
    assert.equal((await app.agent.post('/evaluators', words)).status, 201)
    await app.agent.prompt('Is Acme cheaper?', { user: 'Grace' })
    await page.goto(own.at('rules/guardrails/new'))
    await page.getByLabel('Name', { exact: true }).fill('No rivals')
    await page.getByLabel('It acts when this evaluator finds something').selectOption({ label: 'Rivals' })
    await button('Save').click()
    await page.getByRole('link', { name: 'No rivals' }).click()
    await log().getByText('It has not acted yet.').waitFor()
    await trial().getByRole('button', { name: 'Try it on this question' }).click()
    await trial().getByText('It would act', { exact: true }).waitFor()
    await trial()
      .getByText(/Rivals: found: /)
      .waitFor()
    assert.equal((await app.agent.get('/conversations')).body.total, 1, 'trying stores nothing')
    await app.agent.prompt('What of Acme?')
    await page.reload()
    await log().getByText('acted', { exact: true }).waitFor()
    await log().getByRole('link', { name: 'Conversation' }).waitFor()
    await assertClean(own)
  })

  it('of a call to action it tells for each comparison whether it held', async () => {
    const { body } = await app.agent.post('/ctas', {
      name: 'Offer',
      content: 'Ten per cent off.',
      condition: {
        all: [
          { field: 'prompt.text', op: 'contains', value: 'Acme' },
          { not: { any: [{ field: 'page.path', op: 'eq', value: '/shop' }] } },
          { field: 'language', op: 'eq', value: 'xx' },
        ],
      },
    })
    await page.goto(own.at(`rules/ctas/${body.data.id}`))
    await trial().getByRole('button', { name: 'Try it on this question' }).click()
    await trial().getByText('It would not act').waitFor()
    await trial().getByText('prompt.text contains Acme').waitFor()
    await trial().getByText('page.path is /shop').waitFor()
    await becomes(() => trial().getByText('held', { exact: true }).count(), 2)
    await becomes(() => trial().getByText('did not hold', { exact: true }).count(), 3)
    await assertClean(own)
  })

  it('asks a question again that followed a picture', async () => {
    const url = 'data:image/gif;base64,R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA'
    const picture = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ]
    const first = await app.agent.post('/chat/completions', {
      messages: [{ role: 'user', content: picture }],
    })
    assert.equal(first.status, 200)
    const { conversation_id } = first.body
    const messages = [{ role: 'user', content: 'And what does it cost?' }]
    await app.agent.post('/chat/completions', { messages, conversation_id })
    const { body } = await app.agent.post('/ctas', { name: 'Always', content: 'Ten per cent off.' })
    await page.goto(own.at(`rules/ctas/${body.data.id}`))
    await trial().getByRole('button', { name: 'Try it on this question' }).click()
    await trial().getByText('It would act', { exact: true }).waitFor()
    await assertClean(own)
  })

  it('refuses what was typed over a change of somebody else, until it is discarded', async () => {
    const { id } = (await app.agent.post('/ctas', { name: 'Sale', content: 'Now.' })).body.data
    const stored = async () => (await app.agent.get(`/ctas/${id}`)).body.data.name
    await page.goto(own.at(`rules/ctas/${id}`))
    await field('Name').fill('Mine')
    assert.equal((await app.agent.patch(`/ctas/${id}`, { name: 'Theirs' })).status, 200)
    await button('Save').click()
    await page.getByText('This was changed meanwhile').first().waitFor()
    assert.deepEqual([await stored(), await field('Name').inputValue()], ['Theirs', 'Mine'])
    await button('Discard changes').click()
    await becomes(() => field('Name').inputValue(), 'Theirs')
    await field('Name').fill('Mine after all')
    await button('Save').click()
    await becomes(stored, 'Mine after all')
    assert.equal((await app.agent.call('DELETE', `/ctas/${id}`)).status, 204)
    nothingWrong()
  })

  it('says which action is refused, and that one is missing', async () => {
    await page.goto(own.at('rules/automations/new'))
    await field('Name').fill('Nothing yet')
    await button('Save').click()
    const actions = page.getByRole('region', { name: 'What happens' })
    await actions.getByRole('alert').waitFor()
    await button('Add an action').click()
    await button('Add an action').click()
    await actions.getByLabel('Tag').first().fill('late')
    await button('Save').click()
    await page.locator('[data-path="actions.1"]').getByRole('alert').waitFor()
    await becomes(() => page.getByRole('alert').count(), 1)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    nothingWrong()
  })

  it('shows whom an action names that has left', async () => {
    const { operatorId } = await signInNew(app, { teamId: app.agent.teamId, right: 'respond' })
    const assign = { type: 'assign', operator_id: operatorId }
    const { body } = await app.agent.post('/automations', { name: 'To Ada', actions: [assign] })
    const console = Object.assign(openConsole(app), { cookie: own.cookie })
    assert.equal((await console.call('PATCH', `/operators/${operatorId}`, { active: false })).status, 200)
    await page.goto(own.at(`rules/automations/${body.data.id}`))
    await becomes(() => page.getByLabel('Assignee').locator(':checked').innerText(), `#${operatorId}`)
    await field('If it fails').selectOption('stop')
    await button('Save').click()
    const path = `/automations/${body.data.id}`
    const stored = async () => (await app.agent.get(path)).body.data.actions
    await becomes(stored, [{ ...assign, on_failure: 'stop' }])
    assert.equal((await app.agent.call('DELETE', path)).status, 204)
    nothingWrong()
  })

  it('shows the value of each comparison when one before it is removed, and after changes are discarded', async () => {
    const contains = (value: string) => ({ field: 'prompt.text', op: 'contains', value })
    const { body } = await app.agent.post('/ctas', {
      name: 'Kettles',
      content: 'Look.',
      condition: { all: [contains('kettle'), contains('teapot')] },
    })
    const values = () =>
      Promise.all([field('Value').first().inputValue(), field('Value').last().inputValue()])
    await page.goto(own.at(`rules/ctas/${body.data.id}`))
    await becomes(values, ['kettle', 'teapot'])
    await button('Remove the comparison').first().click()
    await becomes(values, ['teapot', 'teapot'])
    await field('Value').fill('cup')
    await button('Discard changes').click()
    await becomes(values, ['kettle', 'teapot'])
    assert.equal((await app.agent.call('DELETE', `/ctas/${body.data.id}`)).status, 204)
    nothingWrong()
  })

  it('has the usual reply and threshold again once they are emptied', async () => {
    const words = { name: 'Pots', kind: 'keywords', settings: { words: ['pot'] }, threshold: 0.9 }
    const evaluator = (await app.agent.post('/evaluators', words)).body.data
    const guardrail = (
      await app.agent.post('/guardrails', {
        name: 'No pots',
        evaluator_id: evaluator.id,
        on: 'prompt',
        action: 'block',
        reply: 'Ask somebody else.',
      })
    ).body.data
    await page.goto(own.at(`rules/guardrails/${guardrail.id}`))
    await field('Answer instead (empty: a usual one)').fill('')
    await button('Save').click()
    await becomes(
      async () => (await app.agent.get(`/guardrails/${guardrail.id}`)).body.data.reply,
      'I cannot help with that.',
    )
    await page.goto(own.at(`rules/evaluators/${evaluator.id}`))
    await page.getByLabel('Score from which it counts as found').fill('')
    await button('Save').click()
    await becomes(async () => (await app.agent.get(`/evaluators/${evaluator.id}`)).body.data.threshold, 1)
    assert.equal((await app.agent.call('DELETE', `/guardrails/${guardrail.id}`)).status, 204)
    nothingWrong()
  })

  it('makes an evaluator, tries it, makes a guardrail of it, and an automation with a condition', async () => {
    await page.goto(own.at('rules?kind=evaluators'))
    await page.getByRole('link', { name: 'Add an evaluator' }).first().click()
    await field('Name').fill('Competitors')
    await page.getByLabel('Words and phrases').first().fill('Globex')
    await page.keyboard.press('Enter')
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Save').click()
    await page.getByRole('link', { name: 'Competitors' }).click()
    await field('A text').fill('Is Globex cheaper?')
    await button('Score the text').click()
    await page.getByText(/^found: /).waitFor()
    await page.goto(own.at('rules/guardrails/new'))
    await field('Name').fill('No competitors')
    await field('It acts when this evaluator finds something').selectOption({ label: 'Competitors' })
    await field('Answer instead (empty: a usual one)').fill('Ask me about us.')
    await button('Save').click()
    await page.getByRole('link', { name: 'No competitors' }).waitFor()
    const answer = await app.agent.prompt('Is Globex cheaper?')
    assert.equal(answer.choices[0].message.content, 'Ask me about us.')
    await page.goto(own.at('rules/automations/new'))
    await field('Name').fill('Ask for a person')
    await button('Add a comparison').click()
    await field('Value').fill('a person')
    await button('Add an action').click()
    await page.getByLabel('Action 1').selectOption('request_person')
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Save').click()
    await page.getByRole('link', { name: 'Ask for a person' }).click()
    await becomes(() => field('Value').inputValue(), 'a person')
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No automation yet' }).waitFor()
    nothingWrong()
  })
})
