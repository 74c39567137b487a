import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import {
  accessibilityFaults,
  isTooWide,
  launchBrowser,
  openPage,
  showIn,
  type TestPage,
} from '../support/chromium.ts'
import { firstLink, PASSWORD } from '../support/console.ts'
import { fillConsole, fillEveryday } from '../support/fill-console.ts'

/** With PARLEY_SCREENSHOTS the pictures of the documentation are made anew. */
const pictures = process.env.PARLEY_SCREENSHOTS ? 'docs/images/console' : null

const STEP_MS = 30_000
const EMAIL = 'owner@localhost'

describe('console', () => {
  let app: TestApp
  let browser: Browser
  let own: TestPage
  let page: Page
  let secret = ''
  let recoveryCode = ''

  before(async () => {
    app = await startApp('sqlite')
    browser = await launchBrowser()
    own = await openPage(browser, app.url)
    page = own.page
    if (pictures) await mkdir(pictures, { recursive: true })
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const at = (path: string) => `${app.url}/console/agents/${app.agent.agentId}/${path}`
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const nothingWrong = () => assert.deepEqual(own.faults.splice(0), [])

  it('joins with the first link, after a password that is too short', async () => {
    const token = await firstLink(app, app.agent.teamId)
    await page.goto(`${app.url}/console/join#${token}`)
    await field('Your name').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await picture('join')
    await field('Your name').fill('Ada Lovelace')
    await field('Password').fill('short')
    await button('Join').click()
    await page.getByText('Must have at least 12 characters.').waitFor()
    await field('Password').fill(PASSWORD)
    await button('Join').click()
    await page.waitForURL('**/inbox')
    assert.doesNotMatch(page.url(), /#/)
    await page.getByText(`You sign in with ${EMAIL}`).waitFor()
    nothingWrong()
  })

  it('answers a first question, and from what it was taught', async () => {
    await page.getByRole('link', { name: 'First steps' }).click()
    await field('A question that people ask').fill('How long does delivery take?')
    await field('Its answer').fill('Two to four working days.')
    await button('Add to the knowledge').click()
    await page.getByText('Added. Ask the agent above.').waitFor()
    await field('Your question').fill('How long does delivery take?')
    await page.keyboard.press('Enter')
    await page.getByText('Sources: How long does delivery take?').waitFor()
    await page.getByRole('log').getByText('Two to four working days.').waitFor()
    await page.getByText('Added. Ask the agent above.').waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('sets up the second factor', async () => {
    await page.goto(at('settings/account'))
    const part = page.getByRole('region', { name: 'Second factor' })
    await part.getByLabel('Present password', { exact: true }).fill('wrong password')
    await part.getByRole('button', { name: 'Set it up' }).click()
    await part.getByText('The password is wrong.').waitFor()
    await part.getByLabel('Present password', { exact: true }).fill(PASSWORD)
    await part.getByRole('button', { name: 'Set it up' }).click()
    await part.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    secret = (await part.getByLabel('Or type this into the app', { exact: true }).textContent()) ?? ''
    assert.deepEqual(await accessibilityFaults(page), [])
    await picture('second-factor')
    await part.getByLabel('Code of the app').fill('000000')
    await part.getByRole('button', { name: 'Turn it on' }).click()
    await part.getByText('This code is not right.').waitFor()
    await part.getByLabel('Code of the app').fill(codeAt(Date.now()))
    await part.getByRole('button', { name: 'Turn it on' }).click()
    const codes = await page.getByLabel('Recovery codes', { exact: true }).textContent()
    recoveryCode = codes?.split('\n')[0] ?? ''
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('I have copied it').click()
    await part.getByText('On', { exact: true }).waitFor()
    nothingWrong()
  })

  it('signs out, and in again with a code, and with a recovery code', async () => {
    await signOut()
    await page.goto(at('settings/account'))
    await page.waitForURL('**/sign-in?*')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await field('E-mail address').fill(EMAIL)
    await field('Password').fill('not the password')
    await button('Sign in').click()
    await page.getByText('The e-mail address, the password or the code is wrong.').waitFor()
    await field('Password').fill(PASSWORD)
    await button('Sign in').click()
    // The code that turned it on works only once: the next one is taken as well.
    await field('Code').fill(codeAt(Date.now() + STEP_MS))
    await button('Sign in').click()
    await page.waitForURL('**/settings/account')
    await signOut()
    await field('E-mail address').fill(EMAIL)
    await field('Password').fill(PASSWORD)
    await button('Sign in').click()
    await field('Code').fill(recoveryCode)
    await button('Sign in').click()
    await page.waitForURL('**/inbox')
    nothingWrong()
  })

  it('pauses the agent in one click, and tells whom it told', async () => {
    await button('Pause the agent').click()
    await page.getByText(/The agent is paused\. \d+ open conversations got the pause message/).waitFor()
    await page.getByText('is paused: it answers nobody').waitFor()
    await button('Let the agent answer').click()
    await page.getByText('The agent answers again.').waitFor()
    nothingWrong()
  })

  it('marks what the service refuses, keeps it, and asks before it is lost', async () => {
    await page.goto(at('settings/model'))
    await field('Address').fill('ftp://models.example.com')
    await button('Save').click()
    await page.locator('[data-path="model.url"][aria-invalid="true"]').waitFor()
    assert.equal(await field('Address').inputValue(), 'ftp://models.example.com')
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Cancel').click()
    await button('Discard changes').click()
    assert.equal(await field('Address').inputValue(), '')
    await page.getByRole('link', { name: 'Messages' }).click()
    await field('Greeting').fill('Good day.')
    await button('Save').click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    assert.equal(await field('Greeting').inputValue(), 'Good day.')
    nothingWrong()
  })

  it('invites a person, who joins elsewhere, and sees only what their right allows', async () => {
    await page.goto(at('settings/people'))
    await button('Invite a person').click()
    await field('E-mail address').fill('grace@example.com')
    await field('Name').fill('Grace Hopper')
    await field('Right').selectOption('read')
    await button('Make the link').click()
    const link = await page.getByLabel('Link', { exact: true }).textContent()
    await button('I have copied it').click()
    const other = await openPage(browser, app.url)
    await other.page.goto(link ?? '')
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Join' }).click()
    await other.page.waitForURL('**/inbox')
    assert.equal(await other.page.getByRole('button', { name: 'Pause the agent' }).count(), 0)
    await other.page.getByRole('link', { name: 'Settings' }).click()
    await other.page.getByRole('link', { name: 'Your account' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'People' }).count(), 0)
    await other.page.getByRole('link', { name: 'Messages' }).click()
    assert.ok(await other.page.getByLabel('Greeting', { exact: true }).isDisabled())
    // By its address the page is there, and the service refuses what it would show.
    await other.page.goto(at('settings/people'))
    await other.page.getByText('Your right is too small for this.').waitFor()
    assert.deepEqual(other.faults, [])
    await page.reload()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Grace' })
      .getByRole('button', { name: 'Disable' })
      .click()
    await page.getByText('disabled', { exact: true }).waitFor()
    await other.page.reload()
    await other.page.waitForURL('**/sign-in*')
    await other.close()
    nothingWrong()
  })

  it('shows a key once, and revokes it', async () => {
    await page.goto(at('settings/credentials'))
    await field('Name of a new key').fill('Web shop')
    await button('Make a key').click()
    const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? ''
    assert.match(key, /^parley_key_/)
    await button('I have copied it').click()
    assert.ok(!(await page.content()).includes(key))
    const row = page.getByRole('listitem').filter({ hasText: 'Web shop' })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('revoked').waitFor()
    nothingWrong()
  })

  it('adds a document, finds it with a question, and deletes it', async () => {
    await page.goto(at('knowledge'))
    await page.getByRole('button', { name: 'Add a document' }).first().click()
    await field('Title').fill('Opening hours')
    await field('Text').fill('We are open from nine to five.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a document' }).click()
    await page.getByRole('link', { name: 'Opening hours' }).waitFor()
    await field('A question').fill('When are you open?')
    await button('Search').click()
    await page.getByRole('list', { name: 'Passages found' }).getByText('nine to five').waitFor()
    await page.getByRole('link', { name: 'Opening hours' }).click()
    await page.getByText('We are open from nine to five.').last().waitFor()
    await button('Delete').click()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/knowledge')
    await page.getByRole('link', { name: 'Opening hours' }).waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('makes a webhook, tests it, reads what was sent, and sends it again', async () => {
    await page.goto(at('webhooks'))
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    await field('Name').fill('Desk')
    await field('Address').fill('http://169.254.169.254/')
    await button('Make the webhook').click()
    await page.locator('[data-path="url"][aria-invalid="true"]').waitFor()
    await field('Address').fill(`${app.url}/healthz`)
    await button('Make the webhook').click()
    assert.match((await page.getByLabel('Secret', { exact: true }).textContent()) ?? '', /^\S{16,}$/)
    await button('I have copied it').click()
    await page.waitForURL(/webhooks\/\d+$/)
    await button('Send a test').click()
    const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').last()
    await row.getByText('rejected').waitFor()
    await row.getByRole('button', { name: 'Details' }).click()
    await row.getByText('"prompt_submit"').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await row.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is sent again.').waitFor()
    nothingWrong()
  })

  it('connects a channel: first the address, then the secrets, then a check', async () => {
    await page.goto(at('channels'))
    await page.getByRole('button', { name: 'Connect a channel' }).first().click()
    await field('Name').fill('Shop line')
    await button('Go on').click()
    await page.getByLabel('Webhook address', { exact: true }).getByText('/messenger-one').waitFor()
    await field('Access token').fill('a token of the platform')
    await field('Phone number ID').fill('12345')
    await button('Save').click()
    await page.getByText('A secret is stored (…form)').waitFor()
    assert.equal(await field('Access token').inputValue(), '')
    nothingWrong()
  })

  it('makes an evaluator, tries it, makes a guardrail of it, and an automation with a condition', async () => {
    await page.goto(at('rules?kind=evaluators'))
    await page.getByRole('link', { name: 'Add an evaluator' }).first().click()
    await field('Name').fill('Rivals')
    await page.getByLabel('Words and phrases').first().fill('Acme')
    await page.keyboard.press('Enter')
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Save').click()
    await page.getByRole('link', { name: 'Rivals' }).click()
    await field('A text').fill('Is Acme cheaper?')
    await button('Score the text').click()
    await page.getByText('passes', { exact: true }).waitFor()
    await page.goto(at('rules/guardrails/new'))
    await field('Name').fill('No rivals')
    await field('It acts when this evaluator passes').selectOption({ label: 'Rivals' })
    await field('Answer instead (empty: a usual one)').fill('Ask me about us.')
    await button('Save').click()
    await page.getByRole('link', { name: 'No rivals' }).waitFor()
    const answer = await app.agent.prompt('Is Acme cheaper?')
    assert.equal(answer.choices[0].message.content, 'Ask me about us.')
    await page.goto(at('rules/automations/new'))
    await field('Name').fill('Ask for a person')
    await button('Add a comparison').click()
    await field('Value').fill('a person')
    await button('Add an action').click()
    await page.getByLabel('Action 1').selectOption('request_person')
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Save').click()
    await page.getByRole('link', { name: 'Ask for a person' }).click()
    assert.equal(await field('Value').inputValue(), 'a person')
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No automation yet' }).waitFor()
    nothingWrong()
  })

  it('sees a conversation arrive, takes it over, answers, notes, and hands it back', async () => {
    await page.goto(at('inbox'))
    await page.getByRole('heading', { name: 'Choose a conversation' }).waitFor()
    await page.waitForLoadState('networkidle')
    const { conversation_id } = await app.agent.prompt('Where is my parcel?', { user: 'Linus' })
    await page.getByRole('link', { name: /Linus/ }).click()
    const thread = page.getByRole('log', { name: 'What was said' })
    await thread.getByText('Where is my parcel?').waitFor()
    await thread.getByRole('button', { name: 'Why this answer?' }).click()
    await thread.getByText('completion').waitFor()
    await page.getByText('answers in this conversation.').waitFor()
    await button('Take over to answer').click()
    await thread.getByText('Ada Lovelace took it over').waitFor()
    await field('Answer to the user').fill('I look into it, **Linus**.')
    await page.keyboard.press('Control+Enter')
    await thread.locator('strong', { hasText: 'Linus' }).waitFor()
    await page.getByText('Note', { exact: true }).click()
    await field('Note for colleagues; the user never sees it').fill('A regular.')
    await button('Add the note').click()
    await thread.getByText('Note by Ada Lovelace').waitFor()
    // The user writes on, and it stands there without a reload.
    await app.agent.prompt('Thanks!', { conversation_id })
    await thread.getByText('Thanks!').waitFor()
    await button('Assign to me').click()
    await button('Release').waitFor()
    await button('Hand back to the agent').click()
    await thread.getByText('handed it back to the agent').waitFor()
    nothingWrong()
  })

  it('keeps what was not sent, and asks before it answers what somebody else has answered', async () => {
    await button('Take over').click()
    await page.getByText('Reply', { exact: true }).click()
    await field('Answer to the user').fill('It leaves today.')
    await page.reload()
    assert.equal(await field('Answer to the user').inputValue(), 'It leaves today.')
    await field('Answer to the user').fill('')
    await field('Answer to the user').pressSequentially('It leaves today')
    const conversation = page.url().split('/').at(-1)
    const answered = await app.agent.post(`/conversations/${conversation}/messages`, {
      content: 'It left yesterday.',
      author: 'Grace',
    })
    assert.equal(answered.status, 200, answered.text)
    await button('Send the answer').click()
    await page.getByText('Somebody has answered since you began to write.').waitFor()
    await page.getByRole('log').getByText('It left yesterday.').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Send anyway').click()
    await page.getByRole('log').getByText('It leaves today').waitFor()
    assert.equal(await field('Answer to the user').inputValue(), '')
    nothingWrong()
  })

  it('removes the text of an answer for good', async () => {
    const thread = page.getByRole('log', { name: 'What was said' })
    await thread.getByRole('button', { name: 'Why this answer?' }).first().click()
    await thread.getByRole('button', { name: 'Remove all text' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove all text' })
    await dialog.getByLabel('Type “redact” to confirm').fill('redact')
    await dialog.getByRole('button', { name: 'Remove all text' }).click()
    await page.getByText(/\d messages were changed/).waitFor()
    await thread.getByText('[REDACTED]').first().waitFor()
    await thread.getByText('Where is my parcel?').first().waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('is used by keyboard only', async () => {
    await page.goto(at('start'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/settings/agent')
    await page.keyboard.press('Control+k')
    const search = page.getByPlaceholder('What do you want to do?')
    await search.fill('First')
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/start')
    nothingWrong()
  })

  it('pages with everyday things in them', async () => {
    const { conversation, webhook, channel } = await fillEveryday(app, `${app.url}/healthz`)
    for (const [name, path] of [
      ['start', 'start'],
      ['conversation', `inbox/${conversation}`],
      ['knowledge', 'knowledge'],
      ['channel', `channels/${channel}`],
      ['webhook', `webhooks/${webhook}`],
      ['people', 'settings/people'],
    ] as const) {
      await page.goto(at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await picture(name)
    }
    nothingWrong()
  })

  it('every page is clean: on a phone, and in the dark; with things in it', async () => {
    await fillConsole(app, `${app.url}/healthz`)
    await page.goto(at('settings/agent'))
    await page.getByRole('navigation', { name: 'Settings' }).waitFor()
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a[href]')].map(({ href }) => href)`,
    )
    assert.ok(links.length > 10, links.join(' '))
    for (const link of new Set(links)) await isClean(link)
    const [conversation] = (await app.agent.get('/conversations?per_page=1')).body.data
    for (const path of ['knowledge/1', 'webhooks/1', 'channels/1', `inbox/${conversation.id}`])
      await isClean(at(path))
  })

  it('speaks German', async () => {
    const german = await openPage(browser, app.url, { locale: 'de-AT' })
    await german.page.goto(`${app.url}/console`)
    await german.page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    assert.equal(await german.page.locator('html').getAttribute('lang'), 'de')
    assert.deepEqual(german.faults, [])
    await german.close()
  })

  /** Looks at a page in each of its looks. */
  async function isClean(link: string) {
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    // In the dark only colours differ.
    for (const [look, colorScheme, width, rules] of [
      ['', 'light', 390, undefined],
      ['-dark', 'dark', 1280, ['color-contrast']],
    ] as const) {
      await showIn(page, colorScheme)
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await accessibilityFaults(page, rules && [...rules]), [], `${link} ${look}`)
      assert.equal(await isTooWide(page), false, `${link} ${look} is too wide`)
      assert.deepEqual(own.faults.splice(0), [], link)
    }
    await showIn(page, 'light')
    await page.setViewportSize({ width: 1280, height: 800 })
  }

  async function signOut() {
    await page.getByRole('button', { name: 'your menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
  }

  function codeAt(timestamp: number): string {
    return new TOTP({ secret }).generate({ timestamp })
  }

  function focused(): Promise<string | undefined> {
    return page.evaluate('document.activeElement?.textContent')
  }

  async function picture(name: string) {
    if (!pictures) return
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: `${pictures}/${name}.png`, animations: 'disabled' })
  }
})
