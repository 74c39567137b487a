import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { accessibilityFaults, isTooWide, showIn, type TestPage } from './chromium.ts'

/** Checks an open page by the rules that each page keeps in light, in dark and on a phone. */
export async function assertClean({ page, faults }: TestPage): Promise<void> {
  try {
    for (const [colorScheme, width, rules] of [
      ['light', 1280, undefined],
      // In dark, only colours differ.
      ['dark', 1280, ['color-contrast']],
      ['light', 390, undefined],
    ] as const) {
      await showIn(page, colorScheme)
      await page.setViewportSize({ width, height: 800 })
      const where = `${page.url()} ${colorScheme} ${width}`
      assert.deepEqual(await accessibilityFaults(page, rules && [...rules]), [], where)
      assert.equal(await isTooWide(page), false, `${where} is too wide`)
    }
  } finally {
    await showIn(page, 'light')
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  assert.deepEqual(faults.splice(0), [], page.url())
}

/** Opens a page and checks it on a phone, and in dark, where only colours differ. */
export async function assertPageIsClean({ page, faults }: TestPage, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  try {
    for (const [look, colorScheme, width, rules] of [
      ['on a phone', 'light', 390, undefined],
      ['in the dark', 'dark', 1280, ['color-contrast']],
    ] as const) {
      await showIn(page, colorScheme)
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await accessibilityFaults(page, rules && [...rules]), [], `${link} ${look}`)
      assert.equal(await isTooWide(page), false, `${link} ${look} is too wide`)
      assert.deepEqual(faults.splice(0), [], link)
    }
  } finally {
    await showIn(page, 'light')
    await page.setViewportSize({ width: 1280, height: 800 })
  }
}

/** Takes a picture of the documentation again, with PARLEY_SCREENSHOTS. @param of a part, also of what does not fit into the window */
export async function takePicture(page: Page, name: string, of?: Locator): Promise<void> {
  if (!process.env.PARLEY_SCREENSHOTS) return
  await mkdir('docs/images/console', { recursive: true })
  await page.evaluate('document.fonts.ready')
  const picture = await (of ?? page).screenshot({ animations: 'disabled' })
  // The console has few colours: with a palette, a picture takes a third of the bytes.
  await sharp(picture).png({ palette: true, effort: 10 }).toFile(`docs/images/console/${name}.png`)
}

/** Takes pictures of the whole page in light, in dark and on a phone for reviewing, with PARLEY_SCREENSHOTS. */
export async function takeLooks(page: Page, name: string): Promise<void> {
  if (!process.env.PARLEY_SCREENSHOTS) return
  const folder = 'node_modules/.cache/looks'
  await mkdir(folder, { recursive: true })
  for (const [look, scheme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['phone', 'light', 390],
  ] as const) {
    await showIn(page, scheme)
    await page.setViewportSize({ width, height: 800 })
    await page.screenshot({
      path: join(folder, `${name}-${look}.png`),
      animations: 'disabled',
      fullPage: true,
    })
  }
  await showIn(page, 'light')
  await page.setViewportSize({ width: 1280, height: 800 })
}
