import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { startApp, type TestApp } from './app.ts'
import { launchBrowser } from './chromium.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { openSignedIn, type SignedInOptions, type SignedInPage } from './signed-in.ts'

/** The console of an app of its own, open in the browser of a person of its team. */
interface StartedConsole {
  app: TestApp
  browser: Browser
  own: SignedInPage
  page: Page
  button(name: string | RegExp): Locator
  field(name: string): Locator
  /** Asserts that the page has told of no fault since the last time. */
  nothingWrong(): void
}

/**
 * Starts an app on SQLite and opens an empty page of a new person of its team. Call it in an asynchronous `describe`:
 * both end after its tests.
 * @param env settings of the app
 */
export async function startConsole({
  env = {},
  ...person
}: SignedInOptions & { env?: Record<string, string> } = {}): Promise<StartedConsole> {
  let app: TestApp | undefined
  let browser: Browser | undefined
  after(async () => {
    await browser?.close()
    await app?.close()
  })
  app = await startApp('sqlite', env)
  browser = await launchBrowser()
  const own = await openSignedIn(browser, app, person)
  const { page } = own
  return {
    ...{ app, browser, own, page },
    button: (name) => page.getByRole('button', { name, exact: true }),
    field: (name) => page.getByLabel(name, { exact: true }),
    nothingWrong: () => assert.deepEqual(own.faults.splice(0), []),
  }
}

/** Starts the same with a model server, which the app asks for its answers. */
export async function startConsoleWithModel(
  person: SignedInOptions,
): Promise<StartedConsole & { model: ModelServer }> {
  const model = await startModelServer()
  after(() => model.close())
  const env = { PARLEY_MODEL_URL: model.url, PARLEY_MODEL: 'test-model' }
  return { model, ...(await startConsole({ ...person, env })) }
}
