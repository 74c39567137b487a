import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('search', async () => {
  const { app, browser, own, page, nothingWrong } = await startConsole()
  for (let at = 1; at <= 25; at++)
    await app.agent.prompt(`Question ${at} about a kettle`, {
      user: `person-${at}`,
      external_id: `ticket-${at}`,
    })
  const named = await app.agent.patch('/users/person-7', {
    name: 'Grace Hopper',
    attributes: { email: 'grace@example.com' },
  })
  assert.equal(named.status, 200, named.text)

  const field = () => page.getByLabel('Words, a name, an e-mail address or an id')
  const hits = () => page.getByRole('list', { name: 'Messages' }).getByRole('listitem')

  it('opens with a key, finds words in any order and by their beginnings, and marks them', async () => {
    await page.goto(own.at('inbox'))
    await page.getByText('person-25').first().waitFor()
    await page.keyboard.press('/')
    await page.waitForURL('**/search')
    await field().fill('kett quest')
    await page.getByText('25 found').waitFor()
    const marked = async () => (await hits().first().locator('mark').allInnerTexts()).sort()
    await becomes(marked, ['Question', 'kettle'])
    assert.deepEqual(await accessibilityFaults(page), [])
    nothingWrong()
  })

  it('pages beyond the first hits, opens one, and going back shows the same', async () => {
    await becomes(() => hits().count(), 20)
    await page.getByRole('button', { name: 'Show more' }).click()
    await becomes(() => hits().count(), 25)
    await hits().last().getByRole('link').click()
    await page.getByRole('log').getByText('kettle').first().waitFor()
    await page.goBack()
    await becomes(() => hits().count(), 25)
    await becomes(() => field().inputValue(), 'kett quest')
    nothingWrong()
  })

  it('finds names, e-mail addresses and ids', async () => {
    for (const q of ['grace hop', 'grace@example.com', 'person-7']) {
      await field().fill(q)
      await page.waitForURL((url) => url.searchParams.get('q') === q)
      await page.getByRole('list', { name: 'Users' }).getByRole('link', { name: 'Grace Hopper' }).waitFor()
    }
    await field().fill('ticket-9')
    await page
      .getByRole('list', { name: 'Conversations by this name' })
      .getByRole('link', { name: 'person-9' })
      .click()
    await page.getByRole('log').getByText('Question 9 about a kettle').waitFor()
    nothingWrong()
  })

  it('finds notes apart, and says so when nothing is found', async () => {
    const [{ id }] = (await app.agent.get('/conversations?per_page=1')).body.data
    await app.agent.post(`/conversations/${id}/notes`, { text: 'A regular, be kind' })
    await page.goto(own.at('search?q=regular&in=notes'))
    await page.getByRole('list', { name: 'Notes' }).getByText('be kind').waitFor()
    await page.getByText('Messages', { exact: true }).click()
    await page.getByText('0 found').waitFor()
    nothingWrong()
  })

  it('keeps the space after which somebody pauses', async () => {
    await page.goto(own.at('search'))
    await field().pressSequentially('a b', { delay: 400 })
    assert.equal(await field().inputValue(), 'a b')
  })

  it('is clean on a phone, in the dark, and in German', async () => {
    await page.goto(own.at('search?q=kettle'))
    await page.getByText('25 found').waitFor()
    await assertClean(own)
    const german = await openSignedIn(browser, app, { locale: 'de-AT' })
    await german.page.goto(german.at('search?q=kettle'))
    await german.page.getByText('25 gefunden').waitFor()
    assert.deepEqual(german.faults, [])
    await german.close()
    nothingWrong()
  })
})
