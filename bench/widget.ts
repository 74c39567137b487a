// How soon can a visitor write, on a network whose every round trip takes 400 ms? And how large is what is loaded?
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startApp } from '../test/support/app.ts'
import { launchBrowser } from '../test/support/chromium.ts'
import { startWidget } from '../test/support/widget.ts'
import { median, printTable } from './support/load.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 10)
const ROUND_TRIP_MS = 400

/** Clicks the launcher, and tells when the input had the focus and when the greeting stood there. */
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

await using app = await startApp('sqlite')
await using widget = await startWidget(app.url, app.agent)
const browser = await launchBrowser()
const focused: number[] = []
const greeted: number[] = []
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
  const [focus, greeting] = (await page.evaluate(OPEN)) as [number, number]
  focused.push(focus)
  greeted.push(greeting)
  await close()
}
await browser.close()

const sizeOf = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length
const parts = globSync('widget/dist/assets/*.js')
const panel = parts.filter((file) => basename(file).startsWith('panel-')).map(sizeOf)[0] ?? 0
const languages = parts.filter((file) => !basename(file).startsWith('panel-')).map(sizeOf)
const launcher = sizeOf('widget/dist/widget.js')
printTable([
  [
    'click to focused input, median and slowest',
    `${median(focused).toFixed(0)} and ${Math.max(...focused).toFixed(0)} ms`,
  ],
  [
    'click to greeting, median and slowest',
    `${median(greeted).toFixed(0)} and ${Math.max(...greeted).toFixed(0)} ms`,
  ],
  ['launcher, gzip', `${launcher} bytes`],
  [
    'all of it, gzip, smallest and largest language',
    `${launcher + panel + Math.min(...languages)} and ${launcher + panel + Math.max(...languages)} bytes`,
  ],
])
