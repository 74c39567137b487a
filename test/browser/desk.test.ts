import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { becomes } from '../support/becomes.ts'
import { openConsole } from '../support/console.ts'
import { takePicture } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('a desk of two departments, as its guide sets it up', async () => {
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole({
    called: 'Ada Lovelace',
    email: 'ada@example.com',
  })
  const people: SignedInPage[] = []
  for (const called of ['Grace Hopper', 'Alan Turing', 'Hedy Lamarr'])
    people.push(
      await openSignedIn(browser, app, {
        right: 'respond',
        called,
        email: `${called.split(' ')[0]?.toLowerCase()}@example.com`,
      }),
    )
  const [grace, alan, hedy] = people as [SignedInPage, SignedInPage, SignedInPage]
  afterEach(() => {
    nothingWrong()
    for (const { faults } of people) assert.deepEqual(faults.splice(0), [])
  })

  const asked: Record<string, string> = {}
  /** A customer writes, and asks for a person. */
  async function ask(user: string, text: string, tags: Record<string, string>): Promise<string> {
    const { conversation_id: id } = await app.agent.prompt(text, { user, tags })
    assert.equal((await app.agent.post(`/conversations/${id}/wait`, { reason: 'asked' })).status, 200)
    asked[user] = id
    return id
  }
  const groupOf = async (user: string) => (await app.agent.get(`/inbox/${asked[user]}`)).body.data.group?.name
  const row = (on: Page, user: string) => on.locator(`[data-row="${asked[user]}"]`)
  /** Goes from one conversation to the next by key, to that of a customer. */
  async function walkTo(page: Page, user: string): Promise<void> {
    while (!page.url().includes(`${asked[user]}`)) {
      const before = page.url()
      await page.keyboard.press('j')
      await page.waitForURL(({ href }) => href !== before)
    }
  }
  const thread = (on: Page) => on.getByRole('log', { name: 'What was said' })

  it('groups with hours, what each person sees, targets, an automation, a macro and a view', async () => {
    await page.goto(own.at('settings/groups'))
    for (const [name, members, waiting] of [
      ['Orders', ['Grace Hopper', 'Alan Turing'], 'Taken by hand'],
      ['Repairs', ['Hedy Lamarr'], 'In turn'],
    ] as const) {
      await button('Add a group').click()
      const dialog = page.getByRole('dialog')
      await field('Name').fill(name)
      await dialog.getByLabel('People', { exact: true }).first().click()
      for (const member of members) await page.getByRole('option', { name: member }).click()
      await page.keyboard.press('Escape')
      await field('Waiting conversations').selectOption(waiting)
      await page.getByRole('switch', { name: 'People are there at certain hours' }).click()
      await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
      const until = name === 'Orders' ? '18:00' : '16:30'
      await field('To').fill(until)
      await button('Save').click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('listitem').filter({ hasText: name }).getByText(`09:00–${until}`).waitFor()
    }
    await page.reload()
    await page.getByText('Taken by hand').waitFor()
    await takePicture(page, 'desk-groups')

    await page.goto(own.at('settings/people'))
    await field('What Hedy Lamarr sees').selectOption('Their groups')
    await becomes(async () => {
      const { body } = await app.agent.get('/operators')
      return body.data.find(({ name }: { name: string }) => name === 'Hedy Lamarr').scope
    }, 'groups')

    await page.goto(own.at('settings/targets'))
    await button('Add a target').click()
    await field('Name').fill('Everybody')
    await field('First answer').fill('60')
    await field('End of the conversation').fill('960')
    await button('Save').click()
    await page.getByText('First answer: 60 minutes · End of the conversation: 960 minutes').waitFor()

    for (const [name, tag, group] of [
      ['To Orders', 'order', 'Orders'],
      ['To Repairs', 'repair', 'Repairs'],
    ] as const) {
      await page.goto(own.at('rules/automations/new'))
      await field('Name').fill(name)
      await field('What starts it').selectOption('A conversation begins to wait for a person')
      await button('Add a comparison').click()
      await page.getByRole('combobox', { name: 'Field' }).fill('tags.topic')
      await field('Comparison').selectOption('is')
      await field('Value').fill(tag)
      await button('Add an action').click()
      await field('Action 1').selectOption('Assign the conversation')
      await field('Group').selectOption(group)
      await button('Save').click()
      await page.getByRole('link', { name }).waitFor()
    }

    await page.goto(own.at('settings/macros'))
    await button('Add macro').click()
    await field('Name').fill('Refund')
    await field('Everyone on the team has it').check()
    await field('Action 1').selectOption('Reply')
    await field('Text').fill('I am {operator.name}. Your money is on its way.')
    await button('Add an action').click()
    await field('Action 2').selectOption('Tag the conversation')
    await field('Tag').fill('refund')
    await button('Save').click()
    await page.getByText('Refund').first().waitFor()

    await page.goto(own.at('inbox?view=open&tag=plan:pro'))
    await button('Save as a view').click()
    await field('Name').fill('Pro customers')
    await field('For everybody in the team').check()
    await field('Name').press('Enter')
    await page.getByRole('link', { name: 'Pro customers' }).waitFor()
  })

  it('what waits goes to its department, and who is available is given it', async () => {
    await hedy.page.goto(hedy.at('inbox'))
    await hedy.page.getByRole('switch', { name: 'Available' }).click()
    await ask('Ida', 'Where is my order?', { topic: 'order', plan: 'pro' })
    await ask('Emil', 'I want my money back.', { topic: 'order' })
    await ask('Nora', 'When do you send the pump?', { topic: 'order' })
    await ask('Otto', 'The brake of my bicycle is loose.', { topic: 'repair', plan: 'pro' })
    for (const user of ['Ida', 'Emil', 'Nora']) await becomes(() => groupOf(user), 'Orders')
    await becomes(() => groupOf('Otto'), 'Repairs')
    await becomes(
      async () => (await app.agent.get(`/inbox/${asked.Otto}`)).body.data.assignee?.name,
      'Hedy Lamarr',
    )
  })

  it('who sees only her group finds nothing else: in the list, counts, search, and by its address', async () => {
    const { page: hers } = hedy
    await row(hers, 'Otto').waitFor()
    assert.equal(await hers.locator('[data-row]').count(), 1)
    await hers.getByRole('link', { name: 'Mine 1' }).waitFor()
    await becomes(() => hers.getByRole('link', { name: /^Pro customers/ }).textContent(), 'Pro customers1')
    await takePicture(hers, 'desk-scope')
    await hers.goto(hedy.at('search?q=order'))
    await hers.getByText('0 found').waitFor()
    const console = Object.assign(openConsole(app), { cookie: hedy.cookie })
    for (const path of ['conversations/', 'inbox/']) {
      const { status } = await console.call('GET', `/agents/${app.agent.agentId}/${path}${asked.Ida}`)
      assert.equal(status, 404, path)
    }
    await hers.goto(hedy.at(`inbox/${asked.Ida}`))
    await hers.getByRole('heading', { name: 'You cannot see this conversation' }).waitFor()
    hedy.faults.splice(0)
  })

  it('three people work by keyboard: they claim, answer, run a macro, snooze and end', async () => {
    for (const [person, user, answer] of [
      [grace, 'Ida', 'It leaves today.'],
      [alan, 'Nora', 'On Monday.'],
      [hedy, 'Otto', 'Bring it by tomorrow.'],
    ] as const) {
      const { page } = person
      await page.goto(person.at('inbox?view=waiting'))
      await row(page, user).waitFor()
      await walkTo(page, user)
      await thread(page).waitFor()
      await page.keyboard.press('o')
      const composer = page.getByLabel('Answer to the user', { exact: true })
      await composer.and(page.locator(':focus')).waitFor()
      await page.keyboard.type(answer)
      await page.keyboard.press('Control+Enter')
      await thread(page).getByText(answer).waitFor()
      await page.keyboard.press('Escape')
    }
    await hedy.page.keyboard.press('e')
    await grace.page.keyboard.press('s')
    await grace.page.getByRole('button', { name: 'Tomorrow morning' }).press('Enter')
    await grace.page.getByText(/^Snoozed until /).waitFor()
    await alan.page.keyboard.press('e')
    await alan.page.goto(alan.at('inbox?view=mine'))
    await alan.page
      .getByText('Conversations of this view stand here as soon as there are some.', { exact: true })
      .waitFor()
    await grace.page.goto(grace.at(`inbox/${asked.Emil}`))
    await thread(grace.page).waitFor()
    await grace.page.keyboard.press('q')
    await grace.page.getByLabel('Find a macro').fill('ref')
    await grace.page.keyboard.press('Enter')
    await grace.page.getByText('will be done').first().waitFor()
    await grace.page.getByText('I am {operator.name}. Your money is on its way.').waitFor()
    await takePicture(grace.page, 'desk-macro')
    await grace.page.keyboard.press('Enter')
    await thread(grace.page).getByText('I am Grace. Your money is on its way.').waitFor()
    await grace.page.keyboard.press('e')
    for (const user of ['Otto', 'Nora', 'Emil'])
      await becomes(
        async () => (await app.agent.get(`/inbox/${asked[user]}`)).body.data.outcome,
        'handed_off',
      )
  })

  it('the lead reads what was solved, by whom and how fast, and goes from a figure to its conversations', async () => {
    await becomes(
      async () => (await app.agent.get('/analytics/support')).body.data.totals.solved_by_person,
      3,
    )
    await page.goto(own.at('support?by=operator'))
    for (const name of ['Grace Hopper', 'Alan Turing', 'Hedy Lamarr'])
      await page.getByRole('rowheader', { name }).waitFor()
    await page.getByLabel('By', { exact: true }).selectOption('Group')
    await page.getByRole('rowheader', { name: 'Repairs' }).waitFor()
    await page.getByRole('link', { name: 'Repairs, Solved by people: 1, show the conversations' }).click()
    await row(page, 'Otto').waitFor()
    assert.equal(await page.locator('[data-row]').count(), 1)
    await page.goBack()
    await page.getByRole('rowheader', { name: 'Orders' }).waitFor()
  })
})
