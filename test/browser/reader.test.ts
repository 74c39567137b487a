import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { fillConsole } from '../support/fill-console.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'

/** What is everybody's own is nobody's to refuse. */
const OWN = 'settings/account'

/**
 * Presses everything that can be pressed on the page and was not yet, dialogs first, after filling what is empty.
 * Returns the names of what it pressed.
 */
const PRESS_ALL = `(async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const fill = (field) => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
    set.call(field, field.type === 'number' ? '1' : 'x')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const choose = (field) => {
    const other = [...field.options].find(({ selected }) => !selected)
    if (!other) return
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, other.value)
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const nameOf = (control) =>
    [control.tagName, control.type, control.ariaLabel ?? '', control.textContent, control.closest('[role=dialog]') !== null].join(' ')
  const isThere = (control) => !control.matches(':disabled') && control.checkVisibility()
  window.pressed ??= new Set()
  const path = location.pathname
  for (;;) {
    for (const field of document.querySelectorAll('input:not([type]), input[type=text], input[type=search], input[type=password], textarea'))
      if (isThere(field) && field.value === '') fill(field)
    await drawn()
    const controls = [...document.querySelectorAll('[role=dialog] button, [role=menuitem], main button, main select, main input[type=checkbox], main input[type=radio]')]
    const control = controls.find((one) => isThere(one) && !window.pressed.has(nameOf(one)))
    if (!control || location.pathname !== path) break
    window.pressed.add(nameOf(control))
    if (control.tagName === 'SELECT') choose(control)
    else control.click()
    await drawn()
  }
  return [...window.pressed]
})()`

describe('the console of somebody who may only read', () => {
  let app: TestApp
  let browser: Browser
  let reader: SignedInPage

  before(async () => {
    app = await startApp('sqlite')
    const { agent } = app
    const add = async (path: string, body: object) => {
      const { status, text, body: answer } = await agent.post(path, body)
      assert.ok(status === 201 || status === 202, text)
      return answer.data
    }
    await fillConsole(app, `${app.url}/healthz`)
    const settings = { keywords: ['refund'] }
    const evaluator = await add('/evaluators', { name: 'Refunds', kind: 'keywords', settings })
    await add('/guardrails', {
      name: 'No refunds',
      evaluator_id: evaluator.id,
      stage: 'prompt',
      action: 'flag',
    })
    await add('/ctas', { name: 'Shop', content: 'Visit the shop' })
    await add('/automations', { name: 'Stop', actions: [{ type: 'pause_conversation' }] })
    await add('/replies', { shortcut: 'hello', content: 'Hello there' })
    await add('/widgets', { name: 'Shop' })
    await add('/knowledge/imports', { url: 'http://127.0.0.1:9' })
    browser = await launchBrowser()
    reader = await openSignedIn(browser, app, { right: 'read' })
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  it('offers nothing on any page that is refused', async () => {
    const { page } = reader
    const refused: string[] = []
    const walked: string[] = []
    page.on('response', (response) => {
      if (response.status() !== 403) return
      const request = response.request()
      refused.push(`${walked.at(-1)}: ${request.method()} ${new URL(request.url()).pathname}`)
    })
    const waiting = [reader.at('inbox')]
    const kinds = new Set(waiting.map(kindOf))
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      walked.push(kindOf(address))
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      let before = -1
      // What opens may itself have something to press, which comes with a script of its own.
      for (let pressed: string[] = []; pressed.length > before; ) {
        await page.waitForLoadState('networkidle')
        before = pressed.length
        pressed = address.includes(OWN) ? [] : await page.evaluate<string[]>(PRESS_ALL)
      }
      await page.goto(address)
      await page.waitForLoadState('networkidle')
      const links = await page
        .locator('a[href*="/console/agents/"]')
        .evaluateAll((all) => all.map(({ href }: { href: string }) => href))
      for (const link of links) {
        if (kinds.has(kindOf(link))) continue
        kinds.add(kindOf(link))
        waiting.push(link)
      }
    }
    assert.ok(walked.length > 25, walked.join('\n'))
    assert.deepEqual([...new Set(refused)], [])
    assert.deepEqual(reader.faults.splice(0), [])
  })

  /** Pages of one kind differ in numbers and ids alone. */
  function kindOf(address: string): string {
    const { pathname } = new URL(address)
    return pathname.replace(/^\/console\/agents\/\d+\//, '').replace(/[^/]*\d[^/]*/g, '*')
  }
})
