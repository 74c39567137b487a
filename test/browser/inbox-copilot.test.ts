import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { startConsoleWithModel } from '../support/start-console.ts'

const REPLY = 'Answer to the user'
const FRENCH = 'Bonjour, est-ce que je peux rendre ma bicyclette si elle ne me plaît pas du tout ?'

describe('the help of the model in the inbox', async () => {
  const { app, model, own, page, button, field, nothingWrong } = await startConsoleWithModel({
    right: 'respond',
    called: 'Ada Lovelace',
  })
  await app.agent.post('/knowledge', {
    title: 'Returns',
    content: 'Bicycles can be returned within 30 days.',
  })
  beforeEach(() => model.reset())
  afterEach(nothingWrong)

  const suggestion = () => page.getByRole('region', { name: 'Suggested reply' })
  const thread = () => page.getByRole('log', { name: 'What was said' })

  /** A conversation that a person has taken over, open in the page. */
  async function taken(question = 'Can I return my bicycle, please?'): Promise<string> {
    const { conversation_id } = await app.agent.prompt(question)
    await app.agent.post(`/conversations/${conversation_id}/pause`)
    model.reset()
    await page.goto(own.at(`inbox/${conversation_id}`))
    await field(REPLY).waitFor()
    await button('Suggest a reply').waitFor()
    return conversation_id
  }

  it('suggests a reply beside the draft, by keyboard; the person uses it and takes it back', async () => {
    await taken()
    const feed = model.feed()
    feed.push('Yes, within ')
    await page.keyboard.press('m')
    await suggestion().getByText('Yes, within').waitFor()
    assert.equal(await field(REPLY).inputValue(), '')
    feed.push('30 days [1].')
    feed.end()
    await suggestion()
      .getByRole('link', { name: 'Returns' })
      .or(suggestion().getByText('Returns'))
      .first()
      .waitFor()
    await takeLooks(page, 'copilot-suggested')
    await assertClean(own)
    await suggestion().getByRole('button', { name: 'Use' }).focus()
    await page.keyboard.press('Enter')
    await becomes(() => field(REPLY).inputValue(), 'Yes, within 30 days.')
    await button("Undo the model's text").click()
    await becomes(() => field(REPLY).inputValue(), '')
  })

  it('rewrites a draft without losing it, and what is sent is recorded as suggested', async () => {
    const conversation = await taken()
    await field(REPLY).fill('Dear customer, you can return it.')
    await button('Rewrite').click()
    model.next({ text: 'You can return it.' })
    await page.getByRole('button', { name: 'Shorter' }).click()
    await suggestion().getByText('You can return it.').waitFor()
    assert.equal(await field(REPLY).inputValue(), 'Dear customer, you can return it.')
    const asked = JSON.stringify(model.requests[0]?.body.messages)
    assert.match(asked, /Dear customer, you can return it\..*Make it shorter\./)
    await suggestion().getByRole('button', { name: 'Replace what I wrote' }).click()
    await becomes(() => field(REPLY).inputValue(), 'You can return it.')
    await field(REPLY).press('Control+Enter')
    await thread().getByText('You can return it.').waitFor()
    const acts = async () =>
      (await app.agent.call('GET', '/audit')).body.data.filter(
        ({ action, target }: Record<string, string>) =>
          action === 'suggestion.sent' && target === `conversation ${conversation}`,
      ).length
    await becomes(acts, 1)
  })

  it('holds a suggested reply, too, if somebody has answered since it was used', async () => {
    const conversation = await taken()
    model.next({ text: 'Yes, you can.' })
    await button('Suggest a reply').click()
    await suggestion().getByRole('button', { name: 'Use' }).click()
    await becomes(() => field(REPLY).inputValue(), 'Yes, you can.')
    await app.agent.post(`/conversations/${conversation}/messages`, { content: 'Theirs' })
    await thread().getByText('Theirs').waitFor()
    await button('Send the answer').click()
    await page.getByText('Somebody has answered since you began to write.').waitFor()
  })

  it('stops, and says why there is no text; the draft stays', async () => {
    await taken()
    await field(REPLY).fill('My own words')
    const feed = model.feed()
    feed.push('Never finished')
    await button('Suggest a reply').click()
    await suggestion().getByText('Never finished').waitFor()
    await suggestion().getByRole('button', { name: 'Stop' }).click()
    await model.aborted()
    feed.end()
    await suggestion().waitFor({ state: 'detached' })
    model.answer = { status: 400 }
    await button('Suggest a reply').click()
    await suggestion().getByRole('alert').getByText('The model gave no usable text').waitFor()
    assert.equal(await field(REPLY).inputValue(), 'My own words')
    await suggestion().getByRole('button', { name: 'Discard' }).click()
    own.faults.length = 0
  })

  it('translates messages in a foreign language, and the answer to them', async () => {
    await taken(FRENCH)
    model.next({ text: 'Good day, can I return my bicycle if I do not like it at all?' })
    await thread().getByRole('button', { name: 'Translate' }).first().click()
    await thread().getByText('if I do not like it at all?').waitFor()
    await thread().getByText('si elle ne me plaît pas du tout').first().waitFor()
    await field(REPLY).fill('Yes, you can return it within thirty days.')
    model.next({ text: 'Oui, vous pouvez la rendre sous trente jours.' })
    await page.locator('.composer').getByRole('button', { name: 'Translate' }).click()
    await page.getByRole('menuitem', { name: 'français' }).click()
    const made = page.locator('.composer').getByRole('region', { name: 'Translation' })
    await made.getByText('Oui, vous pouvez').waitFor()
    await takeLooks(page, 'copilot-translated')
    await assertClean(own)
    await made.getByRole('button', { name: 'Replace what I wrote' }).click()
    await field(REPLY).press('Control+Enter')
    const sent = thread().getByText('Oui, vous pouvez la rendre sous trente jours.')
    await sent.waitFor()
    await becomes(async () => {
      await thread().getByRole('button', { name: 'Translate' }).last().click()
      return thread().getByText('Yes, you can return it within thirty days.').isVisible()
    }, true)
    await thread().getByText('As it was written').waitFor()
  })

  it('shows the summary above a conversation that was handed over', async () => {
    const conversation = await taken()
    model.next({ text: 'Wants to return a bicycle.' })
    await button('Summarize').click()
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('Wants to return a bicycle.').waitFor()
    await takeLooks(page, 'copilot-summary')
    await assertClean(own)
    await app.agent.prompt('It is blue.', { conversation_id: conversation })
    model.next({ text: 'Wants to return a blue bicycle.' })
    await page.goto(own.at('inbox'))
    await page.goto(own.at(`inbox/${conversation}`))
    await summary.getByText('Wants to return a blue bicycle.').waitFor()
  })
})
