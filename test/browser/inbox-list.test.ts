import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { becomes, settled } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide, showIn, until } from '../support/chromium.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('list of the inbox', async () => {
  /** The first conversation of Grace. */
  let grace = ''

  const { app, browser, own, page, button, nothingWrong } = await startConsole({ called: 'Ada Lovelace' })

  const row = (name: string) => page.locator('.inbox-row', { hasText: name }).first()
  const listed = `[...document.querySelectorAll('.inbox-row bdi')].map((name) => name.textContent.split(',')[0])`
  const names = () => page.evaluate<string[]>(listed)
  const current = (name: string) => page.locator('.inbox-row[aria-current]', { hasText: name })
  const prompt = (user: string, content = 'Hello there', more: object = {}) =>
    app.agent.prompt(content, { user, ...more })

  /** Waits until the list shows exactly these, in this order. */
  async function shows(expected: string[]) {
    await becomes(names, expected)
  }

  describe('views and filters', () => {
    before(async () => {
      grace = (await prompt('Grace', 'Where is my kettle?', { tags: { plan: 'gold' } })).conversation_id
      await prompt('Linus', 'Where is my toaster?', { tags: { plan: 'gold' } })
      const { conversation_id } = await prompt('Barbara', 'Where is my lamp?')
      await app.agent.post(`/conversations/${conversation_id}/wait`, { reason: 'asked' })
    })

    it('shows names, what was said, why and since when a conversation waits, and counts', async () => {
      await page.goto(own.at('inbox'))
      await shows(['Barbara', 'Linus', 'Grace'])
      await row('Barbara').getByText('Asked for a person · now').waitFor()
      await row('Linus').getByText('plan: gold').waitFor()
      await page.getByRole('link', { name: 'Waiting 3' }).waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      nothingWrong()
    })

    it('combines filters with views, keeps them in the address, and clears them in one click', async () => {
      await button('Filters').click()
      await page.getByLabel('Tag', { exact: true }).fill('plan:gold')
      await shows(['Linus', 'Grace'])
      await page.getByLabel('Words that were said').fill('kettle')
      await shows(['Grace'])
      await page.mouse.move(700, 400)
      await page.getByRole('tooltip').waitFor({ state: 'hidden' })
      assert.deepEqual(await accessibilityFaults(page), [])
      await page.getByRole('link', { name: /^All/ }).click()
      await page.waitForURL(/(?=.*view=all)(?=.*tag=plan%3Agold)/)
      await page.reload()
      await shows(['Grace'])
      await page.getByLabel('Words that were said').fill('xylophone')
      await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
      await button('Clear the filters').first().click()
      await shows(['Barbara', 'Linus', 'Grace'])
      nothingWrong()
    })

    it('keeps the focus in what takes effect, so that nothing typed is taken for a key', async () => {
      await page.goto(own.at('inbox'))
      await button('Filters').click()
      const words = page.getByLabel('Words that were said')
      // Each character takes effect before the next one.
      await words.pressSequentially('my kettle', { delay: 400 })
      await shows(['Grace'])
      assert.equal(await words.inputValue(), 'my kettle')
      await words.and(page.locator(':focus')).waitFor()
      assert.doesNotMatch(page.url(), /unread/)
      const priority = page.getByLabel('Priority', { exact: true })
      await priority.selectOption('High')
      await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
      await button('Unread').press('Enter')
      await page.waitForURL(/unread=true/)
      await button('Unread').and(page.locator(':focus')).waitFor()
      await button('Clear the filters').first().click()
      await page.waitForURL((url) => !url.search.includes('kettle'))
      await becomes(() => words.inputValue(), '')
      nothingWrong()
    })

    it('shows only what is unread in one click, and by a key', async () => {
      await page.goto(own.at('inbox'))
      await row('Linus').click()
      await page.getByRole('log').getByText('toaster').waitFor()
      await page.locator('.inbox-row[aria-current]:not([data-unread])').waitFor()
      await button('Unread').click()
      await page.waitForURL(/unread=true/)
      await shows(['Barbara', 'Grace'])
      await page.getByRole('link', { name: 'Inbox', exact: true }).focus()
      await page.keyboard.press('u')
      await shows(['Barbara', 'Linus', 'Grace'])
      nothingWrong()
    })

    it('has who waits longest first', async () => {
      const { conversation_id } = await prompt('Alan', 'Where is my clock?')
      await app.agent.post(`/conversations/${conversation_id}/wait`, { reason: 'asked' })
      await page.goto(own.at('inbox?view=waiting'))
      await shows(['Alan', 'Barbara', 'Linus', 'Grace'])
      await button('Newest first: switch to longest waiting first').click()
      await shows(['Grace', 'Linus', 'Barbara', 'Alan'])
      await app.agent.put(`/conversations/${conversation_id}/priority`, { priority: 'urgent' })
      await button('Longest waiting first: switch to most urgent first').click()
      await shows(['Alan', 'Barbara', 'Linus', 'Grace'])
      await row('Alan').getByText('Urgent').waitFor()
      nothingWrong()
    })
  })

  describe('live', () => {
    beforeEach(() => page.goto(own.at('inbox')))

    it('shows new conversations at once, and asks for nothing while nothing happens', async () => {
      await row('Grace').waitFor()
      await page.waitForLoadState('networkidle')
      await prompt('Katherine')
      await row('Katherine').waitFor()
      await page.getByRole('link', { name: 'Inbox', exact: true }).hover()
      let asked: string | undefined
      let askedMs = Date.now()
      page.on('request', (request) => {
        asked = request.url()
        askedMs = Date.now()
      })
      // Requests that the prompt caused come first. A page that polls would never be quiet for so long.
      await becomes(() => (Date.now() - askedMs > 5_000 ? 'quiet' : asked), 'quiet')
      nothingWrong()
    })

    it('holds the order while the pointer is on it, and says what is new', async () => {
      const before = ['Katherine', 'Alan', 'Barbara', 'Linus', 'Grace']
      await shows(before)
      await row('Grace').hover()
      await prompt('Margaret')
      await button('1 new').waitFor()
      await app.agent.post(`/conversations/${grace}/messages`, { content: 'It is here.', author: 'Ada' })
      await row('Grace').getByText('It is here.').waitFor()
      assert.deepEqual(await names(), before)
      await page.getByRole('link', { name: 'Knowledge', exact: true }).hover()
      await row('Margaret').waitFor()
      await button('1 new').waitFor({ state: 'hidden' })
      nothingWrong()
    })

    it('shows who else looks at a conversation or writes in it', async () => {
      const colleague = await openSignedIn(browser, app, { right: 'respond', called: 'Radia Perlman' })
      const { conversation_id } = await prompt('Edsger')
      await row('Edsger').waitFor()
      const path = `${app.url}/console/api/agents/${app.agent.agentId}/conversations/${conversation_id}`
      const sign = async (what: string) => {
        const answer = await fetch(`${path}/${what}`, {
          method: 'POST',
          headers: { cookie: colleague.cookie, 'x-parley-console': '1', origin: app.url },
        })
        assert.equal(answer.status, 200, await answer.text())
      }
      await sign('presence')
      await row('Edsger').getByText('Radia Perlman is looking').waitFor()
      await sign('typing')
      await row('Edsger').getByText('Radia Perlman is writing').waitFor()
      await colleague.close()
      nothingWrong()
    })
  })

  describe('keys and selection', () => {
    it('goes through the list by keyboard alone', async () => {
      await page.goto(own.at('inbox'))
      await row('Grace').waitFor()
      const [first = '', second = ''] = await settled(names)
      await page.keyboard.press('j')
      await current(first).waitFor()
      await page.keyboard.press('j')
      await current(second).waitFor()
      await page.locator('.inbox-row[aria-current]').focus()
      await page.keyboard.press('ArrowUp')
      await until(page, 'document.activeElement.matches(".inbox-row:not([aria-current])")')
      await page.keyboard.press('Enter')
      await current(first).waitFor()
      nothingWrong()
    })

    it('a letter after g leads to a page and does nothing else; keys can be switched off', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('a')
      await page.waitForURL('**/analytics')
      assert.equal(await page.getByRole('dialog').count(), 0)
      await page.goto(own.at('settings/account'))
      const setting = page.getByLabel('Single keys are shortcuts; ? lists them')
      await setting.uncheck({ force: true })
      try {
        await page.goto(own.at('inbox'))
        await row('Grace').waitFor()
        await page.keyboard.press('?')
        await page.keyboard.press('j')
        await page.keyboard.press('Control+k')
        await page.getByPlaceholder('What do you want to do?').waitFor()
        assert.match(page.url(), /inbox$/)
        await page.keyboard.press('Escape')
      } finally {
        await page.goto(own.at('settings/account'))
        await setting.check({ force: true })
      }
      await page.goto(own.at('inbox'))
      await row('Grace').waitFor()
      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keys' })
      await keys.getByText('Next conversation').waitFor()
      await page.keyboard.press('Escape')
      await keys.waitFor({ state: 'hidden' })
      await page.keyboard.press('j')
      await page.locator('.inbox-row[aria-current]').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('What do you want to do?').fill('Take over')
      await page
        .getByRole('button', { name: /Take over/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
    })

    it('assigns to another person by key, and takes it back', async () => {
      await (await openSignedIn(browser, app, { right: 'respond', called: 'Niklaus Wirth' })).close()
      await page.reload()
      await page.locator('.inbox-row[aria-current]').waitFor()
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Assign' })
      await dialog.getByLabel('To whom').first().fill('nik')
      await dialog.getByRole('button', { name: 'Niklaus Wirth' }).waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      await page.keyboard.press('Enter')
      await page.locator('.inbox-row[aria-current]').getByText('Niklaus Wirth').waitFor()
      await page.keyboard.press('a')
      await dialog.getByRole('button', { name: 'Unassigned' }).click()
      await page.locator('.inbox-row[aria-current]').getByText('Niklaus Wirth').waitFor({ state: 'hidden' })
      nothingWrong()
    })

    it('puts a conversation aside by key until a time that is offered, and brings it back', async () => {
      await prompt('Hedy')
      await page.goto(own.at('inbox'))
      await row('Hedy').click()
      await page.getByRole('log').getByText('Hello there').waitFor()
      await page.keyboard.press('s')
      const dialog = page.getByRole('dialog', { name: 'Snooze' })
      await dialog.getByRole('button', { name: 'Tomorrow morning' }).waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      await dialog.getByRole('button', { name: 'Tomorrow morning' }).click()
      await row('Hedy').waitFor({ state: 'hidden' })
      await page.getByText(/^Snoozed until /).waitFor()
      await page.getByRole('link', { name: 'Snoozed 1' }).click()
      await shows(['Hedy'])
      await row('Hedy')
        .getByText(/^Snoozed until .* 9:00/)
        .waitFor()
      await page.setViewportSize({ width: 390, height: 800 })
      assert.equal(await isTooWide(page), false)
      await page.setViewportSize({ width: 1280, height: 800 })
      await row('Hedy').click()
      await page.getByRole('log').getByText('Hello there').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Snooze', exact: true }).click()
      await dialog.getByRole('button', { name: 'Bring it back now' }).click()
      await row('Hedy').waitFor({ state: 'hidden' })
      await page.goto(own.at('inbox'))
      await row('Hedy').waitFor()
      nothingWrong()
    })

    it('ends one and opens the next', async () => {
      await page.goto(own.at('inbox'))
      await row('Grace').waitFor()
      const [first = '', second = ''] = await settled(names)
      await page.keyboard.press('j')
      await current(first).waitFor()
      await page.keyboard.press('Shift+E')
      await current(second).waitFor()
      await row(first).waitFor({ state: 'hidden' })
      nothingWrong()
    })

    /** Has acts begin after another time than ten seconds, so that no test depends on how busy the machine is. */
    const begin = async ({ after }: { after: number }) => {
      await page.unroute('**/inbox/bulk')
      await page.route('**/inbox/bulk', (route) => {
        const asked = route.request().postDataJSON()
        assert.equal(asked.delay_seconds, 10)
        return route.continue({ postData: JSON.stringify({ ...asked, delay_seconds: after }) })
      })
    }

    it('selects by key, box and Shift, and tags and ends all that match', async () => {
      await begin({ after: 1 })
      for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
        await prompt(name, 'Bulk', { tags: { lot: 'a' } })
      await page.goto(own.at('inbox?tag=lot:a'))
      await shows(['Five', 'Four', 'Three', 'Two', 'One'])
      await row('Four').focus()
      await page.keyboard.press('x')
      await page.getByText('1 selected').waitFor()
      await row('Two').click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      const tag = async () => {
        await button('Tag').click()
        const dialog = page.getByRole('dialog', { name: 'Tag' })
        await dialog.getByLabel('Name of the tag').fill('checked')
        await dialog.getByLabel('Value').fill('yes')
        await dialog.getByRole('button', { name: 'Set the tag' }).click()
      }
      await tag()
      await page.getByText('3 conversations were changed.', { exact: true }).waitFor()
      await row('Three').getByText('checked: yes').waitFor()
      const selectAll = async () => {
        await page.getByLabel('Select One').check()
        await button('Select all that match').click()
        await page.getByText('All 5 that match are selected').waitFor()
      }
      await selectAll()
      await tag()
      await page
        .getByText('2 conversations were changed. 3 skipped: 3 were tagged that way already.')
        .waitFor()
      await selectAll()
      // A conversation that arrives meanwhile is counted too.
      await prompt('Six', 'Bulk', { tags: { lot: 'a' } })
      await button('End 6').click()
      await page.getByText('6 conversations were changed.', { exact: true }).waitFor()
      await page.getByRole('heading', { name: 'No conversation matches' }).waitFor()
      nothingWrong()
    })

    it('opens ended ones again; what has not begun can be undone from any page', async () => {
      await begin({ after: 60 })
      await page.goto(own.at('inbox?tag=lot:a&view=ended'))
      await shows(['Six', 'Five', 'Four', 'Three', 'Two', 'One'])
      await page.getByLabel('Select Four').check()
      // The bar that comes with the first one moves the rows.
      await button('Reopen 1').waitFor()
      await page.getByLabel('Select Two').check()
      assert.equal(await button(/^End/).count(), 0)
      await button('Reopen 2').click()
      const notice = page.getByRole('region', { name: 'Selected conversations' })
      await notice.getByText('Reopening 2 conversations').waitFor()
      assert.deepEqual(await accessibilityFaults(page), [])
      await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
      await page.waitForURL('**/knowledge')
      await notice.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone: nothing was changed.').waitFor()
      await notice.waitFor({ state: 'hidden' })
      const counted = async () => (await app.agent.get('/inbox/bulk/count?view=all&tag=lot:a')).body.data
      assert.deepEqual(await counted(), { open: 0, ended: 6 })
      // The key undoes it too, although a conversation that is opened later has the same one for its details.
      await page.goto(own.at('inbox?tag=lot:a&view=ended'))
      await page.getByLabel('Select Four').check()
      await button('Reopen 1').click()
      await notice.getByRole('button', { name: 'Undo' }).waitFor()
      await row('Two').click()
      const details = button('Details')
      const before = await details.getAttribute('aria-expanded')
      await page.keyboard.press('z')
      await page.getByText('Undone: nothing was changed.').waitFor()
      await notice.waitFor({ state: 'hidden' })
      assert.deepEqual(await counted(), { open: 0, ended: 6 })
      assert.equal(await details.getAttribute('aria-expanded'), before, 'the details')
      await page.keyboard.press('z')
      await becomes(() => details.getAttribute('aria-expanded'), before === 'true' ? 'false' : 'true')
      await begin({ after: 1 })
      await page.goto(own.at('inbox?tag=lot:a&view=all'))
      await page.getByLabel('Select One').check()
      await button('Select all that match').click()
      await button('Reopen 6').click()
      await notice.getByText('Reopening 6 conversations').waitFor()
      // A closed tab changes nothing.
      await page.goto('about:blank')
      await becomes(counted, { open: 6, ended: 0 })
      nothingWrong()
    })
  })

  it('offers no selection to who may only read', async () => {
    const { conversation_id } = await prompt('Frances')
    const reader = await openSignedIn(browser, app, { right: 'read' })
    await reader.page.goto(reader.at(`inbox/${conversation_id}`))
    await reader.page.locator('.inbox-row', { hasText: 'Frances' }).first().waitFor()
    await reader.page.getByRole('log').waitFor()
    assert.equal(await reader.page.getByRole('checkbox').count(), 0)
    assert.deepEqual(reader.faults, [])
    await reader.close()
  })

  it('is one column on a phone, and leads back to the same list and place', async () => {
    for (let at = 0; at < 30; at++) await prompt(`Person ${at}`)
    await page.setViewportSize({ width: 390, height: 800 })
    try {
      await page.goto(own.at('inbox?tag=&view=open'))
      await row('Person 29').waitFor()
      await row('Person 12').scrollIntoViewIfNeeded()
      await row('Person 12').click()
      await page.getByRole('log').waitFor()
      assert.equal(await isTooWide(page), false)
      await page.goBack()
      await row('Person 12').waitFor()
      await until(page, 'document.querySelector(".inbox-scroll").scrollTop > 100')
      await showIn(page, 'dark')
      assert.deepEqual(await accessibilityFaults(page), [])
      assert.equal(await isTooWide(page), false)
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 })
      await showIn(page, 'light')
    }
    nothingWrong()
  })

  it('says what happened when the list cannot be read, and reads it again', async () => {
    await page.route('**/api/**/inbox?*', (route) => route.abort())
    try {
      await page.goto(own.at('inbox?view=ended'))
      await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
      await button('Try again').waitFor()
    } finally {
      await page.unroute('**/api/**/inbox?*')
    }
    // What happens in the inbox may have it read again before that.
    await button('Try again')
      .click({ timeout: 5_000 })
      .catch(() => {})
    await page.locator('.inbox-row').first().waitFor()
  })
})
