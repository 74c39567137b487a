import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import axe, { type Result, type RunOptions } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { browserPath } from './browser-path.ts'

let launched: Promise<Browser> | undefined

// The hook is registered here so that it belongs to the whole process.
after(async () => (await launched)?.close())

/**
 * Opens the browser of a test file. Starting Chromium takes as long as some of the files, so all files of a process
 * share one: closing it closes the pages that were opened with it.
 */
export async function launchBrowser(): Promise<Browser> {
  launched ??= launch()
  const shared = await launched
  const contexts: BrowserContext[] = []
  return Object.assign(Object.create(shared) as Browser, {
    async newContext(options?: BrowserContextOptions) {
      const context = await shared.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      for (const context of contexts.splice(0)) await context.close()
    },
  })
}

/** Starts Chromium without a window. @throws AssertionError if the pages are not built */
async function launch(): Promise<Browser> {
  for (const page of ['console/dist/index.html', 'widget/dist/widget.js'])
    assert.ok(existsSync(page), `there is no ${page}: npm run prepare builds it`)
  const executablePath = await browserPath()
  // The package's own arguments are not used: they switch off site isolation, and so what is tested here.
  return chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

/** A page, and the faults in it, of which there must be none. */
export interface TestPage {
  page: Page
  /** Errors of scripts, requests that the policy blocked, and requests to other hosts. */
  faults: string[]
  close(): Promise<void>
}

/**
 * Opens an empty page in a browser context of its own, like another person's browser.
 * @param origins the origins to which the page may send requests
 */
export async function openPage(
  browser: Browser,
  origins: string | readonly string[],
  options: BrowserContextOptions = {},
): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    // No test could hold back the answers of a service worker.
    serviceWorkers: 'block',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  quietWithLiveStream(page)
  const faults: string[] = []
  page.on('console', (message) => {
    // The browser itself reports each failed request; tests look at how the page handles it.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && ![origins].flat().includes(asked))
      faults.push(`asked ${request.url()}`)
  })
  return { page, faults, close: () => context.close() }
}

/** Waits until an expression is true in the page. The page's own policy allows no other way to evaluate one. */
export async function until(page: Page, expression: string): Promise<void> {
  for (const end = Date.now() + 20_000; ; await wait(50)) {
    if (await page.evaluate<boolean>(expression)) return
    if (Date.now() > end) throw new Error(`it never held: ${expression}`)
  }
}

const QUIET_MS = 500

/** Makes pages count as quiet despite the live stream, a request that never ends. */
function quietWithLiveStream(page: Page): void {
  const open = new Set<unknown>()
  let quietSince = Date.now()
  const ended = (request: unknown) => {
    if (open.delete(request)) quietSince = Date.now()
  }
  page.on('request', (request) => {
    if (!/\/live(\?|$)/.test(request.url())) open.add(request)
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  const waitForLoadState = page.waitForLoadState.bind(page)
  page.waitForLoadState = async (state, options) => {
    if (state !== 'networkidle') return waitForLoadState(state, options)
    await waitForLoadState('load', options)
    for (const end = Date.now() + 30_000; Date.now() < end; await wait(50))
      if (open.size === 0 && Date.now() - quietSince > QUIET_MS) return
    throw new Error(`it never became quiet on ${page.url()}`)
  }
}

/** Shows a page in light or dark, and returns when it is: the page itself follows a moment later. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
}

/** The time in which faults may pass by themselves, because the page is still being drawn. */
const DRAWING_MS = 5_000

/** Returns the faults that axe finds once nothing moves in a page. @param rules the rules to check; else all */
export async function accessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  for (const end = Date.now() + DRAWING_MS; ; await wait(100)) {
    const faults = await faultsNow(page, rules)
    if (faults.length === 0 || Date.now() > end) return faults
  }
}

async function faultsNow(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished))`,
  )
  assert.equal(page.frames().length, 1, 'there are no frames, whose faults would be left out')
  // The script is 650 kB, so a page gets it once, and not before each look.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  // Passing rules are not listed node by node, which takes longer than finding them.
  const options: RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}

/** Tells whether a page is wider than its window, so that reading it takes scrolling sideways. */
export async function isTooWide(page: Page): Promise<boolean> {
  const isSo = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  for (const end = Date.now() + DRAWING_MS; Date.now() < end; await wait(50))
    if (!(await page.evaluate<boolean>(isSo))) return false
  return true
}
