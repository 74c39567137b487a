import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { launchBrowser } from '../support/chromium.ts'
import { fillConsole } from '../support/fill-console.ts'
import { assertPageIsClean } from '../support/looks.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

const AREAS = [
  'agent',
  'model',
  'messages',
  'replies',
  'redaction',
  'versions',
  'export',
  'work',
  'people',
  'credentials',
  'team',
  'audit',
  'account',
]

describe('each area of the settings with things in it, on a phone and in the dark', () => {
  let app: TestApp
  let browser: Browser
  let own: SignedInPage

  before(async () => {
    app = await startApp('sqlite')
    await fillConsole(app, `${app.url}/healthz`)
    browser = await launchBrowser()
    own = await openSignedIn(browser, app)
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  for (const area of AREAS) it(area, () => assertPageIsClean(own, own.at(`settings/${area}`)))

  it('none is missing here', async () => {
    await own.page.goto(own.at('settings/agent'))
    const links = own.page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    const paths = async () => {
      const all = await links.evaluateAll((links) => links.map(({ href }: { href: string }) => href))
      return all.map((path) => path.split('/').at(-1) ?? '').sort()
    }
    await becomes(paths, AREAS.toSorted())
    assert.deepEqual(own.faults.splice(0), [])
  })
})
