import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { accessibilityFaults, isTooWide, until } from '../support/chromium.ts'
import { startSite } from '../support/start-site.ts'
import { startWidget, type Visit } from '../support/widget.ts'

const PHONE = { viewport: { width: 390, height: 700 }, isMobile: true, hasTouch: true }
const LANGUAGES = readdirSync('widget/texts').map((name) => name.replace('.json', ''))
/** Styles that a page applies to all of its elements, and to those that hold the widget. */
const HOSTILE = `* { all: unset }
  * { font-size: 44px !important; letter-spacing: 4px; line-height: 3; text-transform: uppercase; visibility: inherit }
  body { transform: scale(0.5); filter: blur(2px); opacity: 0.4; display: block }
  button, textarea, svg, p { display: none !important }`

describe('the widget in pages of every kind', async () => {
  const { app, model, browser, widget } = await startSite({
    page: { body: '<a href="/other">Another page</a>' },
  })

  const inChat = (selector: string) =>
    `document.querySelector('parley-chat').shadowRoot.querySelector('${selector}')`
  const hasFocus = ({ page }: Visit, selector: string) =>
    until(page, `document.querySelector('parley-chat').shadowRoot.activeElement === ${inChat(selector)}`)

  it('unsent text is there again after a reload, and on another page of the site', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await visit.input.fill('Begun on one page')
    await visit.page.reload()
    await visit.open()
    await until(visit.page, `${inChat('textarea')}.value === 'Begun on one page'`)
    await visit.input.press('End')
    await visit.input.pressSequentially(', gone on')
    await visit.page.getByRole('link', { name: 'Another page' }).click()
    await visit.page.waitForURL('**/other')
    await visit.open()
    await until(visit.page, `${inChat('textarea')}.value === 'Begun on one page, gone on'`)
    await visit.input.press('Enter')
    await visit.answer('Begun on one page, gone on')
    await visit.page.reload()
    await visit.open()
    await visit.answer('Begun on one page, gone on')
    await until(visit.page, `${inChat('textarea')}.value === ''`)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('on a phone the focus stays in the chat while it hides the page, and goes back to the launcher', async () => {
    const visit = await widget.visit(browser, PHONE)
    await visit.launcher.tap()
    await visit.page.locator('.greeting').waitFor()
    await hasFocus(visit, 'textarea')
    await until(visit.page, `${inChat('.panel')}.ariaModal === 'true'`)
    await until(visit.page, `getComputedStyle(document.documentElement).overflowY === 'hidden'`)
    const steps = 12
    for (const key of ['Tab', 'Shift+Tab'])
      for (let count = 0; count < steps; count++) {
        await visit.page.keyboard.press(key)
        const focused = await visit.page.evaluate<string>('document.activeElement.tagName')
        assert.ok(['PARLEY-CHAT', 'BODY'].includes(focused), `${key} led to ${focused}`)
      }
    await visit.page.evaluate(`document.querySelector('main a').focus()`)
    await hasFocus(visit, 'header > .icon')
    await visit.page.keyboard.press('Escape')
    await hasFocus(visit, '.launcher')
    await until(visit.page, `getComputedStyle(document.documentElement).overflowY === 'visible'`)
    await visit.page.evaluate(`document.querySelector('main a').focus()`)
    await until(visit.page, `document.activeElement.tagName === 'A'`)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  it('beside the page the focus is free, and the chat is no modal dialog', async () => {
    const visit = await widget.visit(browser)
    await visit.open()
    await until(visit.page, `${inChat('.panel')}.ariaModal === 'false'`)
    await visit.page.evaluate(`document.querySelector('main a').focus()`)
    await until(visit.page, `document.activeElement.tagName === 'A'`)
    // The panel is modal while the window is small.
    await visit.page.setViewportSize({ width: 400, height: 800 })
    await until(visit.page, `${inChat('.panel')}.ariaModal === 'true'`)
    await visit.page.setViewportSize({ width: 1280, height: 800 })
    await until(visit.page, `${inChat('.panel')}.ariaModal === 'false'`)
    await until(visit.page, `getComputedStyle(document.documentElement).overflowY === 'visible'`)
    // A widget that is removed from the page leaves no styles behind.
    await visit.page.setViewportSize({ width: 400, height: 800 })
    await until(visit.page, `getComputedStyle(document.documentElement).overflowY === 'hidden'`)
    await visit.page.evaluate(`document.querySelector('parley-chat').remove()`)
    await until(visit.page, `getComputedStyle(document.documentElement).overflowY === 'visible'`)
    await visit.close()
  })

  it('a dialog of the page that holds the focus as well goes before the chat', async () => {
    const visit = await widget.visit(browser, PHONE)
    await visit.launcher.tap()
    await until(visit.page, `${inChat('.panel')}.ariaModal === 'true'`)
    await visit.page.evaluate(`addEventListener('focusin', ({ target }) =>
      target.tagName !== 'A' && document.querySelector('main a').focus())`)
    await visit.page.evaluate(`document.querySelector('main a').focus()`)
    await until(visit.page, `document.activeElement.tagName === 'A'`)
    assert.deepEqual(visit.faults, [])
    await visit.close()
  })

  for (const language of LANGUAGES)
    it(`in ${language} everything fits on a screen 320 pixels wide`, async () => {
      const { frame, panel, late } = JSON.parse(readFileSync(`widget/texts/${language}.json`, 'utf8'))
      const visit = await widget.visit(browser, { ...PHONE, viewport: { width: 320, height: 600 } })
      const direction = language === 'ar' ? 'rtl' : 'ltr'
      await visit.page.evaluate(
        `document.documentElement.lang = '${language}'; document.documentElement.dir = '${direction}'`,
      )
      await visit.page.getByRole('button', { name: frame.open, exact: true }).tap()
      await visit.page.locator('.greeting', { hasText: panel.greeting }).waitFor()
      await fits(visit, 'open')
      await visit.ask('1234')
      await visit.page.locator('.rate').waitFor()
      for (const name of ['flag', 'askPerson', 'end'] as const) {
        await visit.page.getByRole('button', { name: panel[name], exact: true }).first().tap()
        await visit.page.locator(name === 'flag' ? '.card' : '.bar').waitFor()
        await fits(visit, panel[name])
      }
      await visit.page.getByRole('button', { name: panel.endIt, exact: true }).tap()
      await visit.page.getByText(late.ended, { exact: true }).waitFor()
      await fits(visit, 'ended')
      await visit.page.locator(`.all[dir=${direction}][lang=${language}]`).waitFor({ state: 'attached' })
      assert.deepEqual(visit.faults, [])
      await visit.close()
    })

  it('from right to left the launcher keeps its corner, and text and buttons change sides', async () => {
    const visit = await widget.visit(browser)
    await visit.page.evaluate(`document.documentElement.lang = 'ar'; document.documentElement.dir = 'rtl'`)
    await visit.launcher.click()
    await visit.page.locator('.all[dir=rtl] .greeting').waitFor()
    const isLeftOf = (one: string, other: string) =>
      until(
        visit.page,
        `${inChat(one)}.getBoundingClientRect().right <= ${inChat(other)}.getBoundingClientRect().left`,
      )
    await isLeftOf('.send', 'textarea')
    await isLeftOf('header > .icon', '.avatar')
    await visit.ask('مرحبا')
    await visit.page.locator('.rate').waitFor()
    await until(
      visit.page,
      `${inChat('.user .bubble')}.getBoundingClientRect().left < ${inChat('.assistant .speaker svg')}.getBoundingClientRect().left`,
    )
    await until(visit.page, `${inChat('.panel')}.getBoundingClientRect().right === innerWidth - 20`)
    assert.deepEqual(await accessibilityFaults(visit.page), [])
    // Marks and columns stand where the words begin, whatever the language around them.
    model.next({ text: '- Pack it well\n\n| Item | Days |\n|---|---|\n| Bike | 30 |' })
    await visit.ask('And how?')
    for (const element of ['ul', 'table'])
      await until(
        visit.page,
        `getComputedStyle(${inChat(`.text ${element}`)} ?? document.body).direction === 'ltr'`,
      )
    model.next({ text: '- أولا\n- ثانيا' })
    await visit.ask('وماذا بعد؟')
    await visit.answer('ثانيا')
    await until(
      visit.page,
      `getComputedStyle([...document.querySelector('parley-chat').shadowRoot.querySelectorAll('.text ul')].at(-1)).direction === 'rtl'`,
    )
    await visit.close()
  })

  it("the page's own styles reach neither the launcher nor the chat", async () => {
    const plain = await widget.visit(browser)
    await using site = await startWidget(app.url, app.agent)
    const visit = await site.visit(browser)
    await visit.page.evaluate(`document.adoptedStyleSheets.push(new CSSStyleSheet())
      document.adoptedStyleSheets[0].replaceSync(${JSON.stringify(HOSTILE)})`)
    for (const { page, launcher } of [plain, visit]) {
      await launcher.click()
      await page.locator('.greeting').waitFor()
      await page.locator('parley-chat textarea').fill('Look')
      await page.locator('parley-chat textarea').press('Enter')
      await page.locator('.rate').waitFor()
    }
    const looks = (selectors: string[]) => `JSON.stringify(${JSON.stringify(selectors)}.map((selector) => {
      const element = document.querySelector('parley-chat').shadowRoot.querySelector(selector)
      const { x, y, width, height } = element.getBoundingClientRect()
      const { fontSize, lineHeight, letterSpacing, textTransform, color, display } = getComputedStyle(element)
      return [selector, x, y, width, height, fontSize, lineHeight, letterSpacing, textTransform, color, display]
    }))`
    const looked = looks(['.panel', 'h2', '.close, header > .icon', 'textarea', '.send', '.bubble', '.rate'])
    // Only the font is the page's.
    for (const { page } of [plain, visit])
      await page.evaluate(`document.querySelector('parley-chat').style.fontFamily = 'monospace'`)
    await until(visit.page, `${looked} === ${JSON.stringify(await plain.page.evaluate<string>(looked))}`)
    const hit = `document.elementFromPoint(innerWidth - 60, innerHeight - 60).tagName === 'PARLEY-CHAT'`
    await until(visit.page, hit)
    await visit.page.keyboard.press('Escape')
    await visit.page.locator('.panel').waitFor({ state: 'hidden' })
    await until(visit.page, hit)
    await Promise.all([plain.close(), visit.close()])
  })

  async function fits({ page }: Visit, where: string): Promise<void> {
    assert.equal(await isTooWide(page), false, where)
    const wide = await page.evaluate<string[]>(
      `[...document.querySelector('parley-chat').shadowRoot.querySelectorAll('.panel *')]
        .filter((element) => !element.closest('.hidden, svg') && !/auto|hidden/.test(getComputedStyle(element).overflowX))
        .filter((element) => { const { left, right } = element.getBoundingClientRect(); return left < -0.5 || right > innerWidth + 0.5 })
        .map((element) => element.className || element.tagName)`,
    )
    assert.deepEqual(wide, [], where)
  }
})
