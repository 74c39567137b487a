// What does the widget cost a page? In headless Chromium, on a network with round trips of 400 ms and a processor four
// times as slow: the requests and bytes before it is opened and after, the time from the click until a visitor can
// write, and the memory that it takes. ROUNDS sets the number of visitors.
import { globSync, readdirSync, statSync } from 'node:fs'
import type { CDPSession, Request } from 'playwright-core'
import { startApp } from '../test/support/app.ts'
import { launchBrowser, openPage } from '../test/support/chromium.ts'
import { median } from '../test/support/quantile.ts'
import { startWidget } from '../test/support/widget.ts'
import { startWidgetSite } from '../test/support/widget-site.ts'
import { printTable } from './support/load.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 10)
const ROUND_TRIP_MS = 400
const SLOWER = 4
/** The number of times that the chat is opened and closed before its memory is read again. */
const OPENINGS = 200
/** The number of messages; a visitor may send 20 a minute. */
const MESSAGES = 20

/** Clicks the launcher, and measures when the input has the focus and when the greeting appears. */
const OPEN = `new Promise((resolve) => {
  const { shadowRoot } = document.querySelector('parley-chat')
  const start = performance.now()
  let focused = null
  const look = () => {
    if (focused === null && shadowRoot.activeElement?.tagName === 'TEXTAREA') focused = performance.now() - start
    if (shadowRoot.querySelector('.greeting')) resolve([focused, performance.now() - start])
    else requestAnimationFrame(look)
  }
  shadowRoot.querySelector('.launcher').click()
  requestAnimationFrame(look)
})`

/** Opens and closes the chat, and lets the browser draw each time. */
const OPEN_AND_CLOSE = `(async () => {
  for (let count = 0; count < ${OPENINGS}; count++) {
    Parley.open()
    await new Promise(requestAnimationFrame)
    Parley.close()
    await new Promise(requestAnimationFrame)
  }
})()`

const app = await startApp('sqlite')
const widget = await startWidget(app.url, app.agent)
const bare = await startWidgetSite(app.url, null)
const browser = await launchBrowser()
const focused: number[] = []
const greeted: number[] = []
let before: string[] = []
let after: string[] = []
for (let round = 0; round < ROUNDS; round++) {
  const { page, launcher, close } = await widget.visit(browser)
  await launcher.waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const [focus, greeting] = (await page.evaluate(OPEN)) as [number, number]
  focused.push(focus)
  greeted.push(greeting)
  await close()
}
{
  const own = await openPage(browser, [app.url, widget.site.origin])
  const asked: Request[] = []
  own.page.on('request', (request) => request.url().startsWith(app.url) && asked.push(request))
  await own.page.goto(widget.site.origin)
  await own.page.locator('parley-chat .launcher').waitFor()
  await own.page.waitForLoadState('networkidle')
  before = await Promise.all(asked.splice(0).map(describe))
  await own.page.locator('parley-chat .launcher').click()
  await own.page.locator('parley-chat .greeting').waitFor()
  await own.page.waitForLoadState('networkidle')
  // Preflights are not requests of the page, so they are not listed.
  after = await Promise.all(asked.map(describe))
  await own.close()
}

const { page, session } = await openMeasured(widget.site.origin)
await page.locator('parley-chat .launcher').waitFor()
const closed = await heapKilobytes(session)
await page.locator('parley-chat .launcher').click()
await page.locator('parley-chat .greeting').waitFor()
const opened = await heapKilobytes(session)
await page.evaluate(OPEN_AND_CLOSE)
const reopened = await heapKilobytes(session)
await page.evaluate('Parley.open()')
for (let count = 1; count <= MESSAGES; count++) {
  await page.locator('parley-chat textarea').fill('How do I add knowledge to an agent?')
  await page.locator('parley-chat textarea').press('Enter')
  await page.locator(`parley-chat .rate >> nth=${count - 1}`).waitFor()
}
const talked = await heapKilobytes(session)
const without = await heapKilobytes((await openMeasured(bare.origin)).session)

const partOf = (name: string) => globSync(`widget/dist/assets/${name}-*.js.gz`)[0] ?? ''
const sizeOf = (file: string) => statSync(file).size
const panel = sizeOf(partOf('panel'))
const languages = readdirSync('widget/texts').map((file) => sizeOf(partOf(file.replace('.json', ''))))
const launcher = sizeOf('widget/dist/widget.js.gz')
const all = (language: number) => launcher + panel + language
const ms = (values: number[]) => `${median(values).toFixed(0)} and ${Math.max(...values).toFixed(0)} ms`
printTable([
  ['asked before the click', before.join(', ')],
  ['asked on opening', after.join(', ')],
  ['launcher, gzip', `${launcher} bytes`],
  [
    'all of it, gzip, smallest and largest language',
    `${all(Math.min(...languages))} and ${all(Math.max(...languages))} bytes`,
  ],
  ['click to focused input, median and slowest', ms(focused)],
  ['click to greeting, median and slowest', ms(greeted)],
  ['heap of the page without it', `${without} kB`],
  ['closed, opened', `${closed} and ${opened} kB`],
  [`after ${OPENINGS} openings, after ${MESSAGES} questions`, `${reopened} and ${talked} kB`],
])
await browser.close()
await Promise.all([widget.site.close(), bare.close()])
await app.close()
process.exit()

async function openMeasured(address: string) {
  const { page } = await openPage(browser, [app.url, address])
  await page.goto(address)
  // Waiting for an element makes the browser keep the helper code, so all measured pages do it.
  await page.locator('main').waitFor()
  return { page, session: await page.context().newCDPSession(page) }
}

async function heapKilobytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return Math.round(usedSize / 1000)
}

/** Describes a request, and the number of bytes that came. */
async function describe(request: Request): Promise<string> {
  const { responseBodySize } = await request.sizes()
  const name = new URL(request.url()).pathname
    .split('/')
    .at(-1)
    ?.replace(/-.*\.js$/, '.js')
  return `${name} ${responseBodySize} B`
}
