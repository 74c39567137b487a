import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { fillConsole } from '../support/fill-console.ts'
import { assertPageIsClean } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

/** Each entry of the side bar. */
const PAGES = [
  'inbox',
  'search',
  'users',
  'start',
  'playground',
  'knowledge',
  'rules',
  'tools',
  'tests',
  'channels',
  'widgets',
  'webhooks',
  'analytics',
]
/** Pages of one thing. */
const ONE = [
  'knowledge/1',
  'webhooks/1',
  'tools/1',
  'tools/new',
  'tests/1',
  'tests/1/cases/1',
  'tests/1/runs/1',
  'channels/1',
  'inbox/{conversation}',
]

describe('each page with things in it, on a phone and in the dark', () => {
  let app: TestApp
  let browser: Browser
  let own: SignedInPage
  let conversation = ''

  before(async () => {
    app = await startApp('sqlite')
    await fillConsole(app, `${app.url}/healthz`)
    conversation = (await app.agent.get('/conversations?per_page=1')).body.data[0].id
    browser = await launchBrowser()
    own = await openSignedIn(browser, app)
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  for (const path of [...PAGES, ...ONE])
    it(path, () => assertPageIsClean(own, own.at(path.replace('{conversation}', conversation))))

  it('none is missing here', async () => {
    await own.page.goto(own.at('knowledge'))
    const links = own.page.locator('nav a[href]')
    const paths = async () => {
      const all = await links.evaluateAll((links) => links.map(({ href }: { href: string }) => href))
      return [...new Set(all.map((path) => path.split('/').at(-1) ?? ''))].sort()
    }
    await becomes(paths, [...PAGES, 'settings'].sort())
    assert.deepEqual(own.faults.splice(0), [])
  })
})
