import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { addDataset, asks } from '../support/datasets.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

const TITLE = 'How long can I return a kettle?'

describe('pages of tests', async () => {
  const { app, browser, own, page, button } = await startConsole()
  await app.agent.post('/knowledge', { title: TITLE, content: 'A kettle can be returned for 30 days.' })

  const cases = async () => (await app.agent.get('/datasets/1/cases')).body.data

  it('a dataset is made, with a case', async () => {
    await page.goto(own.at('tests'))
    await page.getByText('There are no tests yet').waitFor()
    await page.getByLabel('New dataset').fill('Returns')
    await button('Make it').click()
    await page.getByRole('heading', { name: 'Returns', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Add a case' }).first().click()
    await page.getByRole('group', { name: 'Message 1' }).getByLabel('Text').fill(TITLE)
    const expectation = page.getByRole('group', { name: 'Expectation 1' })
    await expectation.getByLabel('What').fill('30 days')
    await button('Add an expectation').click()
    await page.getByRole('group', { name: 'Expectation 2' }).getByLabel('The answer').selectOption('abstains')
    await page.getByRole('group', { name: 'Expectation 2' }).getByLabel('What').selectOption('false')
    await button('Add a result').click()
    await page.getByRole('group', { name: 'Result 1' }).getByLabel('Only with').fill('no JSON')
    await button('Save').click()
    await page.getByText('This is not a JSON object.').waitFor()
    await page.getByRole('group', { name: 'Result 1' }).getByRole('button', { name: 'Remove' }).click()
    await button('Save').click()
    await page.getByRole('link', { name: TITLE }).waitFor()
    const [made] = await cases()
    assert.deepEqual(made.expectations, [
      { kind: 'contains', value: '30 days' },
      { kind: 'abstains', value: false },
    ])
  })

  it('it is run, changed and run again, and the two runs stand side by side', async () => {
    await button('Run the cases').click()
    await page.getByText('1 passed', { exact: true }).waitFor()
    await page.getByText('A kettle can be returned for 30 days.').waitFor()
    const [{ id }] = await cases()
    const expectations = [{ kind: 'contains', value: '60 days' }]
    assert.equal((await app.agent.patch(`/datasets/1/cases/${id}`, { expectations })).status, 200)
    await page.getByRole('link', { name: 'Dataset' }).click()
    await button('Run the cases').click()
    await page.getByText('1 of 1 failed', { exact: true }).waitFor()
    await page.getByLabel('Compare with').selectOption({ index: 1 })
    await page.getByText('worse', { exact: true }).waitFor()
    await becomes(() => page.getByText('A kettle can be returned for 30 days.').count(), 2)
    await assertClean(own)
    await page.getByText('Worse 1', { exact: true }).click()
    await becomes(() => page.getByRole('list', { name: 'Results' }).getByRole('listitem').count(), 2)
    await page.getByText('Better 0', { exact: true }).click()
    await page.getByText('No case is like this.').waitFor()
  })

  it('a case is made of an answer in the inbox', async () => {
    const { conversation_id } = await app.agent.prompt(TITLE)
    await page.goto(own.at(`inbox/${conversation_id}`))
    await button('Why this answer?').click()
    await button('Make a test case').click()
    await page.getByLabel('In which dataset').waitFor()
    await page.getByLabel('In which dataset').selectOption('A new one')
    await page.getByLabel('Name of the new dataset').fill('From the inbox')
    await button('Make a test case').click()
    await becomes(async () => (await app.agent.get('/datasets/2/cases')).body.data?.length, 1)
    assert.equal((await app.agent.get('/datasets/2')).body.data.name, 'From the inbox')
    assert.equal((await app.agent.call('DELETE', '/datasets/2')).status, 204)
    await page.reload()
    await button('Why this answer?').click()
    await button('Make a test case').click()
    await page.getByLabel('In which dataset').waitFor()
    await button('Make a test case').click()
    await becomes(async () => (await cases()).length, 2)
    const made = (await cases()).at(-1)
    assert.deepEqual(made.expectations, [{ kind: 'cites', value: TITLE }])
    assert.equal((await app.agent.call('DELETE', `/datasets/1/cases/${made.id}`)).status, 204)
    await page.goto(own.at('tests/1/runs/2'))
    await page.getByRole('heading', { name: 'Run 2' }).waitFor()
  })

  it('run, case and dataset are deleted', async () => {
    const confirmed = async () => {
      await button('Delete').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    }
    await confirmed()
    await becomes(async () => (await app.agent.get('/runs')).body.total, 1)
    await page.getByRole('link', { name: TITLE }).click()
    await page.getByRole('heading', { name: /^Case \d+$/ }).waitFor()
    await confirmed()
    await page.getByText('There are no cases yet').waitFor()
    await confirmed()
    await page.getByText('There are no tests yet').waitFor()
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('says in the language of the reader why a case failed, and in English what it does not know', async () => {
    const made = (await app.agent.post('/datasets', { name: 'Failures' })).body.data.id
    const rule = { name: 'Polite', kind: 'keywords', settings: { words: ['please'] } }
    const evaluator = (await app.agent.post('/evaluators', rule)).body.data.id
    const expectations = [
      { kind: 'contains', value: '60 days' },
      { kind: 'cites', value: 'Opening hours' },
      { kind: 'evaluator', value: evaluator },
    ]
    const messages = [{ role: 'user', content: TITLE }]
    await app.agent.post(`/datasets/${made}/cases`, { messages, expectations })
    await app.agent.call('DELETE', `/evaluators/${evaluator}`)
    const run = (await app.agent.post('/runs', { dataset_id: made })).body.data.id
    await becomes(async () => (await app.agent.get(`/runs/${run}`)).body.data.status, 'done')
    const german = await openSignedIn(browser, app, { locale: 'de' })
    const { page } = german
    await page.route(`**/console/api/**/runs/${run}*`, async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      data.error = 'A comet struck.'
      data.error_code = 'comet'
      const [first] = data.results[0].failures
      data.results[0].failures.push({ ...first, code: 'new_code', reason: 'Something new.' })
      await route.fulfill({ response: answer, json: { data } })
    })
    await page.goto(german.at(`tests/${made}/runs/${run}`))
    const items = page.getByRole('list', { name: 'Ergebnisse' }).getByRole('list').first()
    await items.waitFor()
    assert.deepEqual(await items.getByRole('listitem').allTextContents(), [
      'In der Antwort fehlt: „60 days“',
      `Die Antwort nennt als Quelle: ${TITLE} „Opening hours“`,
      `Der Agent hat keinen Prüfer ${evaluator}.`,
      'Something new. „60 days“',
    ])
    await page.getByText('A comet struck.').waitFor()
    await page.context().close()
  })

  it('a customer talks with the agent, each case twice, and the run shows what was found', async () => {
    const { id } = await addDataset(app.agent, [asks(TITLE, [{ kind: 'finds', value: TITLE }])], 'Customers')
    await page.goto(own.at(`tests/${id}/cases/new`))
    await page.getByLabel('Who asks').selectOption('A customer played by a model')
    await page.getByLabel('What the customer knows').fill('no fact')
    await page.getByLabel('What the customer wants').fill('A kettle')
    await button('Save').click()
    await page.getByText('Each line needs a name').waitFor()
    await page.getByLabel('Who asks').selectOption('A customer with messages')
    await page.getByRole('textbox', { name: 'Message 1' }).fill(TITLE)
    await button('Add a message').click()
    await page.getByRole('textbox', { name: 'Message 2' }).fill('thank you')
    const expectation = page.getByRole('group', { name: 'Expectation 1' })
    await expectation.getByLabel('The answer').selectOption('asked for a person')
    await expectation.getByLabel('What').selectOption('no')
    await assertClean(own)
    await button('Save').click()
    await page.getByRole('link', { name: 'A kettle', exact: true }).waitFor()
    const made = (await app.agent.get(`/datasets/${id}/cases`)).body.data.at(-1)
    assert.deepEqual(
      [made.customer, made.expectations],
      [{ goal: 'A kettle', says: [TITLE, 'thank you'] }, [{ kind: 'asked_person', value: false }]],
    )
    await page.getByLabel('Repeats').fill('2')
    await button('Run the cases').click()
    await page.getByText('all 2 passed', { exact: true }).waitFor()
    await page.getByText('100% among the first three').waitFor()
    await button('Show the conversation').click()
    await becomes(() => page.getByText('thank you', { exact: true }).count(), 2)
    await assertClean(own)
    assert.equal((await app.agent.call('DELETE', `/datasets/${id}`)).status, 204)
  })
})
