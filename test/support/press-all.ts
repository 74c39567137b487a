import type { Page } from 'playwright-core'

/** The selectors of everything that can be pressed on a page. */
const PRESSABLE = `button, summary, input[type=checkbox], input[type=radio], [role=button], [role=menuitem],
  [role=option], [role=switch], [role=tab]`
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]'
/** The names of buttons that would end the walk. */
const LEAVES = /^sign out/i
/** The most presses on a page; more means that the walk goes in circles. */
const MOST = 150

/** Presses the first unpressed thing of a page, or of an overlay on it; returns its name, or null if none is left. */
const pressNext = (scope: string, known: readonly string[]) => `(() => {
  const known = new Set(${JSON.stringify(known)})
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true })
  const over = [...document.querySelectorAll(${JSON.stringify(OVERLAYS)})].filter(isShown)
  const textOf = (one) => one?.textContent.trim().replace(/\\s+/g, ' ').slice(0, 80) ?? ''
  const nameOf = (one) => one.getAttribute('aria-label') || textOf(document.getElementById(one.getAttribute('aria-labelledby')))
    || textOf(one) || textOf(one.labels?.[0]) || one.value || one.outerHTML.slice(0, 80)
  const within = over.length > 0 ? over : [document.querySelector('${scope}')]
  for (const part of within)
    for (const one of part.querySelectorAll(${JSON.stringify(PRESSABLE)})) {
      const name = (over.length > 0 ? 'in ' + nameOf(part).slice(0, 20) + ': ' : '') + nameOf(one)
      if (known.has(name) || !isShown(one) || one.matches(':disabled, [aria-disabled=true], [data-disabled]')) continue
      if (${String(LEAVES)}.test(nameOf(one))) continue
      one.click()
      return name
    }
  return null
})()`

/** Reads the page's own keys from the list of keys. */
const OWN_KEYS = `[...document.querySelectorAll('[role=dialog] tr')].flatMap((row) => {
  const keys = [...row.querySelectorAll('kbd')].map(({ textContent }) => textContent)
  return keys.length === 1 && !['?', '/'].includes(keys[0]) ? keys : []
})`

/** Writes into each text field, so that forms can be sent, and makes another choice in each list. */
const FILL = `(() => {
  for (const one of document.querySelectorAll('main select:enabled')) {
    one.selectedIndex = (one.selectedIndex + 1) % one.length
    one.dispatchEvent(new Event('change', { bubbles: true }))
  }
  for (const one of document.querySelectorAll('main input:not([type]), main input[type=text], main input[type=url], main input[type=password], main input[type=email], main input[type=number], main textarea')) {
    if (one.matches(':disabled, [readonly]') || !one.checkVisibility()) continue
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one), 'value')
    set.call(one, one.type === 'number' ? '1' : one.value + 'x')
    one.dispatchEvent(new Event('input', { bubbles: true }))
  }
})()`

const isOverlaid = `[...document.querySelectorAll(${JSON.stringify(OVERLAYS)})].some((one) => one.checkVisibility({ visibilityProperty: true }))`

/** A browser's page, and the functions with which the walk waits and reports. */
export interface Walk {
  page: Page
  /** Waits until the page has no requests under way. */
  quiet(): Promise<void>
  /** Called with a name before it is pressed. */
  onPress(name: string): void
}

/**
 * Presses everything on a page that can be pressed, also in the dialogs and menus that open, and the page's keys;
 * then it fills the fields and presses whatever this enables.
 * @param scope the part of the page
 * @returns the names of everything it has pressed, without keys
 */
export async function pressAll(
  { page, quiet, onPress }: Walk,
  address: string,
  scope: 'main' | 'nav' = 'main',
): Promise<string[]> {
  const open = async () => {
    await page.goto(address)
    await page.locator('h1, h2, [role=alert]').first().waitFor({ state: 'attached' })
    await quiet()
  }
  onPress('nothing')
  await open()
  const { pathname } = new URL(page.url())
  const pressed: string[] = []
  // In a field the key would be a letter.
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  const keys: string[] = await page.evaluate(OWN_KEYS)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const acts: [name: string, act: () => Promise<unknown>][] = [
    ...keys.map((key): [string, () => Promise<void>] => [`the key ${key}`, () => page.keyboard.press(key)]),
    ['filling its fields', () => page.evaluate(FILL)],
  ]
  while (pressed.length < MOST) {
    const name: string | null = await page.evaluate(pressNext(scope, pressed))
    if (name !== null) {
      onPress(name)
      pressed.push(name)
    } else if (await page.evaluate(isOverlaid)) {
      await page.keyboard.press('Escape')
      await quiet()
      if (await page.evaluate(isOverlaid)) await open()
    } else {
      const next = acts.shift()
      if (!next) break
      onPress(next[0])
      await next[1]()
    }
    await quiet()
    if (new URL(page.url()).pathname !== pathname) await open()
  }
  return pressed
}
