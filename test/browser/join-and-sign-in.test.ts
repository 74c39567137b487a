import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, launchBrowser, openPage, type TestPage } from '../support/chromium.ts'
import { firstLink, PASSWORD } from '../support/console.ts'
import { assertClean, takeLooks, takePicture } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'

const STEP_MS = 30_000
const EMAIL = 'owner@localhost'

describe('joining and signing in', () => {
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
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const account = () => `${app.url}/console/agents/${app.agent.agentId}/settings/account`
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const nothingWrong = () => assert.deepEqual(own.faults.splice(0), [])

  it('joins with the first link, after a password that is too short', async () => {
    const token = await firstLink(app, app.agent.teamId)
    await page.goto(`${app.url}/console/join#${token}`)
    await field('Your name').waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await takePicture(page, 'join')
    await field('Your name').fill('Ada Lovelace')
    await field('Password').fill('short')
    await button('Join').click()
    await page.getByText('Must have at least 12 characters.').waitFor()
    await field('Password').fill(PASSWORD)
    await button('Join').click()
    await page.waitForURL('**/start')
    assert.doesNotMatch(page.url(), /#/)
    await becomes(() => page.title(), 'Welcome, Ada · Test agent · Parley')
    await page.getByText(`You sign in with ${EMAIL}`).waitFor()
    nothingWrong()
    const late = await openPage(browser, app.url)
    await late.page.goto(`${app.url}/console/join#${token}`)
    await late.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    assert.equal(await late.page.getByLabel('Password', { exact: true }).count(), 0)
    assert.deepEqual(await accessibilityFaults(late.page), [])
    await takeLooks(late.page, 'join-over')
    await late.page.getByRole('link', { name: 'Sign in' }).click()
    await late.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await late.page.close()
  })

  it('sets up the second factor', async () => {
    await page.goto(account())
    const part = page.getByRole('region', { name: 'Second factor' })
    await part.getByLabel('Present password', { exact: true }).fill('wrong password')
    await part.getByRole('button', { name: 'Set it up' }).click()
    await part.getByText('The password is wrong.').waitFor()
    await part.getByLabel('Present password', { exact: true }).fill(PASSWORD)
    await part.getByRole('button', { name: 'Set it up' }).click()
    await part.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    secret = (await part.getByLabel('Or type this into the app', { exact: true }).textContent()) ?? ''
    assert.deepEqual(await accessibilityFaults(page), [])
    await takePicture(page, 'second-factor')
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
    await page.goto(account())
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

  it('an owner requires it of everybody, once they have it themselves', async () => {
    const without = await openSignedIn(browser, app, { called: 'Alan Turing' })
    const switchName = 'Require a second factor of everybody'
    await without.page.goto(without.at('settings/team'))
    await without.page.getByText('Set up your own second factor first').waitFor()
    assert.equal(await without.page.getByRole('switch', { name: switchName }).isDisabled(), true)
    await takeLooks(without.page, 'team-own-first')
    await without.page.goto(without.at('inbox'))
    await without.page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.goto(without.at('settings/team'))
    await page.getByText('1 person has none so far: Alan Turing').waitFor()
    await page.getByRole('switch', { name: switchName }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    await assertClean(own)
    await takeLooks(page, 'team-two-factor')
    await page.goto(without.at('settings/people'))
    await page.getByText('no second factor yet').waitFor()
    await page.goto(account())
    await page.getByText('Test agent requires it: it stays on.').waitFor()
    assert.equal(await button('Turn it off').count(), 0)
    // Who has the console open is led there: their live stream ends.
    await without.page.waitForURL('**/two-factor?*')
    await without.page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
    await without.page.getByRole('button', { name: 'Sign out' }).click()
    await without.page.waitForURL('**/sign-in')
    await without.close()
    nothingWrong()
  })

  for (const look of ['on a desk', 'on a phone'] as const)
    it(`leads whoever has none through the setup, ${look}`, async () => {
      const viewport = look === 'on a phone' ? { width: 390, height: 800 } : { width: 1280, height: 800 }
      const email = `grace-${viewport.width}@example.com`
      const person = await openSignedIn(browser, app, { right: 'respond', email, viewport })
      const { page } = person
      await page.goto(person.at('search?q=order'))
      await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
      await page.getByText(`You are signed in as ${email}.`).waitFor()
      assert.equal(await page.getByRole('navigation').count(), 0)
      await takeLooks(page, `two-factor-password-${viewport.width}`)
      await page.getByLabel('Present password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Set it up' }).click()
      await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
      await assertClean(person)
      await takeLooks(page, `two-factor-code-${viewport.width}`)
      await page.setViewportSize(viewport)
      const typed = await page.getByLabel('Or type this into the app', { exact: true }).textContent()
      const code = new TOTP({ secret: typed ?? '' }).generate()
      await page.getByLabel('Code of the app').fill(code)
      await page.getByRole('button', { name: 'Turn it on' }).click()
      await page.getByLabel('Recovery codes', { exact: true }).waitFor()
      await takeLooks(page, `two-factor-recovery-${viewport.width}`)
      await page.setViewportSize(viewport)
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.waitForURL('**/search?q=order')
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
      assert.deepEqual(person.faults.splice(0), [])
      await person.close()
    })

  async function signOut() {
    await page.getByRole('button', { name: 'your menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
  }

  function codeAt(timestamp: number): string {
    return new TOTP({ secret }).generate({ timestamp })
  }
})
