import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessibilityFaults, isTooWide, until } from '../support/chromium.ts'
import { startSite } from '../support/start-site.ts'
import { startWidget, type Visit } from '../support/widget.ts'

const HOSTILE = `\u202Eright to left <img src=x onerror="window.hacked=1"> [a](javascript:window.hacked=1) [b](data:text/html,x)

${'W'.repeat(100_000)}

<script>window.hacked=1</script>`

describe('widget for everybody', async () => {
  const { app, model, browser, widget } = await startSite({
    settings: { texts: { ar: { greeting: 'أهلًا' }, en: { greeting: 'Hello' } } },
  })

  const focusedName = ({ page }: Visit) =>
    page.evaluate(
      `(() => { const { activeElement } = document.querySelector('parley-chat').shadowRoot
        return activeElement?.ariaLabel ?? activeElement?.textContent ?? '' })()`,
    )

  it('works by keyboard alone', async () => {
    const visit = await widget.visit(browser)
    await visit.launcher.waitFor()
    await visit.page.keyboard.press('Tab')
    assert.equal(await focusedName(visit), 'Open the chat')
    await visit.page.keyboard.press('Enter')
    assert.equal(await focusedName(visit), 'Write a message')
    await visit.page.keyboard.type('By keyboard')
    await visit.page.keyboard.press('Shift+Enter')
    await visit.page.keyboard.type('in two lines')
    await visit.page.keyboard.press('Enter')
    await visit.answer('in two lines')
    await visit.page.locator('.rate').waitFor()
    assert.equal(await visit.input.inputValue(), '')
    for (let presses = 0; (await focusedName(visit)) !== 'Talk to a person'; presses++) {
      assert.ok(presses < 20)
      await visit.page.keyboard.press('Tab')
    }
    await visit.page.keyboard.press('Enter')
    await visit.page.locator('.bar').waitFor()
    await visit.page.keyboard.press('Escape')
    await visit.page.locator('.bar').waitFor({ state: 'hidden' })
    assert.equal(await focusedName(visit), 'Write a message')
    await visit.page.keyboard.press('Escape')
    assert.equal(await focusedName(visit), 'Open the chat')
    await visit.page.locator('.panel').waitFor({ state: 'hidden' })
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('Enter that ends an input method’s composition does not send', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await visit.input.fill('にほん')
    await visit.page.evaluate(`for (const init of [{ isComposing: true }, { keyCode: 229 }])
      ${inChat('textarea')}.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }))`)
    assert.equal(await visit.input.inputValue(), 'にほん')
    assert.equal(await visit.page.locator('.entry').count(), 0)
    await visit.close()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`axe finds nothing, closed and open, ${colorScheme}`, async () => {
      const visit = await widget.visit(browser, { colorScheme })
      await visit.launcher.waitFor()
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      await visit.open()
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      model.next({
        text: '# Title\n\n**Bold** `code` [link](https://shop.example) [1]\n\n| a | b |\n|--|--|\n| 1 | 2 |',
      })
      await visit.ask('Show everything')
      await visit.page.locator('.rate').waitFor()
      await visit.button('Report').click()
      await visit.button('Talk to a person').click()
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      await visit.page.keyboard.press('Escape')
      await visit.button('End or start anew').click()
      await visit.button('End it').click()
      await visit.page.getByLabel('3 of 5').check()
      assert.deepEqual(await accessibilityFaults(visit.page), [])
      await visit.close()
    })

  it('closed it takes no click, and the page is as it was', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await visit.page.evaluate('Parley.open()')
    assert.equal(await visit.page.locator('.panel').isVisible(), true)
    await visit.button('Close the chat').click()
    const hit = await visit.page.evaluate(
      'document.elementFromPoint(innerWidth - 200, innerHeight - 300).tagName',
    )
    assert.notEqual(hit, 'PARLEY-CHAT')
    await visit.close()
  })

  it('on a phone it fills the screen, with letters that need no zoom, and keeps the page’s place', async () => {
    const visit = await widget.visit(browser, {
      viewport: { width: 390, height: 700 },
      isMobile: true,
      hasTouch: true,
    })
    await visit.page.evaluate('scrollTo(0, 500)')
    await visit.launcher.tap()
    await visit.page.locator('.greeting').waitFor()
    const box = await visit.page.locator('.panel').boundingBox()
    assert.deepEqual(
      [box?.x, box?.y, box?.width, box?.height].map((n) => Math.round(n ?? -1)),
      [0, 0, 390, 700],
    )
    assert.equal(await visit.page.evaluate(`getComputedStyle(${inChat('textarea')}).fontSize`), '16px')
    assert.ok(await visit.button('Close the chat').isVisible())
    await visit.page.setViewportSize({ width: 390, height: 380 })
    // The input stands above the keyboard.
    await until(visit.page, `${inChat('textarea')}.getBoundingClientRect().bottom <= 380`)
    await visit.button('Close the chat').tap()
    await visit.page.setViewportSize({ width: 390, height: 700 })
    await until(visit.page, 'scrollY === 500')
    await visit.close()
  })

  it('follows the page from left to right into right to left, with its texts, and keeps the conversation', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    assert.equal(await visit.page.locator('.greeting .text').textContent(), 'Hello')
    await visit.ask('Stay here')
    await visit.answer('Stay here')
    await visit.page.evaluate(`document.documentElement.lang = 'ar'; document.documentElement.dir = 'rtl'`)
    await visit.page.locator('.greeting .text', { hasText: 'أهلًا' }).waitFor()
    await visit.page.locator('.all[dir=rtl]').waitFor({ state: 'attached' })
    assert.equal(await visit.page.locator('.entry').count(), 2)
    const transform = await visit.page.evaluate(`getComputedStyle(${inChat('.send svg')}).transform`)
    assert.equal(transform, 'matrix(-1, 0, 0, 1, 0, 0)')
    assert.deepEqual(await accessibilityFaults(visit.page), [])
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('greets in the language that it speaks, where there are no texts in the first one of the browser', async () => {
    const visit = await widget.visit(browser, { locale: 'ca' })
    await visit.page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['ca', 'ar'] })`)
    await visit.page.reload()
    await visit.page.evaluate(`document.documentElement.removeAttribute('lang')`)
    await visit.open()
    await visit.page.locator('.all[lang=ar]').waitFor({ state: 'attached' })
    assert.equal(await visit.page.locator('.greeting .text').textContent(), 'أهلًا')
    await visit.ask('Bon dia')
    await visit.answer('Bon dia')
    const { body } = await app.agent.get('/chat/completions?language=ca')
    assert.equal(body.data.length, 1, 'the conversation has the language of the visitor')
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  for (const [page, browserTag, sent] of [
    ['en_US', 'de', 'en'],
    ['', 'en-US@posix', 'en-US'],
  ] as const)
    it(`opens where the page says ${page || 'no language'} and the browser ${browserTag}`, async () => {
      const visit = await widget.visit(browser)
      const define = (name: string, value: unknown) =>
        `Object.defineProperty(navigator, '${name}', { value: ${JSON.stringify(value)} });`
      await visit.page.addInitScript(define('language', browserTag) + define('languages', [browserTag]))
      const asked = visit.page.waitForRequest(/\/sessions/)
      await visit.page.addInitScript(
        `document.addEventListener('DOMContentLoaded', () => { document.documentElement.lang = '${page}' })`,
      )
      await visit.page.reload()
      await visit.open()
      assert.equal((await asked).postDataJSON().language, sent)
      await visit.ask('Hello')
      await visit.answer('Hello')
      assert.deepEqual(visit.faults, [])
      await visit.close()
    })

  it('hostile words stay words, in their place', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    model.next({ text: HOSTILE })
    await visit.ask('<b>Mallory</b>')
    await visit.page.locator('.rate').waitFor()
    assert.equal(await visit.page.evaluate('window.hacked'), undefined)
    assert.equal(await visit.page.locator('.entry a, .entry img, .entry b').count(), 0)
    const widths = await visit.page
      .locator('.thread')
      .evaluate((thread) => [thread.scrollWidth, thread.clientWidth] as const)
    assert.equal(widths[0], widths[1])
    assert.equal(await isTooWide(visit.page), false)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('with reduced motion nothing moves', async () => {
    const visit = await widget.visit(browser, { reducedMotion: 'reduce' })
    await visit.open()
    const moving = `document.querySelector('parley-chat').shadowRoot.getAnimations().length`
    assert.equal(await visit.page.evaluate(moving), 0)
    await visit.button('Close the chat').click()
    await visit.page.locator('.panel').waitFor({ state: 'hidden' })
    await visit.close()
  })

  it('in the page it takes no focus and does not scroll', async () => {
    const inline = await startWidget(app.url, app.agent, {
      script: { 'data-none': '' },
      page: { body: '<input id="own" autofocus>' },
    })
    const visit = await inline.visit(browser)
    await visit.launcher.waitFor()
    await visit.page.evaluate(
      `const chat = document.createElement('parley-chat')
       chat.setAttribute('key', '${inline.publicKey}'); chat.setAttribute('inline', '')
       document.querySelector('#own').focus(); scrollTo(0, 0); document.querySelector('main').append(chat)`,
    )
    await visit.page.locator('parley-chat[inline] .greeting').waitFor()
    assert.deepEqual(await visit.page.evaluate('[document.activeElement.id, scrollY]'), ['own', 0])
    assert.deepEqual(visit.faults, [])
    await visit.close()
    await inline.site.close()
  })
})

/** An element within the chat, in words of the page. */
function inChat(selector: string): string {
  return `document.querySelector('parley-chat').shadowRoot.querySelector('${selector}')`
}
