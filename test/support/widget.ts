import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestAgent } from './app.ts'
import { openPage, type TestPage } from './chromium.ts'
import { type SitePage, startWidgetSite, type WidgetSite } from './widget-site.ts'

/** A widget on a site of another origin than the service's. */
export interface TestWidget extends AsyncDisposable {
  id: number
  publicKey: string
  site: WidgetSite
  /** Returns the site's signed statement about one of its users. */
  proveUser(id: string): { id: string; hash: string }
  /** Opens the site's page in a visitor's own browser. */
  visit(browser: Browser, options?: BrowserContextOptions): Promise<Visit>
}

export interface Visit extends TestPage {
  /** Opens the chat, unless it stayed open, and waits until it shows something. */
  open(): Promise<void>
  ask(text: string): Promise<void>
  /** Waits for an answer of the agent. */
  answer(text: string | RegExp): Promise<void>
  button(name: string): ReturnType<Page['locator']>
  input: ReturnType<Page['locator']>
  launcher: ReturnType<Page['locator']>
}

export interface WidgetOptions {
  /** The widget's settings, besides its name and origins. */
  settings?: object
  page?: SitePage
  script?: Record<string, string>
}

/** Creates a widget, and a site that it is allowed on. */
export async function startWidget(
  service: string,
  agent: TestAgent,
  { settings = {}, page = {}, script = {} }: WidgetOptions = {},
): Promise<TestWidget> {
  const made = await agent.call('POST', '/widgets', { name: 'Shop', ...settings })
  assert.equal(made.status, 201, made.text)
  const { id, public_key: publicKey, identity_secret: secret } = made.body.data
  const site = await startWidgetSite(service, { 'data-key': publicKey, ...script }, page)
  const allowed = await agent.call('PATCH', `/widgets/${id}`, { allowed_origins: [site.origin] })
  assert.equal(allowed.status, 200, allowed.text)

  async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
    const own = await openPage(browser, [service, site.origin], options)
    await own.page.goto(site.origin)
    return asVisit(own)
  }

  return {
    id,
    publicKey,
    site,
    proveUser: (user) => ({ id: user, hash: createHmac('sha256', secret).update(user).digest('hex') }),
    visit,
    [Symbol.asyncDispose]: () => site.close(),
  }
}

/** Returns the actions of a visitor in a page that has a chat. */
export function asVisit(own: TestPage): Visit {
  const { page } = own
  const input = page.locator('parley-chat .composer textarea')
  const launcher = page.locator('parley-chat .launcher')
  return {
    ...own,
    input,
    launcher,
    button: (name) => page.getByRole('button', { name, exact: true }),
    async open() {
      await page.locator('parley-chat :is(.launcher, .panel):visible').waitFor()
      if (await launcher.isVisible()) await launcher.click()
      await page.locator('parley-chat .greeting').waitFor()
    },
    async ask(text) {
      await input.fill(text)
      await input.press('Enter')
    },
    async answer(text) {
      await page.locator('.entry.assistant', { hasText: text }).last().waitFor()
    },
  }
}
